#include "apps/progress.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/cli/run_binary.hpp"

namespace countpm::app {
namespace {

// A clock that the test turns, and a terminal that it reads.
struct Fake {
  double time = 100;
  std::size_t columns = 80;
  std::string written;
  ProgressDisplay::World world() {
    return {[this] { return time; }, [this] { return columns; },
            [this](std::string_view text) { written += text; }};
  }
};

Progress at(double done, double remaining = 14) {
  return {"count", "ryser", 1, 3, done, 10, remaining};
}

TEST(Progress, BarWaitsHalfASecondThenShowsAtMostTenTimesASecond) {
  Fake fake;
  ProgressDisplay display(ProgressDisplay::Style::bar, fake.world());
  fake.time += 0.4;
  display.update(at(0.1));
  EXPECT_EQ(fake.written, "");
  fake.time += 0.2;
  display.update(at(0.42));
  EXPECT_NE(fake.written.find("42%"), std::string::npos) << fake.written;
  EXPECT_NE(fake.written.find("ryser"), std::string::npos);
  EXPECT_NE(fake.written.find("block 1 of 3"), std::string::npos);
  EXPECT_NE(fake.written.find("10 s so far, 14 s left"), std::string::npos);
  EXPECT_EQ(fake.written.front(), '\r');
  EXPECT_EQ(fake.written.find('\n'), std::string::npos);
  const std::string before = fake.written;
  fake.time += 0.05;
  display.update(at(0.43));
  EXPECT_EQ(fake.written, before);
  fake.time += 0.06;
  display.update(at(0.44));
  EXPECT_NE(fake.written, before);
  display.clear();
  EXPECT_TRUE(fake.written.ends_with("\r\033[K"));
}

TEST(Progress, TellsHowSureTheTimeLeftIs) {
  Progress progress = at(0.42);
  progress.remaining_low = 12;
  progress.remaining_high = 17;
  EXPECT_TRUE(plain_line(progress).ends_with(", 14 s left (12 s to 17 s)")) << plain_line(progress);
  EXPECT_TRUE(bar_line(progress, 100).ends_with("14 s left (12 s to 17 s)")) << bar_line(progress, 100);
  // A search for plans ends when it no longer pays.
  Progress planning = progress;
  planning.stage = "plan";
  EXPECT_TRUE(plain_line(planning).ends_with(", 10 s so far")) << plain_line(planning);
  EXPECT_TRUE(bar_line(planning, 100).ends_with("  10 s so far")) << bar_line(planning, 100);
  progress.remaining_high = -1;
  EXPECT_TRUE(plain_line(progress).ends_with("14 s left (12 s or more)")) << plain_line(progress);
}

TEST(Progress, JsonIsAnObjectALineEverySecond) {
  Fake fake;
  ProgressDisplay display(ProgressDisplay::Style::json, fake.world());
  fake.time += 0.9;
  display.update(at(0.1));
  EXPECT_EQ(fake.written, "");
  fake.time += 0.2;
  display.update(at(0.42));
  display.update(at(0.43));
  fake.time += 1.1;
  display.update(at(0.5, -1));
  const std::vector<std::string> lines = test::lines_of(fake.written);
  ASSERT_EQ(lines.size(), 2U) << fake.written;
  const auto first = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(first["done"], 0.42);
  EXPECT_EQ(first["method"], "ryser");
  EXPECT_EQ(first["remaining_seconds"], 14);
  EXPECT_TRUE(first["remaining_low"].is_null());
  EXPECT_TRUE(nlohmann::json::parse(lines[1])["remaining_seconds"].is_null());
  EXPECT_EQ(first.size(), 10U);
}

TEST(Progress, StyleIsTheNextWordWhereItIsOne) {
  const std::string input = test::file_with(test::identity(2));
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--progress", "json", input},
                                                    {input, "--progress"},
                                                    {"--progress", input},
                                                    {input, "--progress=lines"},
                                                    {"--progress", "bar", input, "-q"}}) {
    const test::Outcome outcome = test::run(arguments);
    EXPECT_EQ(outcome.out, "1\n") << outcome.err;
  }
  EXPECT_EQ(test::run({input, "--progress=xml"}).code, 2);
}

TEST(Progress, ShortCountsShowAndClearNothing) {
  Fake fake;
  ProgressDisplay display(ProgressDisplay::Style::bar, fake.world());
  fake.time += 0.3;
  display.update(at(0.9));
  display.clear();
  EXPECT_EQ(fake.written, "");
}

TEST(Progress, LinesEveryTenSeconds) {
  Fake fake;
  ProgressDisplay display(ProgressDisplay::Style::lines, fake.world());
  for (int tenth = 1; tenth <= 350; ++tenth) {
    fake.time = 100 + tenth * 0.1 + 1e-6;
    display.update(at(tenth / 400.0));
  }
  display.clear();
  const auto lines = test::lines_of(fake.written);
  ASSERT_EQ(lines.size(), 3U) << fake.written;
  EXPECT_EQ(lines[0], "countpm: 25% of the work, ryser, block 1 of 3, 10 s so far, 14 s left");
}

TEST(Progress, NoneWritesNothing) {
  Fake fake;
  ProgressDisplay display(ProgressDisplay::Style::none, fake.world());
  fake.time += 100;
  display.update(at(0.5));
  display.clear();
  EXPECT_EQ(fake.written, "");
}

TEST(Progress, BarFitsEveryWidth) {
  for (std::size_t width = 0; width <= 200; ++width) {
    for (const double done : {0.0, 0.5, 1.0}) EXPECT_LE(bar_line(at(done), width).size(), width);
  }
  EXPECT_EQ(bar_line(at(0.5), 60), "[====>   ]  50%  ryser  block 1 of 3  10 s so far, 14 s left");
}

TEST(Progress, OddSharesAndUnknownEta) {
  EXPECT_NE(bar_line(at(1.0), 80).find(" 99%"), std::string::npos);  // never 100 % before the end
  EXPECT_NE(bar_line(at(-1), 80).find("  0%"), std::string::npos);
  // Where the share is not known, as of a pipe, there is no bar.
  EXPECT_EQ(bar_line(at(std::nan(""), -1), 80), "ryser  block 1 of 3  10 s so far");
  EXPECT_EQ(bar_line(at(std::nan(""), -1), 8), "ryser  b");
  EXPECT_TRUE(plain_line(at(std::nan(""), -1)).starts_with("ryser, block 1 of 3"));
  EXPECT_NE(json_line(at(std::nan(""))).find("\"done\":null"), std::string::npos);
  EXPECT_NE(bar_line(at(0.5, -1), 80).find("10 s so far"), std::string::npos);
}

}  // namespace
}  // namespace countpm::app
