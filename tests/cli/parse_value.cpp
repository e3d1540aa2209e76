#include "apps/parse_value.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace countpm::app {
namespace {

TEST(ParseValue, IntegersAreDigitsOnly) {
  EXPECT_EQ(parse_integer("0"), 0U);
  EXPECT_EQ(parse_integer("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  for (const char* text : {"", "18446744073709551616", "-1", "+1", "1 ", " 1", "1x", "0x10", "1.0", "1e3",
                           "1,000", "\xd9\xa1"}) {
    EXPECT_FALSE(parse_integer(text)) << text;
  }
}

TEST(ParseValue, Durations) {
  EXPECT_EQ(parse_duration("90"), 90);
  EXPECT_EQ(parse_duration("1.5"), 1.5);
  EXPECT_EQ(parse_duration("10s"), 10);
  EXPECT_EQ(parse_duration("5m"), 300);
  EXPECT_EQ(parse_duration("2h"), 7200);
  EXPECT_EQ(parse_duration("3d"), 259200);
  EXPECT_EQ(parse_duration("1e3"), 1000);
  EXPECT_EQ(parse_duration("5e-3s"), 0.005);
  EXPECT_EQ(parse_duration("250ms"), 0.25);
  EXPECT_EQ(parse_duration("1min"), 60);
  EXPECT_EQ(parse_duration("8h30m"), 30600);
  EXPECT_EQ(parse_duration("8 h 30 min"), 30600);  // as it is printed
  EXPECT_EQ(parse_duration("4d7h"), 4 * 86400 + 7 * 3600);
  EXPECT_EQ(parse_duration("1.5h"), 5400);
  EXPECT_TRUE(std::isinf(parse_duration("none").value()));
  for (const char* text : {"",      "0",     "-1",    "s",   "8h30",        "30m8h", "1h1h",  "1hour", "h30m",
                           "10 20", "5mm",   "inf",   "nan", "1e",          "1e10",  "1e999", "e3",    "1e+",
                           "1e1.5", "0x1p3", "1.2.3", "1,5", "10000000000", "None",  ".",     "+1"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(ParseValue, Shares) {
  EXPECT_EQ(parse_share("0.25"), 0.25);
  EXPECT_EQ(parse_share("25%"), 0.25);
  EXPECT_EQ(parse_share("0.5%"), 0.005);
  EXPECT_EQ(parse_share("1e-2"), 0.01);
  EXPECT_EQ(parse_share("2.5E-3"), 0.0025);
  EXPECT_EQ(parse_share("1e+1%"), 10 * 0.01);
  for (const char* text : {"", "0", "1", "100%", "%", "-0.1", "-1e-3", "1e0", "1e-", "e-3", "1e-999", "nan",
                           "infinity", "0.1x", "5 %", ".", "50%%", "2"}) {
    EXPECT_FALSE(parse_share(text)) << text;
  }
}

TEST(ParseValue, Guarantees) {
  EXPECT_EQ(parse_guarantee("0.1,0.05"), (std::pair{0.1, 0.05}));
  EXPECT_EQ(parse_guarantee("10%,5%"), (std::pair{10 * 0.01, 5 * 0.01}));
  EXPECT_EQ(parse_guarantee("1e-1,5e-2"), (std::pair{0.1, 0.05}));
  for (const char* text : {"", ",", "0.1", "0.1,", ",0.1", "0.1,0.05,", "0.1, 0.05", "0,0.1", "0.1,1"})
    EXPECT_FALSE(parse_guarantee(text)) << text;
}

TEST(ParseValue, Bytes) {
  EXPECT_EQ(parse_bytes("1000"), 1000U);
  EXPECT_EQ(parse_bytes("2K"), 2048U);
  EXPECT_EQ(parse_bytes("512M"), 512U << 20);
  EXPECT_EQ(parse_bytes("4G"), std::uint64_t{4} << 30);
  EXPECT_EQ(parse_bytes("4GiB"), std::uint64_t{4} << 30);
  EXPECT_EQ(parse_bytes("16777215T"), std::uint64_t{16777215} << 40);
  EXPECT_EQ(parse_bytes("4GB"), 4'000'000'000U);
  EXPECT_EQ(parse_bytes("4g"), std::uint64_t{4} << 30);
  EXPECT_EQ(parse_bytes("1.5G"), std::uint64_t{3} << 29);
  EXPECT_EQ(parse_bytes("10kB"), 10'000U);
  EXPECT_EQ(parse_bytes("512B"), 512U);
  for (const char* text : {"", "0", "0G", "-1", "G", "4GG", "4Gi", "1.5", "1.5.5G", "1e3G", "16777216T",
                           "99999999999999999999", "4 G", "iB", "4iB", "B", "4BB"}) {
    EXPECT_FALSE(parse_bytes(text)) << text;
  }
}

TEST(ParseValue, Ranges) {
  EXPECT_EQ(parse_range("3..7")->first, 3U);
  EXPECT_EQ(parse_range("3..7")->last, 7U);
  EXPECT_EQ(parse_range("5..5")->last, 5U);
  EXPECT_FALSE(parse_range("3..")->last.has_value());
  for (const char* text : {"", "3", "..", "..7", "0..7", "7..3", "3...7", "3..7..9", "a..b", "-1..3",
                           "1..18446744073709551616"}) {
    EXPECT_FALSE(parse_range(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace countpm::app
