// Ctrl-C while a command works: exit code 130, and what was printed by then stays.
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

#include "tests/cli/run_binary.hpp"

namespace countpm::test::interrupts_test {
namespace {

Outcome interrupted(const std::vector<std::string>& arguments, long after_lines = 0) {
  Wiring wiring;
  wiring.signals = {{0.3, SIGINT}};
  wiring.after_lines = after_lines;
  return run(arguments, wiring);
}

/// Decimals; so many rows that no permanent of it ends in time.
std::string large_matrix() {
  std::string text;
  for (int row = 0; row < 40; ++row) {
    for (int column = 0; column < 40; ++column)
      text += std::to_string((31 * row * row * column + 17 * column * column + row) % 101 + 0.25) + " ";
    text += "\n";
  }
  return file_with(text, "large.dense");
}

TEST(Interrupted, Minors) {
  const Outcome outcome = interrupted({"minors", large_matrix(), "--column", "1", "--time-limit", "none"});
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

TEST(Interrupted, SeriesKeepsItsLines) {
  const Outcome outcome = interrupted({"many", "lattice:square:4x4", "lattice:square:400x400", "--csv"}, 2);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 2U) << outcome.out;
}

TEST(Interrupted, Samples) {
  EXPECT_EQ(
      interrupted({"sample", "lattice:square:30x30", "--number", "100000000", "--time-limit", "none"}).code,
      130);
  EXPECT_EQ(
      interrupted({"sample", "lattice:cubic:6x6x6", "--sampler", "annealed", "--number", "100000000"}).code,
      130);
}

}  // namespace
}  // namespace countpm::test::interrupts_test
