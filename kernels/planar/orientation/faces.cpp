#include "kernels/planar/orientation/faces.hpp"

#include "graph/stop_poll.hpp"

namespace countpm::planar {

Index tail(const BlockGraph& graph, std::uint64_t half_edge) {
  const BlockGraph::Edge& edge = graph.edges[half_edge / 2];
  return half_edge % 2 == 0 ? edge.a : edge.b;
}

Faces trace_faces(const BlockGraph& graph, const Embedding& embedding) {
  const std::uint64_t half_edges = 2 * graph.edges.size();
  // leaving[k]: the half-edge that leaves by slot k of the rotations.
  std::vector<std::uint64_t> leaving(half_edges);
  Faces faces;
  std::vector<std::uint64_t>& slot = faces.slot;
  slot.resize(half_edges);
  for (Index v = 0; v < graph.vertices; ++v) {
    for (std::uint64_t k = embedding.start[v]; k < embedding.start[v + std::size_t{1}]; ++k) {
      const std::uint64_t e = embedding.around[k];
      leaving[k] = 2 * e + (graph.edges[e].a == v ? 0 : 1);
      slot[leaving[k]] = k;
    }
  }
  faces.of.assign(half_edges, no_index);
  StopPoll poll;
  for (std::uint64_t first = 0; first < half_edges; ++first) {
    poll.step();
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

SpanningForest spanning_forest(const BlockGraph& graph) {
  const Adjacency adjacent = adjacency(graph);
  SpanningForest forest;
  forest.in_tree.assign(graph.edges.size(), 0);
  forest.upward.assign(graph.vertices, no_half_edge);
  std::vector<std::uint8_t> seen(graph.vertices, 0);
  std::vector<Index> queue;
  StopPoll poll;
  for (Index root = 0; root < graph.vertices; ++root) {
    if (seen[root]) continue;
    ++forest.components;
    if (adjacent.start[root] == adjacent.start[root + std::size_t{1}]) ++forest.isolated;
    seen[root] = 1;
    queue.assign(1, root);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      poll.step();
      const Index v = queue[head];
      for (std::uint64_t k = adjacent.start[v]; k < adjacent.start[v + std::size_t{1}]; ++k) {
        if (seen[adjacent.neighbour[k]]) continue;
        seen[adjacent.neighbour[k]] = 1;
        const std::uint64_t e = adjacent.edge[k];
        forest.in_tree[e] = 1;
        forest.upward[adjacent.neighbour[k]] = 2 * e + (graph.edges[e].a == v ? 1 : 0);
        queue.push_back(adjacent.neighbour[k]);
      }
    }
  }
  return forest;
}

bool odd_along(const Faces& faces, Index face, const std::vector<std::uint8_t>& forward,
               std::uint64_t except) {
  bool odd = false;
  for (std::uint64_t k = faces.start[face]; k < faces.start[face + std::size_t{1}]; ++k) {
    const std::uint64_t h = faces.half_edge[k];
    if (h / 2 != except) odd ^= (h % 2 == 0) == (forward[h / 2] != 0);
  }
  return odd;
}

FaceForest face_forest(const Faces& faces, const SpanningForest& forest) {
  FaceForest result;
  result.order.reserve(faces.count());
  result.upward.assign(faces.count(), no_half_edge);
  std::vector<std::uint8_t> seen(faces.count(), 0);
  StopPoll poll;
  for (Index outer = 0; outer < faces.count(); ++outer) {
    if (seen[outer]) continue;
    seen[outer] = 1;
    std::size_t head = result.order.size();
    result.order.push_back(outer);
    for (; head < result.order.size(); ++head) {
      poll.step();
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

std::vector<std::uint8_t> odd_faces(const Faces& faces, const FaceForest& tree, std::size_t edges) {
  std::vector<std::uint8_t> forward(edges, 1);
  for (std::size_t k = tree.order.size(); k-- > 0;) {
    const Index face = tree.order[k];
    const std::uint64_t up = tree.upward[face];
    if (up == no_half_edge) continue;
    const bool along = !odd_along(faces, face, forward, up / 2);
    forward[up / 2] = along == (up % 2 == 0) ? 1 : 0;
  }
  return forward;
}

}  // namespace countpm::planar
