#pragma once
// Perfect matchings of lattices as tilings.
#include <string>

#include "src/draw/page.hpp"
#include "src/matchings/lattice_matching.hpp"

namespace countpm::draw {

/// The dominoes or lozenges, coloured by type. Dominoes have four: a horizontal one is "north" where its left
/// cell has the chessboard colour of the lattice's first vertex, else "south"; a vertical one is "west" where
/// its upper cell has it, else "east". In an Aztec diamond these are the ways that domino shuffling moves
/// them, and each type alone is frozen into one corner. Lozenges have three, by direction. One path a type,
/// in units of a cell. Large pictures have no gaps between dominoes, and neighbours of a type in one line are
/// drawn as one. O(n log n). Precondition: has_dominoes() or has_lozenges(), at least one pair.
/// N. Elkies, G. Kuperberg, M. Larsen, J. Propp, Alternating-sign matrices and domino tilings, J. Algebraic
/// Combin. 1 (1992).
Picture draw_tiling(const LatticeMatching& matching, const std::string& caption, const PageStyle& style = {});

}  // namespace countpm::draw
