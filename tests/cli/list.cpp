// countpm list: docs/list.md.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <set>

#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

TEST(List, PairsInOrder) {
  const Outcome outcome = run({"list", file_with("a x\na y\nb x\nb y\n")});
  EXPECT_EQ(outcome.out, "a x\tb y\na y\tb x\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
}

TEST(List, CyclesOfADirectedGraph) {
  const Outcome outcome = run({"list", file_with("a b\nb c\nc a\na a\nb b\nc c\n"), "--as", "directed"});
  EXPECT_EQ(outcome.out, "(a)\t(b)\t(c)\n(a b c)\n");
}

TEST(List, LabelsOfAnyUtf8) {
  EXPECT_EQ(run({"list", file_with("\u00e4=1 \u732b\n")}).out, "\u00e4=1 \u732b\n");
}

TEST(List, Json) {
  const std::string square = file_with("a x\na y\nb x\nb y\n");
  const auto lines = lines_of(run({"list", square, "--json"}).out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], R"([["a","x"],["b","y"]])");
  EXPECT_EQ(run({"list", file_with("a b\nb a\nc c\n"), "--as", "directed", "--json"}).out,
            "[[\"a\",\"b\"],[\"c\"]]\n");
}

TEST(List, LimitsAndRangesAreSlices) {
  const std::string input = file_with(complete_bipartite(6));
  const auto all = lines_of(run({"list", input}).out);
  ASSERT_EQ(all.size(), 720U);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 720U);
  const auto slice = [&](std::size_t first, std::size_t last) {
    return std::vector<std::string>(all.begin() + static_cast<std::ptrdiff_t>(first - 1),
                                    all.begin() + static_cast<std::ptrdiff_t>(last));
  };
  EXPECT_EQ(lines_of(run({"list", input, "--limit", "7"}).out), slice(1, 7));
  EXPECT_EQ(lines_of(run({"list", input, "--range", "101..350"}).out), slice(101, 350));
  EXPECT_EQ(lines_of(run({"list", input, "--range", "700.."}).out), slice(700, 720));
  EXPECT_EQ(lines_of(run({"list", input, "--range", "700..100000"}).out), slice(700, 720));
  EXPECT_EQ(lines_of(run({"list", input, "--range", "10..20", "--limit", "3"}).out), slice(10, 12));
  EXPECT_EQ(run({"list", input, "--limit", "0"}).out, "");
  EXPECT_EQ(run({"list", input, "--range", "721.."}).out, "");
  EXPECT_EQ(run({"list", input, "--range", "18446744073709551615..18446744073709551615"}).out, "");
}

TEST(List, AsManyAsAreCounted) {
  for (const auto& [rows, columns] : {std::pair{4, 4}, std::pair{3, 6}, std::pair{2, 9}, std::pair{4, 6}}) {
    std::string board;
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        if (c + 1 < columns) board += fmt::format("r{0}c{1} r{0}c{2}\n", r, c, c + 1);
        if (r + 1 < rows) board += fmt::format("r{0}c{1} r{2}c{1}\n", r, c, r + 1);
      }
    }
    const std::string input = file_with(board);
    const Outcome counted = run({input});
    ASSERT_EQ(counted.code, 0) << counted.err;
    EXPECT_EQ(std::to_string(lines_of(run({"list", input}).out).size()) + "\n", counted.out) << board;
  }
}

TEST(List, NothingToList) {
  const Outcome outcome = run({"list", file_with("a x\nb x\nc x\nc y\nc z\n"), "--report"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("why none    the 2 left vertices {a, b} have only 1 neighbour, {x}"),
            std::string::npos)
      << outcome.err;
  // Without a report a line says so.
  const Outcome quiet = run({"list", file_with("a x\nb x\nc x\nc y\nc z\n")});
  EXPECT_EQ(
      quiet.err,
      "countpm: there are no perfect matchings: the 2 left vertices {a, b} have only 1 neighbour, {x}\n");
  EXPECT_EQ(run({"list", file_with("a x\nb x\nc x\nc y\nc z\n"), "--quiet"}).err, "");
  EXPECT_EQ(
      run({"list", file_with("a b\nb c\nc a\n")}).err,
      "countpm: there are no perfect matchings: the component {a, b, c} has an odd number of vertices (3)\n");
}

TEST(List, TheReportHasNumberMethodAndTime) {
  const Outcome outcome = run({"list", file_with("a x\nb y\n"), "--report"});
  EXPECT_NE(outcome.err.find("listed      1 perfect matching\nmethod      search\ntime        "),
            std::string::npos)
      << outcome.err;
}

TEST(List, TheEmptyGraphHasTheEmptyMatching) {
  const std::string path =
      file_with("%%MatrixMarket matrix coordinate pattern general\n0 0 0\n", "empty.mtx");
  EXPECT_EQ(run({"list", path}).out, "\n");
  EXPECT_EQ(run({"list", path, "--json"}).out, "[]\n");
}

TEST(List, StreamsAtOnce) {
  Wiring wiring;
  wiring.read_only = 1;
  const Outcome outcome = run({"list", file_with(complete_bipartite(40))}, wiring);  // 40! matchings
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_LT(outcome.cpu_seconds, 2);
}

TEST(List, ABigIdentityNeedsNoStack) {
  const Outcome outcome = run({"list", "-"}, feeding(identity(100'000)));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 1U);
  EXPECT_LT(outcome.cpu_seconds, 5);
}

// Before anything is made of each vertex.
TEST(List, OfMoreVerticesThanThereIsMemoryForIsRefused) {
  const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                     static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  if (bytes > std::uint64_t{1} << 35U) GTEST_SKIP() << "here there is";
  const std::string many = file_with("p edge 4000000000 2\ne 1 2\ne 3 4\n", "many.col");
  const std::vector<std::vector<std::string>> inputs{
      {"lattice:square:1x2000000000"}, {many}, {many, "--monomers"}, {many, "--monomers", "--limit", "1"}};
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
