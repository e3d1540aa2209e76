// Height functions: by hand, under flips, around holes.
#include "src/matchings/height_function.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "graph/errors.hpp"
#include "src/api/entries.hpp"
#include "tests/draw/lattice_samples.hpp"

namespace countpm {
namespace {

using test::sample_of;

using Heights = std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>;

Heights heights_of(const LatticeMatching& matching) {
  Heights heights;
  const HeightFunction function = height_function(matching);
  for (const HeightPoint& point : function.points) {
    heights[{point.row, point.column}] = point.height;
    EXPECT_GE(point.height, function.lowest);
    EXPECT_LE(point.height, function.highest);
  }
  return heights;
}

TEST(HeightFunction, OfTheSquareByHand) {
  const Heights lying =
      heights_of(lattice_matching("lattice:square:2x2", {{"r0c0", "r0c1"}, {"r1c0", "r1c1"}}));
  EXPECT_EQ(lying, (Heights{{{0, 0}, 0},
                            {{0, 1}, -1},
                            {{0, 2}, 0},
                            {{1, 0}, 1},
                            {{1, 1}, 2},
                            {{1, 2}, 1},
                            {{2, 0}, 0},
                            {{2, 1}, -1},
                            {{2, 2}, 0}}));
  const Heights standing =
      heights_of(lattice_matching("lattice:square:2x2", {{"r0c0", "r1c0"}, {"r0c1", "r1c1"}}));
  EXPECT_EQ(standing.at({1, 1}), -2);
}

// The first tile of an Aztec diamond is one of the chessboard's first colour, too.
TEST(HeightFunction, OfTheSmallestAztecDiamondIsTheSquares) {
  const Heights square =
      heights_of(lattice_matching("lattice:square:2x2", {{"r0c0", "r0c1"}, {"r1c0", "r1c1"}}));
  EXPECT_EQ(heights_of(lattice_matching("lattice:aztec:1", {{"r0c0", "r0c1"}, {"r1c0", "r1c1"}})), square);
}

// Two dominoes that fill a 2 x 2 square, turned, change the height of its middle by 4 and nothing else.
TEST(HeightFunction, AFlipChangesOneCornerBy4) {
  int flips = 0;
  for (const std::string spec : {"lattice:square:6x7", "lattice:aztec:6"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      LatticeMatching matching = sample_of(spec, seed);
      const Heights before = heights_of(matching);
      for (auto& one : matching.pairs) {
        for (auto& two : matching.pairs) {
          std::array<LatticeSite, 4> cells{one.first, one.second, two.first, two.second};
          std::sort(cells.begin(), cells.end());
          const std::int64_t row = cells[0][0];
          const std::int64_t column = cells[0][1];
          const std::array<LatticeSite, 4> square{
              {{row, column, 0}, {row, column + 1, 0}, {row + 1, column, 0}, {row + 1, column + 1, 0}}};
          if (cells != square || flips > 200) continue;
          const auto kept = std::pair(one, two);
          const bool lying = one.first[0] == one.second[0];
          one = {square[0], square[lying ? 2 : 1]};
          two = {square[lying ? 1 : 2], square[3]};
          const Heights after = heights_of(matching);
          std::tie(one, two) = kept;
          ++flips;
          for (const auto& [corner, height] : before) {
            const bool middle = corner == std::pair(row + 1, column + 1);
            EXPECT_EQ(std::abs(after.at(corner) - height), middle ? 4 : 0) << spec << " seed " << seed;
          }
        }
      }
    }
  }
  EXPECT_GT(flips, 20);
}

// A cube put onto the stack changes the height of one corner by 3: the two tilings of the unit hexagon.
TEST(HeightFunction, ACubeChangesOneCornerBy3) {
  std::vector<Heights> both;
  list_matchings(Source::from_argument("lattice:hexagon:1x1x1"), {}, {}, [&](const auto& pairs) {
    both.push_back(heights_of(lattice_matching("lattice:hexagon:1x1x1", pairs)));
    return true;
  });
  ASSERT_EQ(both.size(), 2U);
  ASSERT_EQ(both[0].size(), 7U);
  int changed = 0;
  for (const auto& [corner, height] : both[0]) {
    const std::int64_t difference = std::abs(both[1].at(corner) - height);
    EXPECT_TRUE(difference == 0 || difference == 3) << difference;
    changed += difference == 3 ? 1 : 0;
  }
  EXPECT_EQ(changed, 1);
}

// MacMahon's boxes: over all 20 tilings of the 2 x 2 x 2 hexagon, the heights add up to the same as if every
// stack were half full, and the extremes are 8 cubes apart, each of them worth 3.
TEST(HeightFunction, CountsTheCubesOfABox) {
  std::map<std::int64_t, int> by_cubes;
  std::int64_t lowest = 0;
  list_matchings(Source::from_argument("lattice:hexagon:2x2x2"), {}, {}, [&](const auto& pairs) {
    std::int64_t sum = 0;
    for (const auto& [corner, height] : heights_of(lattice_matching("lattice:hexagon:2x2x2", pairs)))
      sum += height;
    ++by_cubes[sum];
    lowest = by_cubes.begin()->first;
    return true;
  });
  // Plane partitions in a 2 x 2 x 2 box by their number of cubes: 1, 1, 3, 3, 4, 3, 3, 1, 1.
  std::vector<int> counts;
  for (const auto& [sum, count] : by_cubes) {
    EXPECT_EQ((sum - lowest) % 3, 0);
    counts.push_back(count);
  }
  EXPECT_EQ(counts, (std::vector<int>{1, 1, 3, 3, 4, 3, 3, 1, 1}));
}

TEST(HeightFunction, HolesNeedBalance) {
  EXPECT_NO_THROW(height_function(sample_of("lattice:square:6x6:remove=r2c2+r2c3+r3c2+r3c3", 1)));
  EXPECT_THROW(height_function(sample_of("lattice:square:5x5:remove=r2c2", 1)), UnableError);
  EXPECT_THROW(height_function(sample_of("lattice:torus:4x4", 1)), UnableError);
}

}  // namespace
}  // namespace countpm
