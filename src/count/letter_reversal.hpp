#pragma once
// Whether a symmetry of a block reverses its polynomial: the dominoes of a square board by direction, where a
// reflection in the diagonal exchanges the directions.
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/letters.hpp"
#include "matching/block.hpp"

namespace countpm {

/// For every letter what the exponents of a matching and of its image add up to, where there is a permutation
/// of the vertices that maps edges to edges of the same coefficient, and exponents e to the least and the
/// largest of all edges less e. Empty where none is found: one that is found is checked edge by edge, but the
/// search, by colours that vertices have by their neighbourhoods, may miss some. Of blocks without monomers;
/// near-linear in the edges times the diameter.
std::optional<std::vector<std::int64_t>> letter_reversal(const Block<std::int64_t>& places,
                                                         const LetterWeights& letters);

}  // namespace countpm
