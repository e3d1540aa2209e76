#include "kernels/planar/kasteleyn.hpp"

#include <fmt/format.h>

#include "graph/errors.hpp"
#include "matching/general_matching.hpp"
#include "matching/maximum_matching.hpp"

namespace countpm::planar {
namespace {

// Half-edge 2e goes from a to b, 2e + 1 back. The face of a half-edge is on one and the same side all along
// its orbit under "arrive, turn to the edge that follows in the rotation there, leave".
struct Faces {
  std::vector<Index> of;                 // the face of each half-edge
  std::vector<std::uint64_t> start{0};   // face f has half-edges start[f] .. start[f + 1] - 1 of:
  std::vector<std::uint64_t> half_edge;  // in the order of the walk

  Index count() const { return static_cast<Index>(start.size() - 1); }
};

Index tail(const BlockGraph& graph, std::uint64_t half_edge) {
  const BlockGraph::Edge& edge = graph.edges[half_edge / 2];
  return half_edge % 2 == 0 ? edge.a : edge.b;
}

Faces trace_faces(const BlockGraph& graph, const Embedding& embedding) {
  const std::uint64_t half_edges = 2 * graph.edges.size();
  // leaving[k]: the half-edge that leaves by slot k of the rotations; slot[h]: where h leaves.
  std::vector<std::uint64_t> leaving(half_edges);
  std::vector<std::uint64_t> slot(half_edges);
  for (Index v = 0; v < graph.vertices; ++v) {
    for (std::uint64_t k = embedding.start[v]; k < embedding.start[v + std::size_t{1}]; ++k) {
      const std::uint64_t e = embedding.around[k];
      leaving[k] = 2 * e + (graph.edges[e].a == v ? 0 : 1);
      slot[leaving[k]] = k;
    }
  }
  Faces faces;
  faces.of.assign(half_edges, no_index);
  for (std::uint64_t first = 0; first < half_edges; ++first) {
    if (faces.of[first] != no_index) continue;
    const Index face = faces.count();
    for (std::uint64_t at = first; faces.of[at] == no_index;) {
      faces.of[at] = face;
      faces.half_edge.push_back(at);
      const Index head = tail(graph, at ^ 1);
      std::uint64_t next = slot[at ^ 1] + 1;
      if (next == embedding.start[head + std::size_t{1}]) next = embedding.start[head];
      at = leaving[next];
    }
    faces.start.push_back(faces.half_edge.size());
  }
  return faces;
}

struct SpanningForest {
  std::vector<std::uint8_t> in_tree;  // of each edge
  std::uint64_t components = 0;
  std::uint64_t isolated = 0;  // components of one vertex
};

SpanningForest spanning_forest(const BlockGraph& graph) {
  const Adjacency adjacent = adjacency(graph);
  SpanningForest forest{std::vector<std::uint8_t>(graph.edges.size(), 0)};
  std::vector<std::uint8_t> seen(graph.vertices, 0);
  std::vector<Index> queue;
  for (Index root = 0; root < graph.vertices; ++root) {
    if (seen[root]) continue;
    ++forest.components;
    if (adjacent.start[root] == adjacent.start[root + std::size_t{1}]) ++forest.isolated;
    seen[root] = 1;
    queue.assign(1, root);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Index v = queue[head];
      for (std::uint64_t k = adjacent.start[v]; k < adjacent.start[v + std::size_t{1}]; ++k) {
        if (seen[adjacent.neighbour[k]]) continue;
        seen[adjacent.neighbour[k]] = 1;
        forest.in_tree[adjacent.edge[k]] = 1;
        queue.push_back(adjacent.neighbour[k]);
      }
    }
  }
  return forest;
}

/// Whether an odd number of the face's edges are oriented along its walk; the edge `except` is not counted.
bool odd_along(const Faces& faces, Index face, const Orientation& orientation, std::uint64_t except) {
  bool odd = false;
  for (std::uint64_t k = faces.start[face]; k < faces.start[face + std::size_t{1}]; ++k) {
    const std::uint64_t h = faces.half_edge[k];
    if (h / 2 != except) odd ^= (h % 2 == 0) == (orientation[h / 2] != 0);
  }
  return odd;
}

constexpr std::uint64_t no_half_edge = ~std::uint64_t{0};

/// The faces breadth first from one face of each component, over the edges off the spanning forest: upward[f]
/// is the half-edge of f that it was reached across, no_half_edge for the first (outer) ones.
struct FaceForest {
  std::vector<Index> order;
  std::vector<std::uint64_t> upward;
};

FaceForest face_forest(const Faces& faces, const SpanningForest& forest) {
  FaceForest result;
  result.order.reserve(faces.count());
  result.upward.assign(faces.count(), no_half_edge);
  std::vector<std::uint8_t> seen(faces.count(), 0);
  for (Index outer = 0; outer < faces.count(); ++outer) {
    if (seen[outer]) continue;
    seen[outer] = 1;
    std::size_t head = result.order.size();
    result.order.push_back(outer);
    for (; head < result.order.size(); ++head) {
      const Index face = result.order[head];
      for (std::uint64_t k = faces.start[face]; k < faces.start[face + std::size_t{1}]; ++k) {
        const std::uint64_t across = faces.half_edge[k] ^ 1;
        if (forest.in_tree[across / 2] || seen[faces.of[across]]) continue;
        seen[faces.of[across]] = 1;
        result.upward[faces.of[across]] = across;
        result.order.push_back(faces.of[across]);
      }
    }
  }
  return result;
}

}  // namespace

Orientation kasteleyn_orientation(const BlockGraph& graph, const Embedding& embedding) {
  const Faces faces = trace_faces(graph, embedding);
  const SpanningForest forest = spanning_forest(graph);
  // Euler's formula, summed over the components; a lone vertex has one face and no half-edge to find it by.
  const std::uint64_t corners = graph.vertices + std::uint64_t{faces.count()} + forest.isolated;
  if (corners != graph.edges.size() + 2 * forest.components)
    throw CheckError(
        fmt::format("planar: the embedding is not plane: {} vertices, {} edges, {} faces, {} components",
                    graph.vertices, graph.edges.size(), faces.count() + forest.isolated, forest.components));
  Orientation orientation(graph.edges.size(), 1);
  const FaceForest tree = face_forest(faces, forest);
  for (std::size_t k = tree.order.size(); k-- > 0;) {
    const Index face = tree.order[k];
    const std::uint64_t up = tree.upward[face];
    if (up == no_half_edge) continue;
    const bool along = !odd_along(faces, face, orientation, up / 2);
    orientation[up / 2] = along == (up % 2 == 0) ? 1 : 0;
  }
  for (Index face = 0; face < faces.count(); ++face) {
    const bool inner = tree.upward[face] != no_half_edge;
    if (inner && !odd_along(faces, face, orientation, no_half_edge))
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
  for (Index v = 0; v < pattern.rows; ++v) {
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
