#pragma once
// Where the vertices of a lattice lie in the plane: x to the right, y downwards, as docs/lattices.md draws
// them.
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/lattices/lattice.hpp"
#include "graph/point.hpp"

namespace countpm {

/// Coordinates as in a label: row, column, and 0, 1, ... for a, b, ...; or x, y, z, and then the letter.
using LatticeSite = std::array<std::int64_t, 4>;

/// The coordinates that a vertex's label spells: "r3c4" {3, 4, 0, 0}, "r3c4b" {3, 4, 1, 0}, "x1y2z3d"
/// {1, 2, 3, 3}; nullopt for any other text. Whether some lattice has that site is not looked at.
std::optional<LatticeSite> site_of_label(std::string_view label);

/// A corner of the cells of honeycomb, honeycomb-torus and hexagon, which are pairs of equilateral triangles
/// with sides of length 1: the cell (r, c) lies between the corners (r, c) and (r + 1, c + 1), which are on
/// one horizontal line; its diagonal, and so the sides C of a hexagon, are vertical.
Point triangle_corner(std::int64_t row, std::int64_t column);

/// Of a vertex. Square, cylinder, torus, brickwork, aztec: cells of side 1 are centred on their vertices, (r,
/// c) at x = c, y = r. Triangular, triangular-torus: triangles with sides of length 1. Honeycomb,
/// honeycomb-torus, hexagon: the middle of the vertex's triangle. Kagome, square-octagon: edges of length 1.
/// Prism: two rings. Cubic, diamond, pyrochlore: an oblique projection.
Point lattice_position(const LatticeInfo& lattice, const LatticeSite& site);

/// Of any vertex by its label: of lattices as above; circulant, complete and Kneser graphs on a circle, the
/// two sides of a complete bipartite graph on two lines, hypercubes and grids of any dimension as the sum of
/// a vector for each coordinate. nullopt where the label is none of the lattice's.
std::optional<Point> lattice_position(const LatticeInfo& lattice, std::string_view label);

/// The translations that a closed lattice repeats under: none, one (cylinder, moebius) or two.
std::vector<Point> lattice_periods(const LatticeInfo& lattice);
/// With the first of these: what y becomes, y' = *mirror - y, where the lattice is closed upside down.
std::optional<double> lattice_mirror(const LatticeInfo& lattice);

}  // namespace countpm
