// Durations in one style, and time limits as they are typed.
#include "src/text/format_duration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "apps/parse_value.hpp"

namespace countpm::test {
namespace {

constexpr double an_hour = 3600;
constexpr double a_day = 24 * an_hour;
constexpr double a_year = 365.25 * a_day;

TEST(FormatDuration, TwoUnitsAtMost) {
  EXPECT_EQ(format_duration(0), "under 0.01 ms");
  EXPECT_EQ(format_duration(0.00028), "0.28 ms");
  EXPECT_EQ(format_duration(0.0125), "12.5 ms");
  EXPECT_EQ(format_duration(0.25), "250 ms");
  EXPECT_EQ(format_duration(0.9996), "1 s");
  EXPECT_EQ(format_duration(4.81), "4.8 s");
  EXPECT_EQ(format_duration(59.96), "1 min");
  EXPECT_EQ(format_duration(90), "1 min 30 s");
  EXPECT_EQ(format_duration(725), "12 min 5 s");
  EXPECT_EQ(format_duration(an_hour - 0.4), "1 h");
  EXPECT_EQ(format_duration(19872), "5 h 31 min");
  EXPECT_EQ(format_duration(a_day - 20), "1 d");
  EXPECT_EQ(format_duration(4 * a_day + 7 * an_hour), "4 d 7 h");
  EXPECT_EQ(format_duration(212.2 * a_day), "212 d");
  EXPECT_EQ(format_duration(a_year), "1 year");
  EXPECT_EQ(format_duration(3.4 * a_year), "3.4 years");
  EXPECT_EQ(format_duration(1234.4 * a_year), "1234 years");
  EXPECT_EQ(format_duration(1e9 * a_year), "10^9 years");
  EXPECT_EQ(format_log10_duration(400), "10^393 years");
  EXPECT_EQ(format_log10_duration(std::log10(90)), "1 min 30 s");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::infinity()), "no limit");
  EXPECT_EQ(format_duration(-1), "?");
  EXPECT_EQ(format_duration(std::nan("")), "?");
}

TEST(FormatDuration, TimeLimitsAreRoundedUpAndCanBeTyped) {
  EXPECT_EQ(time_limit_text(0.3), "1s");
  EXPECT_EQ(time_limit_text(44.2), "45s");
  EXPECT_EQ(time_limit_text(506), "8m30s");
  EXPECT_EQ(time_limit_text(29810), "8h20m");
  EXPECT_EQ(time_limit_text(5 * an_hour), "5h");
  EXPECT_EQ(time_limit_text(4 * a_day + 6.5 * an_hour), "4d7h");
  EXPECT_EQ(time_limit_text(1e10), "none");
  EXPECT_EQ(advised_time_limit(0, 19872), "try --time-limit 8h20m, half as much again as is predicted");
  for (double seconds = 0.01; seconds < 0.9e9; seconds *= 1.37) {
    const auto typed = app::parse_duration(time_limit_text(seconds));
    ASSERT_TRUE(typed.has_value()) << seconds;
    EXPECT_GE(*typed, seconds);
    EXPECT_LE(*typed, std::max(1.25 * seconds, seconds + 1)) << time_limit_text(seconds);
    // What is printed can be typed, too.
    if (seconds > 1e-3 && seconds < a_year) {
      EXPECT_TRUE(app::parse_duration(format_duration(seconds)).has_value()) << format_duration(seconds);
    }
  }
}

}  // namespace
}  // namespace countpm::test
