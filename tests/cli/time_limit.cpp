// --time-limit and Ctrl-C where nothing is counted yet: reading, structure, planning. The bounds are
// generous; without the looks each of these takes much longer, or for ever.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

/// A FIFO that nobody writes to.
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

TEST(TimeLimit, EndsTheWaitForWhoWritesToAFifo) {
  expect_over(run({"explain", silent_fifo(), "--time-limit", "0.3s"}), "reading the input");
}

// Where an input is read before anything is counted: by itself, in a list of inputs, as the pairs of edges.
TEST(TimeLimit, EndsEveryWaitForAFifo) {
  const std::string fifo = silent_fifo();
  const std::vector<std::vector<std::string>> waiting{
      {"many", fifo},
      {"many", "@" + fifo},
      {"many", "-"},
      {"many", "lattice:square:4x4", fifo},
      {"marginals", "lattice:square:4x4", "--pairs", fifo},
      {"marginals", "lattice:square:4x4", "--sampled", "--pairs", fifo}};
  for (std::vector<std::string> arguments : waiting) {
    arguments.insert(arguments.end(), {"--time-limit", "0.4s"});
    const Outcome outcome = run(arguments, silent_pipe());
    EXPECT_EQ(outcome.code, 3) << arguments[1] << outcome.err;
    EXPECT_NE(outcome.err.find("the time limit of 0.4 s is over while reading"), std::string::npos)
        << outcome.err;
    EXPECT_LT(outcome.seconds, patience);
  }
}

// Whoever comes late is waited for, and read to the end; whoever says nothing has an empty file.
TEST(TimeLimit, WaitsForWhoWritesLate) {
  const auto written_late = [](const std::string& command, const std::vector<std::string>& arguments) {
    Wiring wiring;
    wiring.launcher = {"bash", "-c", "(sleep 0.3; " + command + ") & exec \"$0\" \"$@\""};
    wiring.environment["LATE_FIFO"] = arguments.back();
    return run(arguments, wiring);
  };
  const std::string edges = "(echo a b; sleep 0.2; echo b c; sleep 0.2; echo c d; echo d a)";
  EXPECT_EQ(written_late(edges + " > \"$LATE_FIFO\"", {"count", silent_fifo()}).out, "2\n");
  EXPECT_NE(written_late(edges + " > \"$LATE_FIFO\"", {"many", silent_fifo()}).out.find(" 2\n"),
            std::string::npos);
  EXPECT_EQ(written_late(edges + " > \"$LATE_FIFO\"", {"list", "--number", "1", silent_fifo()}).code, 0);
  const Outcome nothing = written_late(": > \"$LATE_FIFO\"", {"count", silent_fifo()});
  EXPECT_EQ(nothing.code, 2) << nothing.err;
  EXPECT_NE(nothing.err.find("an empty file"), std::string::npos) << nothing.err;
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
