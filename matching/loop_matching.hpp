#pragma once
// Whether a graph has a matching that leaves alone only vertices that may be.
#include "graph/sparse_matrix.hpp"
#include "matching/block.hpp"

namespace countpm {

/// Vertices with an entry on the diagonal of this symmetric matrix may stay alone. There is such a matching
/// just if two copies of the graph, each such vertex joined to its copy, have a perfect one. O(entries)
/// beside that one; at once where all vertices may.
bool has_loop_matching(const SparsePattern& graph);

/// Of a block with monomers; precondition: without tiles.
bool has_loop_matching(const AnyBlock& block);

}  // namespace countpm
