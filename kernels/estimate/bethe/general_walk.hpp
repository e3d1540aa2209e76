#pragma once
// Sequential importance sampling by belief propagation on any graph, with vertices that may stay alone.
//
// As estimate/bethe/walk.hpp, without sides: a walk takes the vertex of least degree that has lost a
// neighbour last, and lets it stay alone, or gives it a neighbour w, with a chance in proportion to
//   alone[v],   a_vw x(w to v),
// where the messages x(v to w) = 1 / (alone[v] + sum over the other neighbours u of v of a_uv x(u to v) +
// kappa a_vw x(w to v)), kappa for vertices that must be matched: on trees with kappa = 0 the chances are
// exact. Then what has lost a neighbour sends again, and what that changes most. Choices that would leave a
// small component that cannot be matched, by its number of vertices, are left out: their samples would be 0.
// Monomers and dimers: M. Bayati, D. Gamarnik, D. Katz, C. Nair, P. Tetali, Simple deterministic
// approximation algorithms for counting matchings, STOC 2007.
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/samples/sample_graph.hpp"
#include "kernels/estimate/walks/draw_choice.hpp"

namespace countpm {

/// What is left of a graph during a walk, with its messages.
class RestGraph {
 public:
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};

  /// The whole graph; its messages are settled. O(edges) a sweep.
  explicit RestGraph(const SampleGraph& graph);
  RestGraph(const RestGraph&) = default;
  /// Of the same graph.
  RestGraph& operator=(const RestGraph& other);

  std::uint32_t degree(std::uint32_t v) const { return degree_[v]; }
  bool is_left(std::uint32_t v) const { return left_[v] != 0; }
  /// Of the vertices that are left, one of least degree that came to it last; nobody where none is left.
  std::uint32_t least() const;
  /// What v brings to its neighbour on the other end of edge k of that neighbour's list.
  double brought(std::uint64_t k) const { return message_[reverse_[k]] * graph_.neighbours[k].weight; }
  /// Takes v away.
  void remove(std::uint32_t v);
  /// Lets what has lost most send, and what that changes, some vertices in all.
  void pass();
  /// Whether a component that is met from the neighbours of v and w, without these two, is small and cannot
  /// be matched by its number of vertices. w: nobody for v alone.
  bool strands(std::uint32_t v, std::uint32_t w);

 private:
  void enter(std::uint32_t v);
  void leave(std::uint32_t v);
  void send(std::uint32_t v);
  void changed(std::uint32_t v, double share);
  void pass(std::uint64_t most);
  bool strands_from(std::uint32_t start, std::uint32_t v, std::uint32_t w);

  static constexpr unsigned levels = 12;
  static constexpr std::uint8_t nowhere = 0xff;

  const SampleGraph& graph_;
  double kappa_;
  std::vector<std::uint64_t> reverse_;  // of every edge in a list the same in its other end's
  std::vector<double> message_;         // from the list's vertex
  std::vector<char> left_;
  std::vector<std::uint32_t> degree_;
  std::vector<std::uint32_t> next_;  // of the same degree
  std::vector<std::uint32_t> previous_;
  std::vector<std::uint32_t> first_of_degree_;
  std::vector<double> due_;
  std::vector<std::uint8_t> level_;
  std::vector<std::vector<std::uint32_t>> waiting_;  // by level
  std::vector<double> beyond_;
  std::vector<std::uint64_t> seen_;
  std::uint64_t search_ = 0;
  std::vector<std::uint32_t> found_;
};

/// About how many nanoseconds a walk takes: before every choice some vertices send.
double general_bethe_work(std::uint32_t vertices, std::uint64_t neighbours);

/// Draws samples one after the other. Not thread-safe: one for each thread. `start` outlives it.
class GeneralBetheWalk {
 public:
  GeneralBetheWalk(const SampleGraph& graph, const RestGraph& start);

  template <class Random>
  Scaled draw(Random& random) {
    return draw(random, [](std::uint32_t, std::uint32_t) {});
  }
  /// `chosen` is told of every vertex and its partner, or nobody.
  template <class Random, class Chosen>
  Scaled draw(Random& random, const Chosen& chosen) {
    rest_ = start_;
    matching_.clear();
    Scaled sample;
    for (std::uint32_t v = rest_.least(); v != RestGraph::nobody; v = rest_.least()) {
      if (!find_choices(v)) return {0, 0};
      const auto [pick, share] = draw_choice(choices_, random);
      sample.multiply(choices_[pick].weight);
      sample.multiply(1 / share);
      const std::uint32_t partner = choices_[pick].vertex;
      chosen(v, partner);
      rest_.remove(v);
      if (partner != RestGraph::nobody) rest_.remove(partner);
      matching_.emplace_back(v, partner == RestGraph::nobody ? v : partner);
      rest_.pass();
    }
    return sample;
  }

  /// As BoundaryWalk::matching.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& matching() const { return matching_; }

 private:
  struct Choice {
    std::uint32_t vertex;  // nobody: alone
    double weight;
    double share;
  };
  /// False where there is none.
  bool find_choices(std::uint32_t v);

  const SampleGraph& graph_;
  const RestGraph& start_;
  RestGraph rest_;
  std::vector<Choice> choices_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> matching_;
};

}  // namespace countpm
