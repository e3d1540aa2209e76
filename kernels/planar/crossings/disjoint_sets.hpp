#pragma once
// Sets of edges of which no two share a vertex.
#include <cstdint>
#include <vector>

#include "kernels/planar/orientation/block_graph.hpp"

namespace countpm::planar {

/// Of the first 0, 1, 2, ... of `edges`: how many sets of disjoint ones there are, the empty one among them.
/// Shorter, ending with the first number above `most`, where there are more. O(edges most) time at the worst.
std::vector<std::uint64_t> disjoint_sets(const BlockGraph& graph, const std::vector<Index>& edges,
                                         std::uint64_t most);

}  // namespace countpm::planar
