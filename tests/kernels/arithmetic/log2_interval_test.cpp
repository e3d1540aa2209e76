// Logarithms between two doubles against those of MPFR with 200 bits.
#include "kernels/arithmetic/log2_interval.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "kernels/arithmetic/big_float.hpp"

namespace countpm {
namespace {

// Whether the interval holds log2(x / 2^shift) and is as short as it says.
void expect_holds(std::uint64_t x, int shift) {
  const Log2Interval found = log2_interval(x, shift);
  BigFloat exact(mpfr_prec_t{200});
  mpfr_set_ui(exact.get(), x, MPFR_RNDN);
  mpfr_log2(exact.get(), exact.get(), MPFR_RNDN);
  mpfr_sub_si(exact.get(), exact.get(), shift, MPFR_RNDN);
  EXPECT_GE(mpfr_cmp_d(exact.get(), found.below), 0)
      << "not above " << found.below << ": " << x << " / 2^" << shift;
  EXPECT_LE(mpfr_cmp_d(exact.get(), found.above), 0)
      << "not below " << found.above << ": " << x << " / 2^" << shift;
}

TEST(Log2Interval, HoldsTheLogarithm) {
  std::mt19937_64 random(20261130);
  for (int trial = 0; trial < 20'000; ++trial) {
    const std::uint64_t x = random() >> (random() % 64);
    if (x != 0) expect_holds(x, static_cast<int>(random() % 65));
  }
  for (int k = 1; k < 64; ++k) {
    for (const int beside : {-3, -1, 0, 1, 3}) {
      const std::uint64_t x = (std::uint64_t{1} << k) + static_cast<std::uint64_t>(beside);
      if (x == 0 || x > std::uint64_t{1} << 63) continue;
      for (const int shift : {0, 1, k, 64}) expect_holds(x, shift);
    }
  }
  expect_holds(std::numeric_limits<std::uint64_t>::max(), 0);
  expect_holds(std::numeric_limits<std::uint64_t>::max(), 64);
}

TEST(Log2Interval, IsShort) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 20'000; ++trial) {
    const std::uint64_t x = (random() >> (random() % 63)) | 1;
    const Log2Interval found = log2_interval(x, 50);
    const double two_further = std::nextafter(std::nextafter(found.below, 100), 100);
    EXPECT_LE(found.above, std::max(two_further, found.below + std::ldexp(1.0, -58))) << x;
  }
}

TEST(Log2Interval, IsAPointForPowersOfTwo) {
  for (int k = 0; k < 64; ++k) {
    const Log2Interval found = log2_interval(std::uint64_t{1} << k, 50);
    EXPECT_EQ(found.below, k - 50);
    EXPECT_EQ(found.above, k - 50);
  }
  EXPECT_EQ(log2_interval(0, 3).below, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(log2_interval(0, 3).above, -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace countpm
