#include "src/draw/outlines.hpp"

#include <fmt/format.h>

#include "graph/stop_poll.hpp"
#include "src/draw/svg.hpp"

namespace countpm::draw {
namespace {

// Corners (row, column) of the lozenges of a triangle a of the cell (0, 0).
constexpr std::array<std::array<std::array<int, 2>, 4>, 3> lozenge_corners{
    {{{{0, 0}, {0, 1}, {1, 1}, {1, 0}}},
     {{{0, 0}, {0, 1}, {1, 0}, {1, -1}}},
     {{{0, 0}, {-1, 1}, {0, 1}, {1, 0}}}}};

}  // namespace

Lozenge lozenge(const LatticeSite& one, const LatticeSite& other) {
  const LatticeSite& a = one[2] == 0 ? one : other;
  const LatticeSite& b = one[2] == 0 ? other : one;
  Lozenge result;
  result.type = a[0] != b[0] ? 2 : a[1] != b[1] ? 1 : 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto [row, column] = lozenge_corners[result.type][k];
    result.corners[k] = triangle_corner(a[0] + row, a[1] + column);
  }
  return result;
}

std::string tile_outlines(const LatticeMatching& matching) {
  std::string path;
  StopPoll poll;
  for (const auto& [one, other] : matching.pairs) {
    poll.step();
    if (has_lozenges(matching.lattice)) {
      const Lozenge tile = lozenge(one, other);
      for (std::size_t k = 0; k < 4; ++k)
        path +=
            fmt::format("{}{} {}", k == 0 ? "M" : " ", number(tile.corners[k].x), number(tile.corners[k].y));
      path += 'z';
    } else {
      const LatticeSite& first = std::min(one, other);
      const bool horizontal = one[0] == other[0];
      path += fmt::format("M{} {}h{}v{}h-{}z", first[1], first[0], horizontal ? 2 : 1, horizontal ? 1 : 2,
                          horizontal ? 2 : 1);
    }
  }
  return path;
}

}  // namespace countpm::draw
