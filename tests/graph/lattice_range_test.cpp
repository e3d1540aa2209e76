// Ranges of lattices: which specs they stand for, and what is refused.
#include "graph/lattices/lattice_range.hpp"

#include <gtest/gtest.h>

#include "graph/errors.hpp"

namespace countpm {
namespace {

using Specs = std::vector<std::string>;

std::string refusal(const std::string& spec) {
  try {
    lattice_range(spec);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(LatticeRange, SidesThatGrowTogether) {
  EXPECT_EQ(lattice_range("lattice:square:2x2..4x4"),
            (Specs{"lattice:square:2x2", "lattice:square:3x3", "lattice:square:4x4"}));
  EXPECT_EQ(lattice_range("aztec:1..3"), (Specs{"aztec:1", "aztec:2", "aztec:3"}));
  EXPECT_EQ(lattice_range("hexagon:1x1x1..2x2x2"), (Specs{"hexagon:1x1x1", "hexagon:2x2x2"}));
  EXPECT_EQ(lattice_range("square:2x2..64x64").size(), 63U);
}

TEST(LatticeRange, FixedSidesAndOtherProportions) {
  EXPECT_EQ(lattice_range("square:2x2..2x4"), (Specs{"square:2x2", "square:2x3", "square:2x4"}));
  EXPECT_EQ(lattice_range("cubic:2x2x2..2x2x3"), (Specs{"cubic:2x2x2", "cubic:2x2x3"}));
  EXPECT_EQ(lattice_range("square:2x4..6x12"),
            (Specs{"square:2x4", "square:3x6", "square:4x8", "square:5x10", "square:6x12"}));
  EXPECT_EQ(lattice_range("square:1x1..3x4"), (Specs{"square:1x1", "square:3x4"}));
}

TEST(LatticeRange, StepsAndParameters) {
  EXPECT_EQ(lattice_range("square:2x2..7x7:step=2"), (Specs{"square:2x2", "square:4x4", "square:6x6"}));
  EXPECT_EQ(lattice_range("square:2x2..4x4:step=2"), (Specs{"square:2x2", "square:4x4"}));
  EXPECT_EQ(lattice_range("square:2x2..4x4:step=18446744073709551615"), (Specs{"square:2x2"}));
  EXPECT_EQ(
      lattice_range("square:2x2..4x4:weights=1,1/2:step=2:remove=r0c0+r1c1"),
      (Specs{"square:2x2:weights=1,1/2:remove=r0c0+r1c1", "square:4x4:weights=1,1/2:remove=r0c0+r1c1"}));
}

TEST(LatticeRange, NumbersInBraces) {
  EXPECT_EQ(lattice_range("lattice:square:4x4:remove=r0c0+r0c{1..3}"),
            (Specs{"lattice:square:4x4:remove=r0c0+r0c1", "lattice:square:4x4:remove=r0c0+r0c2",
                   "lattice:square:4x4:remove=r0c0+r0c3"}));
  EXPECT_EQ(lattice_range("square:9x9:remove=r{0..1}c{4..5}:weights=1,{2..3}"),
            (Specs{"square:9x9:remove=r0c4:weights=1,2", "square:9x9:remove=r1c5:weights=1,3"}));
  EXPECT_TRUE(is_lattice_range("lattice:square:4x4:remove=r0c{1..3}"));
  EXPECT_FALSE(is_growing_range("lattice:square:4x4:remove=r0c{1..3}"));
  EXPECT_TRUE(is_growing_range("lattice:square:4x4..5x5"));
}

TEST(LatticeRange, ALatticeIsItself) {
  EXPECT_EQ(lattice_range("lattice:square:8x8"), (Specs{"lattice:square:8x8"}));
  EXPECT_TRUE(is_lattice_range("lattice:square:2x2..8x8:weights=1,2"));
  EXPECT_FALSE(is_lattice_range("lattice:square:8x8:weights=1,2"));
}

TEST(LatticeRange, MistakesAreNamed) {
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"square:4x4..2x8", "2x8 is below 4x4"},
      {"square:4x4..4x4", "no size grows"},
      {"square:2x2..4x4x4", "different numbers of sizes"},
      {"square:2x2..4", "different numbers of sizes"},
      {"square:2x2..", "\"\" is no size"},
      {"square:..4x4", "\"\" is no size"},
      {"square:2x2..4x-4", "\"-4\" is no size"},
      {"square:2x2..4x4..6x6", "\"4..6\" is no size"},
      {"square:2x2..4x99999999999999999999", "is no size"},
      {"square:2x2..4x4:step=0", "step=\"0\""},
      {"square:2x2..4x4:step=x", "step=\"x\""},
      {"square:2x2..4x4:step=1:step=1", "step= is given twice"},
      {"square:4x4:step=2", "step= without a range"},
      {"aztec:1..200000", "more than 100000"},
      {"square:4x4:remove=r0c{1..200000}", "more than 100000"},
      {"square:4x4..5x5:remove=r0c{1..3}", "do not go on together"},
      {"square:4x4:remove=r0c{1..3}:step=2", "do not go on together"},
      {"square:4x4:remove=r0c{1..3}+r{1..4}c0", "different lengths"},
      {"square:4x4:remove=r0c{3..1}", "1 is below 3"},
      {"square:4x4:remove=r0c{1..", "no range of numbers"},
      {"square:4x4:remove=r0c{1}", "no range of numbers"},
      {"square:4x4:remove=r0c{1..x}", "\"x\" is no number"},
      {"square:4x4:colour={1..2}", "no parameter"},
      {"quare:2x2..4x4", "no shape \"quare\""},
      {"torus:2x2..4x4", "at least 3"},
      {"square:2..4", "needs sizes RxC"},
      {"square:2x2..4x4:weights=1", "2 directions"},
      {"square:2x2..4x4:colour=red", "no parameter"},
      {"square:40000x40000..60000x60000:step=20000", "2^31"},
      {"lattice:square", "needs its sizes"},
      {"", "no shape"},
  };
  for (const auto& [spec, message] : mistakes)
    EXPECT_NE(refusal(spec).find(message), std::string::npos) << spec << ": " << refusal(spec);
}

}  // namespace
}  // namespace countpm
