#pragma once
// A perfect matching of a lattice, by coordinates.
#include <string>
#include <utility>
#include <vector>

#include "graph/lattices/lattice_geometry.hpp"

namespace countpm {

struct LatticeMatching {
  std::string spec;  // "lattice:aztec:50"
  LatticeInfo lattice;
  std::vector<std::pair<LatticeSite, LatticeSite>> pairs;
};

/// From pairs of labels, as sample_matchings() tells them. Throws UsageError for a spec that is none,
/// std::invalid_argument for labels that are not the lattice's.
LatticeMatching lattice_matching(const std::string& spec,
                                 const std::vector<std::pair<std::string, std::string>>& pairs);

/// Whether its matchings are tilings: dominoes (square, cylinder, torus, aztec) or lozenges (honeycomb,
/// hexagon).
bool has_dominoes(const LatticeInfo& lattice);
bool has_lozenges(const LatticeInfo& lattice);

/// (row + column) modulo 2 of the first vertex, whose chessboard colour names the types of dominoes.
std::int64_t first_colour(const LatticeInfo& lattice);

}  // namespace countpm
