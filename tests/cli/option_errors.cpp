// What mistyped words are held beside, and files that may not be read; what is said of both is in
// console/mistakes.console.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "graph/nearest_word.hpp"
#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

TEST(OptionErrors, DistanceCountsSwappedLettersOnce) {
  EXPECT_EQ(typing_distance("help", "help"), 0U);
  EXPECT_EQ(typing_distance("hlep", "help"), 1U);
  EXPECT_EQ(typing_distance("conut", "count"), 1U);
  EXPECT_EQ(typing_distance("HELP", "help"), 0U);
  EXPECT_EQ(typing_distance("", "abc"), 3U);
  EXPECT_EQ(typing_distance("ca", "abc"), 3U) << "no letter is changed twice";
  EXPECT_EQ(typing_distance("kitten", "sitting"), 3U);
}

TEST(OptionErrors, FilesThatMayNotBeRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const std::string secret = file_with("a x\n", "secret.edgelist");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  const Outcome outcome = run({secret});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "countpm: " + secret + ": Permission denied\n");
}

}  // namespace
}  // namespace countpm::test
