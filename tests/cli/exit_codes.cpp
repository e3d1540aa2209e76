// Ways to end (docs/exit-codes.md) that take signals, many files or much memory; console/ways-to-end.console
// has the others.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "apps/options.hpp"
#include "apps/signals.hpp"
#include "test_paths.hpp"
#include "tests/cli/programs.hpp"
#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

namespace fs = std::filesystem;

// Takes days on any machine: no row has fewer than 30 entries, so that nothing reduces.
std::string endless() {
  return file_with(complete_bipartite(56));
}
const std::vector<std::string> no_rules{"--no-rule", "twins", "--method", "ryser", "--time-limit", "none"};

std::vector<std::string> endless_count() {
  std::vector<std::string> arguments{endless()};
  arguments.insert(arguments.end(), no_rules.begin(), no_rules.end());
  return arguments;
}

// Each line of the manifest: file, options, line, expected, found; tab-separated.
TEST(ExitCodes, EveryBadFileIsRefusedWithItsLine) {
  const fs::path folder = COUNTPM_SOURCE_DIR "/tests/bad";
  std::ifstream manifest(folder / "MANIFEST.tsv");
  if (!manifest) GTEST_SKIP() << "no tests/bad/MANIFEST.tsv yet";
  int tested = 0;
  for (std::string line; std::getline(manifest, line);) {
    if (line.empty() || line.starts_with('#') || line.starts_with("file\t")) continue;
    if (++tested % 8 != 0 && testing::sanitized) continue;  // graph/bad_input_test.cpp reads all of them
    std::vector<std::string> field;
    std::istringstream stream(line);
    for (std::string part; std::getline(stream, part, '\t');) field.push_back(part);
    ASSERT_GE(field.size(), 3U) << line;
    std::vector<std::string> arguments{(folder / field[0]).string()};
    std::istringstream options(field[1] == "-" ? "" : field[1]);
    for (std::string option; options >> option;) arguments.push_back(option);
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << line << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << line;
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << line << "\n" << outcome.err;
    if (!field[2].empty() && field[2] != "0" && field[2] != "-") {
      EXPECT_NE(outcome.err.find(":" + field[2] + ": expected "), std::string::npos) << line << "\n"
                                                                                     << outcome.err;
    }
  }
  EXPECT_GE(tested, 60);
}

TEST(ExitCodes, CtrlCStopsACountWithinASecond) {
  for (const int number : {SIGINT, SIGTERM}) {
    Wiring wiring;
    wiring.signals = {{0.5, number}};
    const Outcome outcome = run(endless_count(), wiring);
    EXPECT_EQ(outcome.code, 128 + number) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("countpm: interrupted")) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    EXPECT_GE(outcome.seconds, 0.5);
    EXPECT_LT(outcome.cpu_seconds, 1.6 * std::max(1U, std::thread::hardware_concurrency()));
  }
}

TEST(ExitCodes, CtrlCStopsABlockedRead) {
  for (const int number : {SIGINT, SIGTERM}) {
    Wiring wiring;
    wiring.signals = {{0.3, number}};
    const Outcome outcome = run({"-"}, wiring);
    EXPECT_EQ(outcome.code, 128 + number) << outcome.err;
    EXPECT_LT(outcome.seconds, patience);
  }
}

// What comes before they are watched waits until they are.
TEST(ExitCodes, OfSignalsInTheFirstMilliseconds) {
  const auto begin_and_end = [](int number) {
    app::hold_signals();
    kill(getpid(), number);  // as others send it: to the process
    app::watch_signals([] {});
    sleep(static_cast<unsigned>(patience));
    _exit(0);
  };
  EXPECT_EXIT(begin_and_end(SIGTERM), ::testing::ExitedWithCode(143), "");
  EXPECT_EXIT(begin_and_end(SIGINT), ::testing::ExitedWithCode(130), "");
}

TEST(ExitCodes, ASecondCtrlCKills) {
  Wiring wiring;
  wiring.signals = {{0.3, SIGINT}, {0.4, SIGINT}};
  const Outcome outcome = run({"-"}, wiring);
  EXPECT_EQ(outcome.code, 128 + SIGINT);
  EXPECT_LT(outcome.seconds, patience);
}

TEST(ExitCodes, CtrlCStopsAListing) {
  Wiring wiring;
  wiring.signals = {{0.5, SIGINT}};
  wiring.output_file = "/dev/null";
  const Outcome outcome = run({"list", endless()}, wiring);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_LT(outcome.cpu_seconds, 1.6);
}

// 383 million successes: without a limit nothing but a signal ends them.
TEST(ExitCodes, CtrlCStopsAGuarantee) {
  std::minstd_rand random(8);
  std::string edges;
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 40; ++j)
      if ((random() >> 8 & 1U) != 0 || i == j) edges += fmt::format("l{} r{}\n", i, j);
  }
  Wiring wiring;
  wiring.signals = {{1.5, SIGINT}};
  const Outcome outcome = run(
      {"estimate", file_with(edges), "--all-sampled", "--guarantee", "0.0001,0.05", "--time-limit", "none"},
      wiring);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_LT(outcome.seconds, patience);
}

// What was printed stays.
TEST(ExitCodes, CtrlCStopsAComparison) {
  Wiring wiring;
  wiring.signals = {{0.2, SIGINT}};
  wiring.after_lines = 2;
  const Outcome outcome = run({"compare", "lattice:square:12x12", "--samplers", "scaling", "--sizes",
                               "10,100000000", "--exact-tail", "0", "--csv"},
                              wiring);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 2U) << outcome.out;
}

TEST(ExitCodes, MemoryLimit) {
  COUNTPM_NOT_SANITIZED("knows no limit of memory");
  const Outcome outcome = run({"-", "--memory-limit", "1M"}, feeding(identity(3'000'000)));
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("--memory-limit"), std::string::npos) << outcome.err;
}

TEST(ExitCodes, ABigIdentityIsInstant) {
  const Outcome outcome = run({"-"}, feeding(identity(1'000'000)));
  EXPECT_EQ(outcome.out, "1\n") << outcome.err;
  EXPECT_TRUE(testing::sanitized || outcome.cpu_seconds < 10) << outcome.cpu_seconds;
}

}  // namespace
}  // namespace countpm::test
