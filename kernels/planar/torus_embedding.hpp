#pragma once
// Lattices on a torus: an embedding whose faces are the graph's shortest cycles.
//
// Two edges of a vertex are neighbours in its rotation where they lie on a common cycle of length 3, 4 or 6;
// rotations of adjacent vertices agree where such cycles run through the edge between them. That finds the
// rotations of square, triangular and honeycomb lattices that are closed in both directions and so wide that
// no such cycle runs around them (6 vertices for honeycombs 4, for the others 5), also where vertices are
// missing. What it finds need not be trusted: any rotation system whose faces satisfy Euler's formula for a
// torus serves.
#include <optional>

#include "kernels/planar/embedding.hpp"

namespace countpm::planar {

/// Empty where the graph is not connected or none is found. O(vertices) for bounded degrees; vertices of more
/// than 6 neighbours end it.
std::optional<Embedding> torus_embedding(const BlockGraph& graph);

}  // namespace countpm::planar
