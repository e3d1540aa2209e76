#pragma once
// The faces of an embedding, and the spanning trees that orientations are made of: one of the graph, one of
// its faces over edges off the first.
#include <cstdint>
#include <vector>

#include "kernels/planar/orientation/block_graph.hpp"
#include "kernels/planar/orientation/embedding.hpp"

namespace countpm::planar {

inline constexpr std::uint64_t no_half_edge = ~std::uint64_t{0};

/// Half-edge 2e goes from a to b of edge e, 2e + 1 back. The face of a half-edge is on one and the same side
/// all along its orbit under "arrive, turn to the edge that follows in the rotation there, leave".
struct Faces {
  std::vector<Index> of;                 // the face of each half-edge
  std::vector<std::uint64_t> start{0};   // face f has half-edges start[f] .. start[f + 1] - 1 of:
  std::vector<std::uint64_t> half_edge;  // in the order of the walk
  std::vector<std::uint64_t> slot;       // of each half-edge: its place in Embedding::around

  Index count() const { return static_cast<Index>(start.size() - 1); }
};
Faces trace_faces(const BlockGraph& graph, const Embedding& embedding);

/// The vertex that a half-edge leaves.
Index tail(const BlockGraph& graph, std::uint64_t half_edge);

struct SpanningForest {
  std::vector<std::uint8_t> in_tree;  // of each edge
  std::vector<std::uint64_t> upward;  // of each vertex: the half-edge to its parent; no_half_edge: a root
  std::uint64_t components = 0;
  std::uint64_t isolated = 0;  // components of one vertex
};
SpanningForest spanning_forest(const BlockGraph& graph);

/// The faces breadth first from one face of each component, over the edges off the spanning forest: upward[f]
/// is the half-edge of f that it was reached across, no_half_edge for the first (outer) ones.
struct FaceForest {
  std::vector<Index> order;
  std::vector<std::uint64_t> upward;
};
FaceForest face_forest(const Faces& faces, const SpanningForest& forest);

/// Whether an odd number of the face's edges are oriented along its walk (forward[e]: from a to b); the edge
/// `except` is not counted.
bool odd_along(const Faces& faces, Index face, const std::vector<std::uint8_t>& forward,
               std::uint64_t except = no_half_edge);

/// forward[e], for an odd number of edges along the walk of every face but the first of each component.
std::vector<std::uint8_t> odd_faces(const Faces& faces, const FaceForest& tree, std::size_t edges);

}  // namespace countpm::planar
