// Tilings: dominoes as strokes of a cell's width, lozenges as paths.
#include "src/draw/tiling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/stop_poll.hpp"
#include "src/draw/outlines.hpp"
#include "src/draw/paths.hpp"

namespace countpm::draw {
namespace {

constexpr double domino_gap = 0.08;      // between dominoes, in cells
constexpr double least_gapped_unit = 5;  // pixels a cell below which there is none

/// Cells of a domino that lies in one line: from (line, start) on, `cells` long (a whole number of dominoes
/// where several are drawn as one).
struct Run {
  std::int64_t line;
  std::int64_t start;
  std::int64_t cells;
};

enum Type : std::size_t { north, south, west, east, types };
struct TypeInfo {
  const char* name;
  Colour colour;
  const char* meaning;
};
constexpr std::array<TypeInfo, types> domino_types{
    {{"north", yellow, "north: horizontal, its left cell coloured as the first cell on a chessboard"},
     {"south", blue, "south: horizontal, its left cell of the other colour"},
     {"west", teal, "west: vertical, its upper cell coloured as the first cell"},
     {"east", red, "east: vertical, its upper cell of the other colour"}}};

/// The dominoes of every type, and the single cells of those that reach over a closed lattice's border.
struct Dominoes {
  std::array<std::vector<Run>, types> runs;
  std::array<std::vector<LatticeSite>, types> halves;
};

Dominoes sort_dominoes(const LatticeMatching& matching) {
  const std::int64_t first = first_colour(matching.lattice);
  Dominoes dominoes;
  StopPoll poll;
  for (auto [one, other] : matching.pairs) {
    poll.step();
    if (other < one) std::swap(one, other);
    const bool horizontal = one[0] == other[0];
    const std::size_t axis = horizontal ? 1 : 0;
    const bool wraps = other[axis] - one[axis] != 1;
    const LatticeSite& head = wraps ? other : one;  // left or upper
    const bool as_first = (head[0] + head[1] - first) % 2 == 0;
    const Type type = horizontal ? as_first ? north : south : as_first ? west : east;
    if (wraps) {
      dominoes.halves[type].insert(dominoes.halves[type].end(), {one, other});
    } else {
      dominoes.runs[type].push_back({one[1 - axis], one[axis], 2});
    }
  }
  for (std::vector<Run>& runs : dominoes.runs) {
    std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
      return std::pair(a.line, a.start) < std::pair(b.line, b.start);
    });
  }
  return dominoes;
}

// Neighbours in one line become one.
std::vector<Run> joined(const std::vector<Run>& runs) {
  std::vector<Run> result;
  for (const Run& run : runs) {
    if (!result.empty() && result.back().line == run.line &&
        result.back().start + result.back().cells == run.start) {
      result.back().cells += run.cells;
    } else {
      result.push_back(run);
    }
  }
  return result;
}

// Square caps lengthen a stroke by half its width at either end: n cells are a line from the first cell's
// middle to the last one's.
void draw_runs(SvgWriter& svg, const std::vector<Run>& runs, bool horizontal) {
  PathChunks paths(svg, "tile");
  for (const Run& run : runs) {
    paths.add(horizontal ? fmt::format("M{} {}h{}", run.start, run.line, run.cells - 1)
                         : fmt::format("M{} {}v{}", run.line, run.start, run.cells - 1));
  }
  paths.flush();
}

void draw_halves(SvgWriter& svg, const std::vector<LatticeSite>& cells, double width, std::string_view fill) {
  if (cells.empty()) return;
  std::string data;
  for (const LatticeSite& cell : cells) {
    data += fmt::format("M{} {}h{}v{}h-{}z", number(static_cast<double>(cell[1]) - width / 2),
                        number(static_cast<double>(cell[0]) - width / 2), number(width), number(width),
                        number(width));
  }
  svg.path(data, {{"class", "half"}, {"fill", fill}, {"stroke", "none"}});
}

std::array<double, 2> cells_of(const LatticeInfo& lattice) {
  const auto rows = static_cast<double>(lattice.size[0]);
  if (lattice.shape == "aztec") return {2 * rows, 2 * rows};
  return {rows, static_cast<double>(lattice.size[1])};
}

Picture draw_dominoes(const LatticeMatching& matching, const std::string& caption, const PageStyle& style) {
  Dominoes dominoes = sort_dominoes(matching);
  const auto [rows, columns] = cells_of(matching.lattice);
  const double unit = pixels_a_unit(std::max(rows, columns));
  const bool gaps = unit >= least_gapped_unit;
  Legend legend{matching.spec, caption, {}, {}, {}};
  for (std::size_t type = 0; type < types; ++type) {
    const std::size_t count = dominoes.runs[type].size() + dominoes.halves[type].size() / 2;
    legend.swatches.push_back(
        {domino_types[type].colour, fmt::format("{} ({})", domino_types[type].meaning, count)});
  }
  if (std::any_of(dominoes.halves.begin(), dominoes.halves.end(), [](const auto& h) { return !h.empty(); }))
    legend.remarks.emplace_back("Single squares are halves of dominoes that reach over the closed border.");
  Page page(columns * unit, rows * unit, std::move(legend), style);
  SvgWriter& svg = page.svg();
  const double width = gaps ? 1 - domino_gap : 1;
  svg.open_group({{"class", "tiles"},
                  {"transform", fmt::format("scale({}) translate(.5 .5)", number(unit))},
                  {"fill", "none"},
                  {"stroke-width", width},
                  {"stroke-linecap", "square"},
                  {"shape-rendering", gaps ? "auto" : "crispEdges"}});
  for (std::size_t type = 0; type < types; ++type) {
    svg.open_group({{"class", domino_types[type].name}, {"stroke", domino_types[type].colour.code}});
    draw_runs(svg, gaps ? dominoes.runs[type] : joined(dominoes.runs[type]), type == north || type == south);
    draw_halves(svg, dominoes.halves[type], width, domino_types[type].colour.code);
    svg.close_group();
  }
  return page.finish();
}

struct LozengeType {
  const char* name;
  Colour colour;
  const char* meaning;
};
constexpr std::array<LozengeType, 3> lozenge_types{
    {{"across", yellow, "across: lies flat, the tops of the cubes"},
     {"left", teal, "left: stands, rising to the right"},
     {"up", blue, "up: stands, falling to the right"}}};

Picture draw_lozenges(const LatticeMatching& matching, const std::string& caption, const PageStyle& style) {
  std::array<std::vector<std::array<Point, 4>>, 3> lozenges;
  std::vector<Point> all;
  StopPoll poll;
  for (const auto& [one, other] : matching.pairs) {
    poll.step();
    const Lozenge tile = lozenge(one, other);
    lozenges[tile.type].push_back(tile.corners);
    all.insert(all.end(), tile.corners.begin(), tile.corners.end());
  }
  const Box box = bounds(all);
  const double unit = pixels_a_unit(std::max(box.width(), box.height()));
  Legend legend{matching.spec, caption, {}, {}, {}};
  for (std::size_t type = 0; type < 3; ++type) {
    legend.swatches.push_back({lozenge_types[type].colour,
                               fmt::format("{} ({})", lozenge_types[type].meaning, lozenges[type].size())});
  }
  Page page(box.width() * unit, box.height() * unit, std::move(legend), style);
  SvgWriter& svg = page.svg();
  svg.open_group({{"class", "tiles"},
                  {"stroke", "#ffffff"},
                  {"stroke-width", unit >= least_gapped_unit ? std::min(1.0, unit / 16) : 0.0},
                  {"stroke-linejoin", "round"}});
  for (std::size_t type = 0; type < 3; ++type) {
    svg.open_group({{"class", lozenge_types[type].name}, {"fill", lozenge_types[type].colour.code}});
    PathChunks paths(svg, "tile");
    for (const std::array<Point, 4>& corners : lozenges[type]) {
      std::string data = "M";
      for (const Point& corner : corners) {
        data +=
            fmt::format("{} {} ", number((corner.x - box.left) * unit), number((corner.y - box.top) * unit));
      }
      data.back() = 'z';
      paths.add(data);
    }
    paths.flush();
    svg.close_group();
  }
  return page.finish();
}

}  // namespace

Picture draw_tiling(const LatticeMatching& matching, const std::string& caption, const PageStyle& style) {
  return has_dominoes(matching.lattice) ? draw_dominoes(matching, caption, style)
                                        : draw_lozenges(matching, caption, style);
}

}  // namespace countpm::draw
