// --time-limit and Ctrl-C where nothing is counted yet: reading, structure, planning. The bounds are
// generous; without the looks each of these takes much longer, or for ever.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

/// A FIFO that nobody writes to: opening it waits for ever.
std::string silent_fifo() {
  std::string path = file_with("", "fifo");
  std::filesystem::remove(path);
  if (mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("no FIFO");
  return path;
}

/// Standard input is one that is open already: reading it waits for ever.
Wiring silent_pipe() {
  Wiring wiring;
  wiring.launcher = {"bash", "-c", "exec \"$0\" \"$@\" <> \"$SILENT_FIFO\""};
  wiring.environment["SILENT_FIFO"] = silent_fifo();
  return wiring;
}

void expect_over(const Outcome& outcome, const std::string& doing) {
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("the time limit of "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("is over while " + doing), std::string::npos) << outcome.err;
  EXPECT_LT(outcome.seconds, patience);
}

TEST(TimeLimit, EndsAReadThatWaits) {
  for (const std::string command : {"count", "explain", "estimate", "marginals"})
    expect_over(run({command, "-", "--time-limit", "0.5s"}, silent_pipe()), "reading the input");
}

TEST(TimeLimit, EndsAnInputThatGoesOn) {
  Wiring wiring;
  wiring.launcher = {"bash", "-c", "yes '#' | \"$0\" \"$@\""};
  expect_over(run({"-", "--time-limit", "0.5s", "--format", "edgelist"}, wiring), "reading the input");
}

TEST(TimeLimit, SaysSoInJson) {
  const Outcome outcome = run({"-", "--time-limit", "0.3s", "--json"}, silent_pipe());
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.out.find("\"unable\""), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("is over while reading the input"), std::string::npos) << outcome.out;
}

TEST(TimeLimit, EndsWhatCannotBeStopped) {
  // Nothing looks while a FIFO is opened.
  const Outcome outcome = run({"explain", silent_fifo(), "--time-limit", "0.3s"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("the time limit of 300 ms is over before anything was counted"),
            std::string::npos)
      << outcome.err;
  EXPECT_LT(outcome.seconds, patience);
}

TEST(TimeLimit, EndsAForecastThatIsMadeOnce) {
  // The exception goes through std::call_once, and so through libc: that ended in abort() while libgcc was a
  // part of the program.
  const Outcome outcome = run({"lattice:cubic:12x12x12", "--method", "forbert-marx", "--time-limit", "0.3s"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("the time limit of 300 ms is over"), std::string::npos) << outcome.err;
}

TEST(CtrlC, WithACheckpointNeedsNoPatienceBeforeThereAreUnits) {
  // It was 30 s, whatever was to be saved.
  Wiring wiring;
  wiring.signals = {{0.5, SIGINT}};
  const std::string journal = file_with("", "journal-to-be");
  std::filesystem::remove(journal);
  const Outcome outcome = run({silent_fifo(), "--checkpoint", journal}, wiring);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(outcome.err, "countpm: interrupted\n");
  EXPECT_FALSE(std::filesystem::exists(journal));
  EXPECT_LT(outcome.seconds, patience);
}

}  // namespace
}  // namespace countpm::test
