#pragma once
// The tiles of a lattice's perfect matching as polygons.
#include <array>
#include <string>
#include <vector>

#include "src/matchings/lattice_matching.hpp"

namespace countpm::draw {

/// Of the lozenge of two triangles; `type`: 0 across, 1 left, 2 up, as the directions of the lattice.
struct Lozenge {
  std::size_t type = 0;
  std::array<Point, 4> corners;
};
Lozenge lozenge(const LatticeSite& one, const LatticeSite& other);

/// Path data of all tiles' outlines, in units of a cell. Dominoes must not reach over a closed border.
std::string tile_outlines(const LatticeMatching& matching);

}  // namespace countpm::draw
