// countpm lattice: an edge list that countpm reads back.
#include <gtest/gtest.h>

#include <utility>

#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

TEST(Lattice, ReadsBackToTheSameCount) {
  for (const std::string spec :
       {"square:4x4", "lattice:square:4x4", "honeycomb:2x3", "aztec:3", "hexagon:2x2x2"}) {
    const Outcome written = run({"lattice", spec});
    ASSERT_EQ(written.code, 0) << spec << written.err;
    const Outcome counted = run({file_with(written.out)});
    EXPECT_EQ(counted.code, 0) << spec << counted.err;
    EXPECT_EQ(counted.out, run({spec.starts_with("lattice:") ? spec : "lattice:" + spec}).out) << spec;
  }
  EXPECT_EQ(run({"lattice:square:4x4"}).out, "36\n");     // P. W. Kasteleyn, Physica 27 (1961)
  EXPECT_EQ(run({"lattice:aztec:3"}).out, "64\n");        // 2^(n(n+1)/2)
  EXPECT_EQ(run({"lattice:hexagon:2x2x2"}).out, "20\n");  // MacMahon
}

TEST(Lattice, WeightsComeAlong) {
  const Outcome written = run({"lattice", "square:2x2:weights=2,1/3"});
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_EQ(run({file_with(written.out), "--weights"}).out, "37/9\n");  // 2 * 2 + 1/3 * 1/3
  EXPECT_EQ(run({file_with(written.out)}).out, "2\n");
}

TEST(Lattice, MistakesAreOneLine) {
  for (const auto& [spec, words] :
       {std::pair{"nosuch:2x2", "no shape \"nosuch\"; valid: square, cylinder, "},
        std::pair{"sqaure:2x2", "did you mean \"square\"? 'countpm lattice' lists"},
        std::pair{"square", "square needs its sizes; the form is square:RxC"},
        std::pair{"square:0x0x0", "square needs sizes RxC, found \"0x0x0\""},
        std::pair{"square:-1x2", "expected whole numbers as sizes, found \"-1\""},
        std::pair{"", "no shape \"\"; valid: square, "}}) {
    const Outcome outcome = run({"lattice", spec});
    EXPECT_EQ(outcome.code, 2) << spec;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1U);
    EXPECT_LE(outcome.err.size(), 360U) << outcome.err;
  }
}

}  // namespace
}  // namespace countpm::test
