#include "src/draw/heights.hpp"

#include <gtest/gtest.h>

#include <map>

#include "src/api/entries.hpp"
#include "tests/draw/svg_reader.hpp"

namespace countpm::test {
namespace {

// Every corner is in one stroke of its height's colour.
TEST(HeightPicture, ColoursEveryCornerByItsHeight) {
  const LatticeMatching matching =
      lattice_matching("lattice:square:2x3", {{"r0c0", "r1c0"}, {"r0c1", "r0c2"}, {"r1c1", "r1c2"}});
  const HeightFunction heights = height_function(matching);
  const auto root = parse_svg(draw::draw_heights(matching, heights, "caption").svg);
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> colour;
  for (const Element& path : elements(root, "path", "level")) {
    for (const auto& line : subpaths(attribute(path.tree, "d"))) {
      for (double x = line[0].first; x < line[1].first; ++x) {
        const auto [at, fresh] = colour.emplace(std::pair(line[0].second, x), attribute(path.tree, "stroke"));
        EXPECT_TRUE(fresh);
      }
    }
  }
  ASSERT_EQ(colour.size(), 12U);
  const double span = static_cast<double>(heights.highest - heights.lowest);
  for (const HeightPoint& point : heights.points) {
    EXPECT_EQ(colour.at({point.row, point.column}),
              draw::map_colour(static_cast<double>(point.height - heights.lowest) / span));
  }
  // Small boards have their numbers written on them.
  EXPECT_EQ(elements(only(root, "g", "numbers"), "text").size(), 12U);
  EXPECT_EQ(subpaths(attribute(only(root, "path", "outlines"), "d")).size(), 3U);
}

TEST(HeightPicture, HexagonsForLozenges) {
  const LatticeMatching matching =
      lattice_matching("lattice:hexagon:1x1x1", {{"r0c1a", "r0c0b"}, {"r1c1a", "r0c1b"}, {"r1c0a", "r1c0b"}});
  const HeightFunction heights = height_function(matching);
  const auto root = parse_svg(draw::draw_heights(matching, heights, "caption").svg);
  std::size_t hexagons = 0;
  for (const Element& path : elements(root, "path", "level")) {
    for (const auto& corners : subpaths(attribute(path.tree, "d"))) {
      EXPECT_EQ(corners.size(), 6U);
      ++hexagons;
    }
  }
  EXPECT_EQ(hexagons, 7U);
}

}  // namespace
}  // namespace countpm::test
