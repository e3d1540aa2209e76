#pragma once
// The embedding that a block brings along: its rotation system, by edges instead of neighbours.
#include "graph/rotations.hpp"
#include "kernels/planar/orientation/embedding.hpp"

namespace countpm::planar {

/// CheckError where the rotations are not those of the graph. O(vertices + edges log edges).
Embedding given_embedding(const BlockGraph& graph, const Rotations& rotations);

}  // namespace countpm::planar
