#pragma once
// The step of counted_trees.hpp between the parts of a graph and the vertices added to them.
#include "matching/deficient_parts.hpp"

namespace countpm {

/// Takes from the instance what is counted directly, and from the parts too, whose vertices are renumbered.
/// `graph` is the instance's matrix as a symmetric one (both_sides() of a bipartite graph).
void count_trees(Instance& instance, const SparsePattern& graph, Deficiency& deficiency);

}  // namespace countpm
