#pragma once
// All matchings of graphs with components that are trees: those are summed up directly.
#include "graph/instance.hpp"

namespace countpm {

/// Of a graph with monomers. Each component that is a tree of so many vertices or more becomes one vertex,
/// whose weight alone is the sum over the tree's matchings; none where that is 0. Not of complex weights, nor
/// of weights with letters. Every sum is made a second time modulo a prime, from another root: throws
/// CheckError where that differs. O(entries) steps beside those of tree_sums.hpp.
Instance with_components_counted(Instance instance, Index least_vertices);

}  // namespace countpm
