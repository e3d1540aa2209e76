#include "kernels/support/fresh_pages.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace countpm {
namespace {

constexpr double stretch = 32.0 * 1024 * 1024;

// All alike: a 16th is touched, and the rest takes as long.
TEST(FreshPages, AShareIsTouched) {
  int touches = 0;
  const FreshPages pages =
      try_fresh_pages(static_cast<std::uint64_t>(16 * 4 * stretch), [&](std::uint64_t bytes) {
        ++touches;
        return 1e-10 * static_cast<double>(bytes);
      });
  EXPECT_EQ(touches, 4);
  EXPECT_NEAR(pages.seconds_for(1e9), 0.1, 1e-9);
  EXPECT_NEAR(pages.seconds_for(1e7), 0.001, 1e-9);
}

// Once pages come slowly, what is not touched is taken to come so, too.
TEST(FreshPages, TheRestIsAsSlowAsTheLast) {
  int touches = 0;
  const FreshPages pages = try_fresh_pages(std::uint64_t{1} << 36, [&](std::uint64_t bytes) {
    return (++touches < 3 ? 1e-10 : 2e-9) * static_cast<double>(bytes);
  });
  EXPECT_EQ(touches, 3);  // a twentieth of a second is over
  EXPECT_NEAR(pages.seconds_for(1e10), 2e-10 * stretch + 2e-9 * (1e10 - 2 * stretch), 1e-6);
}

// 32 MiB of this process, however little is asked about.
TEST(FreshPages, AreTouchedHereOnce) {
  const FreshPages& pages = fresh_pages_here(1);
  EXPECT_EQ(pages.bytes, stretch);
  EXPECT_GT(pages.seconds_for(1e9), 0);
  EXPECT_TRUE(std::isfinite(pages.seconds_for(1e9)));
  EXPECT_EQ(&fresh_pages_here(std::uint64_t{1} << 40), &pages);
}

}  // namespace
}  // namespace countpm
