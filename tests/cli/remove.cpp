// --remove: monomers.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "test_paths.hpp"
#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

const std::string molecules = COUNTPM_SOURCE_DIR "/data/molecules/";

TEST(Remove, IsTheSameAsInALatticeSpec) {
  for (const std::string command : {"count", "list", "marginals", "sample"}) {
    const Outcome option = run({command, "lattice:square:4x4", "--remove", "r0c0,r3c0"});
    ASSERT_EQ(option.code, 0) << option.err;
    EXPECT_EQ(option.out, run({command, "lattice:square:4x4:remove=r0c0+r3c0"}).out) << command;
  }
  // Corners of one colour.
  EXPECT_EQ(run({"lattice:square:8x8", "--remove", "r0c0", "--remove", "r7c7"}).out, "0\n");
  EXPECT_EQ(run({"sample", "lattice:aztec:1", "--remove", "r0c0,r0c1"}).out, "r1c0 r1c1\n");
}

// The share of the matchings with an edge is Z without its ends over Z: against marginals, of a planar graph
// with odd cycles.
TEST(Remove, AnEdgesEndsGiveItsProbability) {
  const std::string file = molecules + "C60.edgelist";
  const auto bonds = lines_of(run({"marginals", file, "--exact"}).out);
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{2}, bonds.size() - 1}) {
    const std::size_t first = bonds[k].find(' ');
    const std::size_t second = bonds[k].find(' ', first + 1);
    const std::string ends = bonds[k].substr(0, first) + "," + bonds[k].substr(first + 1, second - first - 1);
    const std::string without = run({file, "--remove", ends}).out;
    const std::string share = bonds[k].substr(second + 1);
    EXPECT_TRUE((share == "11/25" && without == "5500\n") || (share == "7/25" && without == "3500\n"))
        << bonds[k] << ": " << without;
  }
}

TEST(Remove, IsReported) {
  const auto value =
      nlohmann::json::parse(run({"lattice:square:4x4", "--remove", "r0c0,r0c1", "--json"}).out);
  EXPECT_EQ(value["input"]["vertices"], 14);
  EXPECT_EQ(value["notes"][0], "vertices removed with their edges: 2");
  EXPECT_TRUE(value["entropy"]["limit"].is_null());
  EXPECT_EQ(run({"explain", "lattice:square:4x4", "--remove", "r0c0,r0c1"}).code, 0);
  EXPECT_EQ(run({"estimate", "lattice:square:4x4", "--remove", "r0c0,r0c1", "-q"}).code, 0);
  const Outcome series = run({"series", "lattice:square:2x2..6x6:step=2", "--remove", "r0c0,r0c1", "--csv"});
  EXPECT_EQ(lines_of(series.out).size(), 4U);
  const Outcome unknown = run({molecules + "benzene.edgelist", "--remove", "C7"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("has no vertex \"C7\""), std::string::npos) << unknown.err;
  EXPECT_EQ(run({"lattice:square:4x4", "--remove", ""}).code, 2);
}

}  // namespace
}  // namespace countpm::test
