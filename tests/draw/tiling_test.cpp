// Tilings, read back from the SVG: every cell is covered once, by tiles that are the matching's pairs.
#include "src/draw/tiling.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "graph/lattices/lattice.hpp"
#include "src/api/entries.hpp"
#include "tests/draw/lattice_samples.hpp"
#include "tests/draw/svg_reader.hpp"

namespace countpm::test {
namespace {

using Cell = std::pair<std::int64_t, std::int64_t>;  // row, column

std::set<Cell> cells_of(const std::string& spec) {
  std::set<Cell> cells;
  const Graph graph = lattice_graph(spec);
  for (Index v = 0; v < graph.left_labels.size(); ++v) {
    const LatticeSite site = site_of_label(graph.left_labels.label(v)).value();
    cells.emplace(site[0], site[1]);
  }
  return cells;
}

struct Drawn {
  std::map<Cell, int> times;                  // how often each cell is covered
  std::map<std::string, std::size_t> tiles;   // strokes of each type
  std::map<std::string, std::size_t> cells;   // cells of each type
  std::map<std::string, std::string> colour;  // of each type
  std::set<std::pair<Cell, Cell>> dominoes;   // strokes of two cells
};

Drawn read_dominoes(const boost::property_tree::ptree& root) {
  Drawn drawn;
  for (const char* type : {"north", "south", "west", "east"}) {
    const auto group = only(root, "g", type);
    drawn.colour[type] = attribute(group, "stroke");
    for (const Element& path : elements(group, "path", "tile")) {
      for (const auto& corners : subpaths(attribute(path.tree, "d"))) {
        ++drawn.tiles[type];
        const auto [x, y] = corners.at(0);
        const auto [end_x, end_y] = corners.at(1);
        EXPECT_EQ(type == std::string("north") || type == std::string("south"), y == end_y);
        const auto cells = static_cast<std::int64_t>(end_x - x + end_y - y) + 1;
        const Cell first(y, x);
        for (std::int64_t k = 0; k < cells; ++k)
          ++drawn.times[y == end_y ? Cell(y, x + static_cast<double>(k))
                                   : Cell(y + static_cast<double>(k), x)];
        drawn.cells[type] += static_cast<std::size_t>(cells);
        if (cells == 2) drawn.dominoes.emplace(first, Cell(end_y, end_x));
      }
    }
    for (const Element& path : elements(group, "path", "half")) {
      for (const auto& corners : subpaths(attribute(path.tree, "d"))) {
        ++drawn.times[Cell(std::lround(corners[0].second + 0.46), std::lround(corners[0].first + 0.46))];
        ++drawn.cells[type];
      }
    }
  }
  return drawn;
}

void expect_full_cover(const Drawn& drawn, const std::string& spec) {
  const std::set<Cell> cells = cells_of(spec);
  EXPECT_EQ(drawn.times.size(), cells.size()) << spec;
  for (const auto& [cell, times] : drawn.times) {
    EXPECT_EQ(times, 1) << spec << ": " << cell.first << ", " << cell.second;
    EXPECT_TRUE(cells.contains(cell)) << spec << ": " << cell.first << ", " << cell.second;
  }
}

TEST(Dominoes, AreThePairsAndCoverEveryCellOnce) {
  for (const std::string spec : {"lattice:square:8x8", "lattice:square:3x6", "lattice:aztec:7",
                                 "lattice:square:8x8:remove=r3c3+r3c4", "lattice:cylinder:4x6"}) {
    const LatticeMatching matching = sample_of(spec);
    const auto picture = draw::draw_tiling(matching, "caption");
    const auto root = parse_svg(picture.svg);
    const Drawn drawn = read_dominoes(root);
    expect_full_cover(drawn, spec);
    if (spec.find("cylinder") != std::string::npos) continue;
    std::set<std::pair<Cell, Cell>> pairs;
    for (auto [one, other] : matching.pairs) {
      if (other < one) std::swap(one, other);
      pairs.emplace(Cell(one[0], one[1]), Cell(other[0], other[1]));
    }
    EXPECT_EQ(drawn.dominoes, pairs) << spec;
  }
}

// A type's colour is that of its line in the legend, which tells how many there are.
TEST(Dominoes, TheLegendTellsColoursAndNumbers) {
  const auto picture = draw::draw_tiling(sample_of("lattice:aztec:7"), "caption");
  const auto root = parse_svg(picture.svg);
  const Drawn drawn = read_dominoes(root);
  const auto legend = only(root, "g", "legend");
  const auto swatches = elements(legend, "rect", "swatch");
  const auto words = elements(legend, "text");
  ASSERT_EQ(swatches.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    const std::string text = words.at(k).tree.data();
    const std::string type = text.substr(0, text.find(':'));
    EXPECT_EQ(attribute(swatches[k].tree, "fill"), drawn.colour.at(type)) << text;
    EXPECT_NE(text.find(fmt::format("({})", drawn.tiles.at(type))), std::string::npos) << text;
  }
  std::set<std::string> colours;
  for (const auto& [type, colour] : drawn.colour) colours.insert(colour);
  EXPECT_EQ(colours.size(), 4U);
}

TEST(Dominoes, OverAClosedBorderAreTwoHalves) {
  const LatticeMatching matching = lattice_matching("lattice:torus:4x4", {{"r0c0", "r0c3"},
                                                                          {"r0c1", "r0c2"},
                                                                          {"r1c0", "r1c1"},
                                                                          {"r1c2", "r1c3"},
                                                                          {"r2c0", "r3c0"},
                                                                          {"r2c1", "r3c1"},
                                                                          {"r2c2", "r3c2"},
                                                                          {"r2c3", "r3c3"}});
  const auto root = parse_svg(draw::draw_tiling(matching, "").svg);
  const Drawn drawn = read_dominoes(root);
  expect_full_cover(drawn, "lattice:torus:4x4");
  EXPECT_EQ(elements(root, "path", "half").size(), 1U);
  EXPECT_EQ(drawn.dominoes.size(), 7U);
}

// Order 100: no gaps, and runs of dominoes are one stroke; still every cell is covered once. Each of the four
// corners is frozen into its own type (W. Jockusch, J. Propp, P. Shor, Random domino tilings and the arctic
// circle theorem, 1995).
TEST(Dominoes, TheArcticCircleIsThere) {
  const std::string spec = "lattice:aztec:100";
  const auto picture = draw::draw_tiling(sample_of(spec), "");
  EXPECT_LT(picture.svg.size(), 100'000U);
  const Drawn drawn = read_dominoes(parse_svg(picture.svg));
  expect_full_cover(drawn, spec);
  for (const auto& [type, cells] : drawn.cells) {
    EXPECT_EQ(cells % 2, 0U) << type;
    EXPECT_GT(2 * drawn.tiles.at(type), 2U) << type;
    EXPECT_LT(drawn.tiles.at(type), cells / 2) << type;  // some are drawn as one
  }
  // North and south, east and west balance: 100 * 101 dominoes, a quarter each but for fluctuations.
  EXPECT_EQ(drawn.cells.at("north"), drawn.cells.at("south"));
  EXPECT_EQ(drawn.cells.at("west"), drawn.cells.at("east"));
}

TEST(Dominoes, EachCornerIsOfOneType) {
  const std::string spec = "lattice:aztec:30";
  const Drawn drawn = read_dominoes(parse_svg(draw::draw_tiling(sample_of(spec), "").svg));
  const auto root = parse_svg(draw::draw_tiling(sample_of(spec), "").svg);
  const auto touches = [&](const std::string& type, const Cell& cell) {
    for (const Element& path : elements(only(root, "g", type), "path", "tile")) {
      for (const auto& corners : subpaths(attribute(path.tree, "d"))) {
        if (Cell(corners[0].second, corners[0].first) == cell) return true;
      }
    }
    return false;
  };
  EXPECT_TRUE(touches("north", {0, 29}));
  EXPECT_TRUE(touches("south", {59, 29}));
  EXPECT_TRUE(touches("west", {29, 0}));
  EXPECT_TRUE(touches("east", {29, 59}));
}

using Corner = std::pair<long, long>;  // thousandths of a pixel

Corner rounded(const std::pair<double, double>& p) {
  return {std::lround(p.first * 100), std::lround(p.second * 100)};
}

// Of a hexagon with sides A, B, C: AB lozenges across, CA left, BC up, and no triangle twice.
TEST(Lozenges, CoverEveryTriangleOnce) {
  const std::string spec = "lattice:hexagon:3x4x5";
  const auto root = parse_svg(draw::draw_tiling(sample_of(spec), "").svg);
  std::set<Corner> middles;
  std::map<std::string, std::size_t> count;
  double area = 0;
  double side = 0;
  for (const char* type : {"across", "left", "up"}) {
    for (const Element& path : elements(only(root, "g", type), "path", "tile")) {
      for (const auto& p : subpaths(attribute(path.tree, "d"))) {
        ASSERT_EQ(p.size(), 4U);
        ++count[type];
        double twice = 0;
        for (std::size_t k = 0; k < 4; ++k) {
          const auto& [x, y] = p[k];
          const auto& [next_x, next_y] = p[(k + 1) % 4];
          twice += x * next_y - y * next_x;
          side = std::hypot(next_x - x, next_y - y);
        }
        area += std::abs(twice) / 2;
        // The short diagonal cuts a lozenge into its two triangles.
        const double first = std::hypot(p[0].first - p[2].first, p[0].second - p[2].second);
        const std::size_t from = first < side * 1.1 ? 0 : 1;
        for (const std::size_t tip : {from + 1, (from + 3) % 4}) {
          const auto& a = p[from];
          const auto& b = p[from + 2];
          const auto& c = p[tip];
          const Corner middle =
              rounded({(a.first + b.first + c.first) / 3, (a.second + b.second + c.second) / 3});
          for (const Corner& other : middles)
            EXPECT_GT(std::hypot(other.first - middle.first, other.second - middle.second), 50 * side)
                << type;
          middles.insert(middle);
        }
      }
    }
  }
  EXPECT_EQ(count, (std::map<std::string, std::size_t>{{"across", 12}, {"left", 15}, {"up", 20}}));
  EXPECT_EQ(middles.size(), 2U * 47);
  EXPECT_NEAR(area, 47 * side * side * std::sqrt(3.0) / 2, 0.01 * area);
}

TEST(Lozenges, OfAHoneycombToo) {
  const std::string spec = "lattice:honeycomb:4x5";
  const LatticeMatching matching = sample_of(spec);
  const auto root = parse_svg(draw::draw_tiling(matching, "").svg);
  std::size_t tiles = 0;
  for (const Element& path : elements(root, "path", "tile"))
    tiles += subpaths(attribute(path.tree, "d")).size();
  EXPECT_EQ(tiles, matching.pairs.size());
  EXPECT_EQ(tiles, 5U * 6 - 1);
}

}  // namespace
}  // namespace countpm::test
