// Sums of logarithms against sums of the numbers themselves.
#include "kernels/arithmetic/log2_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace countpm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Log2Sum, IsTheLogarithmOfTheSum) {
  for (double a = -60; a <= 60; a += 0.375) {
    for (double b = -60; b <= 60; b += 0.625) {
      const double expected = std::log2(std::exp2(a) + std::exp2(b));
      EXPECT_NEAR(log2_sum(a, b), expected, 1e-13) << a << " " << b;
      EXPECT_EQ(log2_sum(a, b), log2_sum(b, a)) << a << " " << b;
    }
  }
}

TEST(Log2Sum, HoldsBeyondTheRangeOfADouble) {
  EXPECT_EQ(log2_sum(5000, 5000), 5001);
  EXPECT_EQ(log2_sum(-5000, -5000), -4999);
  EXPECT_EQ(log2_sum(5000, -5000), 5000);
}

TEST(Log2Sum, TakesInfinitiesForNothingAndForMoreThanAnything) {
  EXPECT_EQ(log2_sum(-infinity, -infinity), -infinity);
  EXPECT_EQ(log2_sum(-infinity, 3.5), 3.5);
  EXPECT_EQ(log2_sum(3.5, -infinity), 3.5);
  EXPECT_EQ(log2_sum(infinity, 3.5), infinity);
  EXPECT_EQ(log2_sum(-infinity, infinity), infinity);
  EXPECT_EQ(log2_sum(infinity, infinity), infinity);
}

}  // namespace
}  // namespace countpm
