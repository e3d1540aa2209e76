#include "kernels/planar/orientation/torus_kasteleyn.hpp"

#include <algorithm>

#include "graph/errors.hpp"
#include "kernels/planar/orientation/faces.hpp"

namespace countpm::planar {
namespace {

class Torus {
 public:
  Torus(const BlockGraph& graph, const Embedding& embedding, const std::vector<Index>& matching)
      : graph_(graph),
        embedding_(embedding),
        faces_(trace_faces(graph, embedding)),
        forest_(spanning_forest(graph)),
        cotree_(face_forest(faces_, forest_)),
        matched_(graph.vertices) {
    if (forest_.components != 1 || graph.vertices + std::size_t{faces_.count()} != graph.edges.size())
      throw CheckError("planar: the embedding is not one on a torus");
    for (const Index e : matching) {
      const std::uint64_t half_edge = std::uint64_t{2} * e;
      matched_[graph.edges[e].a] = half_edge;
      matched_[graph.edges[e].b] = half_edge + 1;
    }
  }

  Orientation orientation() const {
    Orientation result = odd_faces(faces_, cotree_, graph_.edges.size());
    for (Index face = 0; face < faces_.count(); ++face) {
      if (!odd_along(faces_, face, result)) throw CheckError("planar: a face of the torus is even");
    }
    return result;
  }

  /// The two edges off tree and cotree.
  std::array<Index, 2> edges_left() const {
    std::vector<std::uint8_t> taken = forest_.in_tree;
    for (const std::uint64_t up : cotree_.upward) {
      if (up != no_half_edge) taken[up / 2] = 1;
    }
    const auto next = [&](auto from) { return std::find(from, taken.end(), std::uint8_t{0}); };
    const auto first = next(taken.begin());
    if (first == taken.end() || next(first + 1) == taken.end())
      throw CheckError("planar: a torus without its two cycles");
    return {static_cast<Index>(first - taken.begin()), static_cast<Index>(next(first + 1) - taken.begin())};
  }

  /// X: reverses the edge and those of the cotree between its two faces.
  void reverse_cocycle(Index edge, Orientation& orientation) const {
    orientation[edge] ^= 1;
    for (const std::uint64_t side : {2 * std::uint64_t{edge}, 2 * std::uint64_t{edge} + 1}) {
      // What both ways to the root share is reversed twice.
      for (std::uint64_t up = cotree_.upward[faces_.of[side]]; up != no_half_edge;
           up = cotree_.upward[faces_.of[up ^ 1]])
        orientation[up / 2] ^= 1;
    }
  }

  /// gamma: from a over the edge to b, and back in the tree.
  std::vector<std::uint64_t> cycle(Index edge) const {
    std::vector<std::uint64_t> from_a = way_up(graph_.edges[edge].a);
    std::vector<std::uint64_t> from_b = way_up(graph_.edges[edge].b);
    while (!from_a.empty() && !from_b.empty() && from_a.back() == from_b.back()) {
      from_a.pop_back();
      from_b.pop_back();
    }
    std::vector<std::uint64_t> result{2 * std::uint64_t{edge}};
    result.insert(result.end(), from_b.begin(), from_b.end());
    for (std::size_t k = from_a.size(); k-- > 0;) result.push_back(from_a[k] ^ 1);
    return result;
  }

  bool quadratic_form(const std::vector<std::uint64_t>& cycle, const Orientation& orientation) const {
    bool odd = true;
    for (std::size_t k = 0; k < cycle.size(); ++k) {
      odd ^= (cycle[k] % 2 == 0) == (orientation[cycle[k] / 2] != 0);
      odd ^= leaves_on_the_faces_side(cycle[k], cycle[(k + 1) % cycle.size()]);
    }
    return odd;
  }

 private:
  std::vector<std::uint64_t> way_up(Index v) const {
    std::vector<std::uint64_t> way;
    for (; forest_.upward[v] != no_half_edge; v = tail(graph_, way.back() ^ 1))
      way.push_back(forest_.upward[v]);
    return way;
  }

  /// The matched edge of the vertex between two half-edges of a walk. The face of `in` turns to the slot
  /// after the one that `in` came by.
  bool leaves_on_the_faces_side(std::uint64_t in, std::uint64_t out) const {
    const Index v = tail(graph_, out);
    const std::uint64_t degree = embedding_.start[v + std::size_t{1}] - embedding_.start[v];
    const std::uint64_t came_by = faces_.slot[in ^ 1];
    const auto turn = [&](std::uint64_t half_edge) {
      return (faces_.slot[half_edge] + degree - came_by) % degree;
    };
    return turn(matched_[v]) != 0 && turn(matched_[v]) < turn(out);
  }

  const BlockGraph& graph_;
  const Embedding& embedding_;
  Faces faces_;
  SpanningForest forest_;
  FaceForest cotree_;
  std::vector<std::uint64_t> matched_;  // of each vertex: the half-edge of the matching that leaves it
};

}  // namespace

std::array<TorusTerm, 4> torus_terms(const BlockGraph& graph, const Embedding& embedding,
                                     const std::vector<Index>& matching) {
  const Torus torus(graph, embedding, matching);
  const Orientation base = torus.orientation();
  const std::array<Index, 2> left = torus.edges_left();
  const bool first = torus.quadratic_form(torus.cycle(left[0]), base);
  const bool second = torus.quadratic_form(torus.cycle(left[1]), base);
  std::array<TorusTerm, 4> result;
  for (unsigned k = 0; k < 4; ++k) {
    TorusTerm& term = result[k];
    term.orientation = base;
    const bool reverse_first = (k & 1) != 0;
    const bool reverse_second = (k & 2) != 0;
    if (reverse_first) torus.reverse_cocycle(left[0], term.orientation);
    if (reverse_second) torus.reverse_cocycle(left[1], term.orientation);
    const bool odd = first != reverse_first && second != reverse_second;
    term.sign = (odd ? -1 : 1) * term_sign(graph, term.orientation, matching);
  }
  return result;
}

}  // namespace countpm::planar
