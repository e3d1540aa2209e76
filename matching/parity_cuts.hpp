#pragma once
// Edges that cut vertices forbid: counting alone decides where a cut vertex is matched.
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// Flags, beside the entries, both directions of edges that lie in no perfect matching because a cut vertex
/// is at one end: without it one piece has an odd number of vertices (there is exactly one, or the graph
/// has no perfect matching), and only an edge into that piece leaves all pieces even. Bridges are a case of
/// it. Precondition: the graph has a perfect matching. One depth-first search (lowpoints), O(entries log
/// entries), no recursion. J. Hopcroft, R. Tarjan, Algorithm 447: efficient algorithms for graph
/// manipulation, Comm. ACM 16 (1973).
std::vector<bool> parity_cuts(const SparsePattern& graph);

}  // namespace countpm
