// countpm list of more vertices than there is memory for.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

// Before anything is made of each vertex.
TEST(List, OfMoreVerticesThanThereIsMemoryForIsRefused) {
  const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                     static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  if (bytes > std::uint64_t{1} << 35U) GTEST_SKIP() << "here there is";
  const std::string many = file_with("p edge 4000000000 2\ne 1 2\ne 3 4\n", "many.col");
  const std::vector<std::vector<std::string>> inputs{
      {"lattice:square:1x2000000000"}, {many}, {many, "--monomers"}, {many, "--monomers", "--number", "1"}};
  for (std::vector<std::string> arguments : inputs) {
    arguments.insert(arguments.begin(), "list");
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 3) << arguments[1];
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("for its row starts alone"), std::string::npos) << outcome.err;
    EXPECT_LT(outcome.cpu_seconds, 1) << arguments[1];
  }
}

}  // namespace
}  // namespace countpm::test
