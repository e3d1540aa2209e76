#include "kernels/planar/orientation/short_cycle_embedding.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/stop_signal.hpp"
#include "kernels/planar/orientation/faces.hpp"
#include "kernels/planar/orientation/surface_kasteleyn.hpp"
#include "kernels/planar/orientation/twisted_faces.hpp"

namespace countpm::planar {
namespace {

constexpr std::uint64_t most_neighbours = 6;

class RotationSearch {
 public:
  /// `lengths`: of the faces, rising.
  RotationSearch(const BlockGraph& graph, const Adjacency& adjacent, std::vector<unsigned> lengths)
      : graph_(graph),
        adjacent_(adjacent),
        lengths_(std::move(lengths)),
        rotation_(adjacent.neighbour.size()) {}

  std::optional<Embedding> run(bool may_twist) {
    for (Index v = 0; v < graph_.vertices; ++v) {
      check_stop();
      if (!rotate(v)) return std::nullopt;
    }
    if (!turn_all()) return std::nullopt;
    Embedding result = embedding();
    if (may_twist && !twist(result)) return std::nullopt;
    return result;
  }

 private:
  std::uint64_t degree(Index v) const { return adjacent_.start[v + std::size_t{1}] - adjacent_.start[v]; }
  /// The neighbour at place k of v's rotation, counted around.
  Index around(Index v, std::uint64_t k) const {
    return adjacent_.neighbour[adjacent_.start[v] + rotation_[adjacent_.start[v] + k % degree(v)]];
  }
  /// The place of w in v's rotation.
  std::uint64_t place(Index v, Index w) const {
    std::uint64_t k = 0;
    while (around(v, k) != w) ++k;
    return k;
  }

  /// Whether a walk of so many edges leads from v to w past the vertices `a` and `b`.
  bool walk(Index v, Index w, unsigned length, Index a, Index b) const {
    if (length == 0) return v == w;
    for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k) {
      const Index next = adjacent_.neighbour[k];
      if (next != a && next != b && walk(next, w, length - 1, a, b)) return true;
    }
    return false;
  }

  /// v's neighbours in a cycle, or in one path that is closed: each lies on a short cycle with those next to
  /// it. Where faces have several lengths, longer ones join what the shorter ones leave apart.
  bool rotate(Index v) {
    const std::uint64_t d = degree(v);
    const Index* const neighbour = adjacent_.neighbour.data() + adjacent_.start[v];
    Index* const rotation = rotation_.data() + adjacent_.start[v];
    // The rotation of three neighbours is the same but for its sense, whatever cycles there are.
    if (d <= 3) {
      for (Index k = 0; k < d; ++k) rotation[k] = k;
      return true;
    }
    bool linked[most_neighbours][most_neighbours] = {};
    unsigned links[most_neighbours] = {};
    for (const unsigned length : lengths_) {
      for (std::uint64_t i = 0; i < d; ++i) {
        for (std::uint64_t j = 0; j < i; ++j) {
          if (linked[i][j] || !walk(neighbour[i], neighbour[j], length - 2, v, v)) continue;
          linked[i][j] = linked[j][i] = true;
          ++links[i];
          ++links[j];
        }
      }
      if (std::all_of(links, links + d, [](unsigned one) { return one >= 2; })) break;
    }
    Index at = 0;
    for (Index k = 0; k < d; ++k) {
      if (links[k] == 0 || links[k] > 2) return false;
      if (links[k] < links[at]) at = k;  // an end of a path
    }
    bool used[most_neighbours] = {};
    for (std::uint64_t k = 0; k < d; ++k) {
      rotation[k] = at;
      used[at] = true;
      Index next = 0;
      while (next < d && (used[next] || !linked[at][next])) ++next;
      if (next == d) return k + 1 == d;
      at = next;
    }
    return false;
  }

  /// The length of the shortest face that may lie between two neighbours of v; 0: there is none.
  unsigned face_at(Index v, Index a, Index b) const {
    for (const unsigned length : lengths_) {
      if (walk(a, b, length - 2, v, v)) return length;
    }
    return 0;
  }

  /// +1, -1: how w's rotation has to be turned for that of its neighbour v; 0: the cycles through the edge do
  /// not say.
  int agreement(Index v, Index w) const {
    const std::uint64_t at_v = place(v, w);
    const std::uint64_t at_w = place(w, v);
    const auto closes = [&](std::uint64_t k, std::uint64_t l) {
      const unsigned length = lengths_.size() == 1 ? lengths_[0] : face_at(v, w, around(v, k));
      if (lengths_.size() > 1 && length != face_at(w, v, around(w, l))) return false;
      return length != 0 && walk(around(v, k), around(w, l), length - 3, v, w);
    };
    const std::uint64_t before_v = at_v + degree(v) - 1;
    const std::uint64_t before_w = at_w + degree(w) - 1;
    const bool same = closes(at_v + 1, before_w) || closes(before_v, at_w + 1);
    const bool other = closes(at_v + 1, at_w + 1) || closes(before_v, before_w);
    return same == other ? 0 : same ? 1 : -1;
  }

  /// From one vertex of three neighbours or more to all others; the rotation of fewer is the same either way.
  bool turn_all() {
    std::vector<std::uint8_t> seen(graph_.vertices, 0);
    std::vector<Index> queue;
    for (Index v = 0; v < graph_.vertices; ++v) {
      check_stop();
      if (degree(v) <= 2) {
        seen[v] = 1;
      } else if (queue.empty()) {
        seen[v] = 1;
        queue.push_back(v);
      }
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      check_stop();
      const Index v = queue[head];
      for (std::uint64_t k = 0; k < degree(v); ++k) {
        const Index w = around(v, k);
        if (seen[w]) continue;
        const int turn = agreement(v, w);
        if (turn == 0) continue;
        seen[w] = 1;
        const auto first = rotation_.begin() + static_cast<std::ptrdiff_t>(adjacent_.start[w]);
        if (turn < 0) std::reverse(first, first + static_cast<std::ptrdiff_t>(degree(w)));
        queue.push_back(w);
      }
    }
    return std::all_of(seen.begin(), seen.end(), [](std::uint8_t one) { return one != 0; });
  }

  /// False where the cycles do not say of every edge whether it is twisted.
  bool twist(Embedding& result) const {
    result.twisted.reserve(graph_.edges.size());
    for (const BlockGraph::Edge& edge : graph_.edges) {
      check_stop();
      const int turn = agreement(edge.a, edge.b);
      if (turn == 0) return false;
      result.twisted.push_back(turn < 0 ? std::uint8_t{1} : std::uint8_t{0});
    }
    return true;
  }

  Embedding embedding() const {
    Embedding result{adjacent_.start, {}};
    result.around.reserve(rotation_.size());
    for (Index v = 0; v < graph_.vertices; ++v) {
      check_stop();
      for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k)
        result.around.push_back(adjacent_.edge[adjacent_.start[v] + rotation_[k]]);
    }
    return result;
  }

  const BlockGraph& graph_;
  const Adjacency& adjacent_;
  std::vector<unsigned> lengths_;
  std::vector<Index> rotation_;  // of each vertex: its neighbours' numbers in adjacent_, in cyclic order
};

}  // namespace

std::optional<Embedding> short_cycle_embedding(const BlockGraph& graph, Surface surface) {
  const std::uint64_t vertices = graph.vertices;
  const std::uint64_t edges = graph.edges.size();
  if (vertices == 0 || edges > (graph.bipartite ? 2 : 3) * vertices) return std::nullopt;
  const Adjacency adjacent = adjacency(graph);
  for (Index v = 0; v < vertices; ++v) {
    const std::uint64_t degree = adjacent.start[v + std::size_t{1}] - adjacent.start[v];
    if (degree == 0 || degree > most_neighbours) return std::nullopt;
  }
  const auto fits = [&](const Embedding& embedding) {
    if (spanning_forest(graph).components != 1) return false;
    if (surface == Surface::other) {
      const std::uint64_t corners = vertices + trace_twisted_faces(graph, embedding).count;
      return corners + most_loops_found >= edges + 2;
    }
    const std::uint64_t characteristic = surface == Surface::plane ? 2 : 0;
    return vertices + trace_faces(graph, embedding).count() == edges + characteristic;
  };
  using Lengths = std::vector<unsigned>;
  for (const Lengths& lengths : {Lengths{3}, Lengths{4}, Lengths{6}, Lengths{3, 6}, Lengths{4, 8}}) {
    // Longer walks than that from vertices of many neighbours would take long, and lead nowhere in lattices.
    if (lengths.back() == 6 && edges > 2 * vertices) continue;
    if (lengths.back() == 8 && 2 * edges > 3 * vertices) continue;
    std::optional<Embedding> embedding =
        RotationSearch(graph, adjacent, lengths).run(surface == Surface::other);
    if (embedding && fits(*embedding)) return embedding;
  }
  return std::nullopt;
}

}  // namespace countpm::planar
