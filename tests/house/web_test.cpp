// The page in a browser: its modules in Node, and, if scripts/build-web has built it and there is a Chromium,
// the page itself beside this program.
#include <gtest/gtest.h>

#include <string>

#include "test_paths.hpp"
#include "tests/house/shell.hpp"

namespace countpm::house {
namespace {

TEST(Web, ModulesKnowGridsLinksAndPictures) {
  if (run("node -e 'process.exitCode = parseInt(process.versions.node) < 18 ? 1 : 0'").status != 0)
    GTEST_SKIP() << "no node, or older than 18";
  const Outcome outcome = run("exec node --test tests/web/*.test.mjs");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

// What cannot be put into one script is said, and so is a program that is not there.
TEST(Web, BuildingSaysWhatIsMissing) {
  if (run("command -v python3").status != 0) GTEST_SKIP() << "no python3";
  const Outcome outcome = run("scripts/build-web --wasm build/no-such-folder");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has(outcome, "build/no-such-folder/countpm.wasm: scripts/build-wasm makes it"))
      << outcome.output;
}

TEST(LongWeb, PageCountsDrawsAndKeeps) {
  if (run("command -v python3").status != 0) GTEST_SKIP() << "no python3";
  const Outcome outcome =
      run(std::string("exec python3 tests/web/page_test.py --program '") + COUNTPM_BINARY + "'");
  if (outcome.status == 77) GTEST_SKIP() << outcome.output;
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

}  // namespace
}  // namespace countpm::house
