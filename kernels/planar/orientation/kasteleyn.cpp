#include "kernels/planar/orientation/kasteleyn.hpp"

#include <fmt/format.h>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/planar/orientation/faces.hpp"
#include "matching/general_matching.hpp"
#include "matching/maximum_matching.hpp"

namespace countpm::planar {

Orientation kasteleyn_orientation(const BlockGraph& graph, const Embedding& embedding) {
  const Faces faces = trace_faces(graph, embedding);
  const SpanningForest forest = spanning_forest(graph);
  // Euler's formula, summed over the components; a lone vertex has one face and no half-edge to find it by.
  const std::uint64_t corners = graph.vertices + std::uint64_t{faces.count()} + forest.isolated;
  if (corners != graph.edges.size() + 2 * forest.components)
    throw CheckError(
        fmt::format("planar: the embedding is not plane: {} vertices, {} edges, {} faces, {} components",
                    graph.vertices, graph.edges.size(), faces.count() + forest.isolated, forest.components));
  const FaceForest tree = face_forest(faces, forest);
  Orientation orientation = odd_faces(faces, tree, graph.edges.size());
  for (Index face = 0; face < faces.count(); ++face) {
    const bool inner = tree.upward[face] != no_half_edge;
    if (inner && !odd_along(faces, face, orientation))
      throw CheckError(fmt::format("planar: face {} of the Kasteleyn orientation is even", face));
  }
  return orientation;
}

std::vector<Index> one_perfect_matching(const BlockGraph& graph) {
  const Adjacency adjacent = adjacency(graph);
  SparsePattern pattern;
  pattern.rows = graph.bipartite ? graph.rows : graph.vertices;
  pattern.columns = pattern.rows;
  const Index first_column = graph.bipartite ? graph.rows : 0;
  // Neighbours ascend: edges are made in the order of the block's rows and columns.
  StopPoll poll;
  for (Index v = 0; v < pattern.rows; ++v) {
    poll.step();
    for (std::uint64_t k = adjacent.start[v]; k < adjacent.start[v + std::size_t{1}]; ++k)
      pattern.column.push_back(adjacent.neighbour[k] - first_column);
    pattern.row_start.push_back(pattern.column.size());
  }
  const std::vector<Index> mate =
      graph.bipartite ? maximum_matching(pattern).row_mate : general_maximum_matching(pattern).mate;
  std::vector<Index> matching;
  matching.reserve(mate.size());
  for (Index v = 0; v < pattern.rows; ++v) {
    if (mate[v] == no_index) return {};
    for (std::uint64_t k = adjacent.start[v]; k < adjacent.start[v + std::size_t{1}]; ++k) {
      const bool first_seen = graph.bipartite || v < adjacent.neighbour[k];
      if (first_seen && adjacent.neighbour[k] - first_column == mate[v]) matching.push_back(adjacent.edge[k]);
    }
  }
  return matching;
}

int permutation_sign(const std::vector<Index>& image) {
  std::vector<std::uint8_t> seen(image.size(), 0);
  int sign = 1;
  for (Index first = 0; first < image.size(); ++first) {
    for (Index at = first; !seen[at]; at = image[at]) {
      seen[at] = 1;
      if (image[at] != first) sign = -sign;  // a cycle of length k has the sign (-1)^(k - 1)
    }
  }
  return sign;
}

int term_sign(const BlockGraph& graph, const Orientation& orientation, const std::vector<Index>& matching) {
  std::vector<Index> image(graph.bipartite ? graph.rows : graph.vertices);
  int sign = 1;
  Index place = 0;
  for (const Index e : matching) {
    if (!orientation[e]) sign = -sign;
    const BlockGraph::Edge& edge = graph.edges[e];
    if (graph.bipartite) {
      image[edge.a] = edge.b - graph.rows;
    } else {
      image[place++] = edge.a;
      image[place++] = edge.b;
    }
  }
  return sign * permutation_sign(image);
}

}  // namespace countpm::planar
