// Numbers of any size, as reports and pages write them.
#include "src/text/format_number.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace countpm::test {
namespace {

TEST(FormatNumber, PowersOfAnySize) {
  EXPECT_EQ(format_log10(std::log10(12988816.0), 5), "1.2989e+07");
  EXPECT_EQ(format_log10(100000.5, 2), "3.2e+100000");
  EXPECT_EQ(format_log10(std::log10(9.999), 2), "1.0e+01");
  EXPECT_EQ(format_log10(-3, 1), "1e-03");
  EXPECT_EQ(format_log10(-std::numeric_limits<double>::infinity(), 3), "0");
  // Ends of intervals are rounded outwards, but whole digits stay.
  using enum Rounding;
  EXPECT_EQ(format_log10(std::log10(1.239), 2, down), "1.2e+00");
  EXPECT_EQ(format_log10(std::log10(1.201), 2, up), "1.3e+00");
  EXPECT_EQ(format_log10(std::log10(9.91), 2, up), "1.0e+01");
  EXPECT_EQ(format_log10(std::log10(9.99), 2, down), "9.9e+00");
  for (int k = 1; k < 100; ++k) {
    const std::string expected = fmt::format("{}.{}e+07", k < 10 ? k : k / 10, k < 10 ? 0 : k % 10);
    const double log10 = std::log10(k) + (k < 10 ? 7 : 6);
    EXPECT_EQ(format_log10(log10, 2, down), expected);
    EXPECT_EQ(format_log10(log10, 2, up), expected);
  }
}

TEST(FormatNumber, Percentages) {
  EXPECT_EQ(format_percent(0.12), "12%");
  EXPECT_EQ(format_percent(0.0182), "1.8%");
  EXPECT_EQ(format_percent(0.0182, Rounding::up), "1.9%");
  EXPECT_EQ(format_percent(0.018, Rounding::up), "1.8%");
  EXPECT_EQ(format_percent(1e-6, Rounding::up), "0.0001%");
  EXPECT_EQ(format_percent(1), "100%");
  EXPECT_EQ(format_percent(0.998), "100%");
  EXPECT_EQ(format_percent(2.31, Rounding::up), "240%");
  EXPECT_EQ(format_percent(1e6), "1e+08%");
}

}  // namespace
}  // namespace countpm::test
