#pragma once
// Where the vertices of a lattice lie in the plane: x to the right, y downwards, as docs/lattices.md draws
// them.
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/lattice.hpp"

namespace countpm {

struct Point {
  double x = 0;
  double y = 0;
};

/// Coordinates as in a label: row, column, and 0 or 1 for a or b; or x, y, z.
using LatticeSite = std::array<std::int64_t, 3>;

/// The coordinates that a vertex's label spells: "r3c4" {3, 4, 0}, "r3c4b" {3, 4, 1}, "x1y2z3" {1, 2, 3};
/// nullopt for any other text. Whether some lattice has that site is not looked at.
std::optional<LatticeSite> site_of_label(std::string_view label);

/// A corner of the cells of honeycomb, honeycomb-torus and hexagon, which are pairs of equilateral triangles
/// with sides of length 1: the cell (r, c) lies between the corners (r, c) and (r + 1, c + 1), which are on
/// one horizontal line; its diagonal, and so the sides C of a hexagon, are vertical.
Point triangle_corner(std::int64_t row, std::int64_t column);

/// Of a vertex. Square, cylinder, torus, aztec: cells of side 1 are centred on their vertices, (r, c) at
/// x = c, y = r. Triangular, triangular-torus: triangles with sides of length 1. Honeycomb, honeycomb-torus,
/// hexagon: the middle of the vertex's triangle. Cubic: an oblique projection.
Point lattice_position(const LatticeInfo& lattice, const LatticeSite& site);

/// The translations that a closed lattice repeats under: none, one (cylinder) or two.
std::vector<Point> lattice_periods(const LatticeInfo& lattice);

}  // namespace countpm
