#pragma once
// The table of lattices: of each the sites of a cell and the steps that lead from them to their neighbours.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/lattices/lattice.hpp"

namespace countpm {

/// Coordinates of a site in the lattice's box, 0 <= site[axis] < extent[axis]: those of its cell, and then
/// which of the cell's sites it is, where a cell has several.
using BoxSite = std::array<std::int64_t, 4>;

enum class Family : std::uint8_t {
  square,
  cylinder,
  torus,
  moebius,
  klein,
  brickwork,
  brickwork_torus,
  prism,
  honeycomb,
  honeycomb_torus,
  triangular,
  triangular_torus,
  kagome,
  kagome_torus,
  square_octagon,
  square_octagon_torus,
  cubic,
  cubic_torus,
  diamond,
  diamond_torus,
  pyrochlore,
  pyrochlore_torus,
  aztec,
  hexagon,
  hypercubic,
  hypercubic_torus,
  circulant,
  hypercube,
  complete,
  complete_bipartite,
  kneser
};

/// From site number `from` of a cell.
struct LatticeStep {
  std::int64_t from = 0;
  BoxSite by{0, 0, 0, 0};
  std::uint8_t direction = 0;
  std::int8_t parity = -1;  // of row + column, 0 or 1, where only those sites have the step
};

struct FamilyInfo {
  Family family;
  std::size_t sizes;                  // how many numbers SIZES has; 0: as many as the spec says
  std::array<std::int64_t, 3> least;  // the least value of each; of any number of sizes, the first of all
  std::array<bool, 3> periodic;       // of the cells' coordinates
  std::string_view axes;              // a letter for each coordinate of a cell; none: no lattice
  std::string_view sites;             // a letter for each site of a cell; none: one site
  std::vector<LatticeStep> steps;     // of none where there are no axes
  std::size_t directions;             // 0: as many as the spec says
  LatticeShape shape;

  /// Whether the last column is joined to the first one upside down.
  bool twisted() const { return family == Family::moebius || family == Family::klein; }
};

const std::vector<FamilyInfo>& lattice_families();

}  // namespace countpm
