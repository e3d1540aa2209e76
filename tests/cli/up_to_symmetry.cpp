// --up-to-symmetry: matchings that a symmetry takes to each other count as one.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_binary.hpp"
#include "tests/cli/run_json.hpp"

namespace countpm::test::up_to_symmetry_test {
namespace {

TEST(UpToSymmetry, TheNumberAlone) {
  const Outcome outcome = run({"lattice:square:6x6", "--up-to-symmetry"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "930\n");
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(run({"lattice:square:6x6", "--up-to-symmetry", "--report"}).err.find("symmetries  8; 5 counts"),
            std::string::npos);
}

TEST(UpToSymmetry, Json) {
  const nlohmann::json value = run_json({"lattice:square:4x4", "--up-to-symmetry"});
  EXPECT_EQ(value["orbits"], "9");
  EXPECT_EQ(value["matchings"], "36");
  EXPECT_EQ(value["symmetries"], 8);
  EXPECT_EQ(value["problem"], "perfect matchings");
}

// A ring of four with weights 2, 3, 2, 3 around it: one matching weighs 4, the other 9, and none is the
// other's image; without weights they are.
TEST(UpToSymmetry, KeepsWeights) {
  const std::string ring = file_with("a b 2\nb c 3\nc d 2\nd a 3\n", "ring.edgelist");
  EXPECT_EQ(run({ring, "--up-to-symmetry"}).out, "1\n");
  EXPECT_EQ(run({ring, "--up-to-symmetry", "--weights"}).out, "13\n");
}

TEST(UpToSymmetry, ListsOneOfEach) {
  EXPECT_EQ(lines_of(run({"list", "lattice:square:4x4", "--up-to-symmetry"}).out).size(), 9U);
  EXPECT_EQ(lines_of(run({"list", "lattice:square:4x4", "--up-to-symmetry", "--limit", "4"}).out).size(), 4U);
  EXPECT_EQ(run({"list", "lattice:square:4x4", "--up-to-symmetry", "--limit", "0"}).out, "");
  EXPECT_EQ(run({"list", "lattice:square:3x3", "--up-to-symmetry"}).out, "");
  const Outcome range = run({"list", "lattice:square:4x4", "--up-to-symmetry", "--range", "2..3"});
  EXPECT_EQ(range.code, 2);
  EXPECT_NE(range.err.find("numbers all matchings"), std::string::npos) << range.err;
}

TEST(UpToSymmetry, WhatDoesNotGoWithItIsRefused) {
  for (const std::vector<std::string>& other : {std::vector<std::string>{"--log-only"},
                                                {"--maximum"},
                                                {"--on-limit", "bounds"},
                                                {"--html", "page.html"}}) {
    std::vector<std::string> all{"lattice:square:4x4", "--up-to-symmetry"};
    all.insert(all.end(), other.begin(), other.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 2) << other.front();
    EXPECT_NE(outcome.err.find("exclude each other"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(run({"lattice:square:4x4", "--up-to-symmetry", "--monomers"}).code, 3);
  EXPECT_EQ(run({"lattice:complete:10", "--up-to-symmetry"}).code, 3);
  EXPECT_EQ(run({"split", "lattice:square:4x4", "--up-to-symmetry"}).code, 2);
}

}  // namespace
}  // namespace countpm::test::up_to_symmetry_test
