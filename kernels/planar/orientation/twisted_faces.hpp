#pragma once
// The faces of an embedding in any closed surface, whose rotations may disagree along edges.
//
// Side 2 h + s of half-edge h (faces.hpp): the walk along it that turns, at every vertex, to the edge that
// follows in the rotation (s = 0) or to the one before it (s = 1). A twisted edge changes s. Each face is
// walked along twice, once in each direction. B. Mohar, C. Thomassen, Graphs on Surfaces (2001), section 3.3,
// calls such rotation systems embedding schemes. O(vertices + edges).
#include <cstdint>
#include <vector>

#include "kernels/planar/orientation/block_graph.hpp"
#include "kernels/planar/orientation/embedding.hpp"

namespace countpm::planar {

struct TwistedFaces {
  Index count = 0;
  std::vector<Index> of;  // the face of each side
  /// One walk of each: face f has the sides walk[start[f]] .. walk[start[f + 1] - 1].
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint64_t> walk;
};
TwistedFaces trace_twisted_faces(const BlockGraph& graph, const Embedding& embedding);

}  // namespace countpm::planar
