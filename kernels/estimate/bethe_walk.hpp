#pragma once
// Sequential importance sampling by belief propagation: sparse matrices whose cycles are long, of any size.
//
// A walk chooses a vertex of least degree, row or column, and gives it a neighbour j with probability p_j in
// proportion to what the messages say (bethe_messages.hpp), among those that some perfect matching of what is
// left allows, as far as a short search can tell: where a choice allows none after all, the sample is 0. The
// sample is multiplied by a_ij / p_j, and messages are passed again around what has left. Where a vertex has
// a single edge, that is taken; where it has two, its neighbours become one (H. Forbert, D. Marx, Comput.
// Phys. Commun. 150 (2003)): exact, so that about half of the choices on random sparse graphs are none.
// Chances from belief propagation and none that must fail, for counting in general: V. Gogate, R. Dechter,
// SampleSearch, Artif. Intell. 175 (2011).
#include <cstdint>
#include <vector>

#include "kernels/estimate/bethe_graph.hpp"
#include "kernels/estimate/bethe_messages.hpp"
#include "kernels/estimate/kept_matching.hpp"
#include "kernels/estimate/scaled.hpp"
#include "kernels/estimate/strata.hpp"

namespace countpm {

/// Where every walk on a matrix begins: messages passed until they change too little (bethe_messages.hpp;
/// at most 400 times as many vertices as there are have then sent), and a perfect matching. O(entries) a
/// pass; maximum_matching's complexity.
struct BetheStart {
  explicit BetheStart(const SampleMatrix& matrix);

  BetheGraph graph;
  std::vector<BetheGraph::Vertex> mate;  // empty: there is no perfect matching
};

/// Draws samples, one after another. O(entries) memory. Not thread-safe: one for each thread; `start` must
/// outlive it.
class BetheWalk {
 public:
  explicit BetheWalk(const BetheStart& start);

  /// One sample, which depends on the start, `random` and `tail` alone. tail(graph, rest) is asked before
  /// every choice and ends the walk where it puts the permanent of what is left into `rest`. At most (size)
  /// choices, each with max(60, 2 sqrt(size)) sendings and a search for every neighbour (kept_matching.hpp).
  template <class Random, class Tail>
  Scaled draw(Random& random, Tail& tail) {
    if (start_.mate.empty()) return {0, 0};
    graph_ = start_.graph;
    matching_.reset(start_.mate);
    messages_.begin();
    Scaled sample;
    while (graph_.left() > 0 && !sample.is_zero()) {
      if (reduce(sample)) continue;
      Scaled rest;
      if (tail(graph_, rest)) {
        sample.multiply(rest);
        return sample;
      }
      choose(random, sample);
    }
    return sample;
  }

 private:
  using Vertex = BetheGraph::Vertex;
  using EdgeNumber = BetheGraph::EdgeNumber;
  struct Candidate {
    EdgeNumber edge;
    double share;
  };

  /// Takes a single edge, or contracts a vertex with two, if there is one; else false.
  bool reduce(Scaled& sample);
  /// Both ends of the edge leave with it, and the sample is multiplied by its weight; by 0, and nothing else
  /// happens, where no perfect matching has the edge.
  void take(EdgeNumber edge, Scaled& sample);
  /// The edges of v that may be in a perfect matching of what is left, with shares above 0 as the messages
  /// say; their sum.
  double find_candidates(Vertex v);

  template <class Random>
  void choose(Random& random, Scaled& sample) {
    // The last to have lost a neighbour: choices stay where messages have just been passed.
    const Vertex v = graph_.of_least_degree().back();
    messages_.pass(graph_, most_sent_);
    const double total = find_candidates(v);
    const double wanted = uniform(random) * total;
    std::size_t pick = 0;
    double below = 0;
    while (pick + 1 < candidates_.size() && below + candidates_[pick].share <= wanted)
      below += candidates_[pick++].share;
    const double share = candidates_[pick].share;
    chosen(random, below / total, share / total);
    sample.multiply(total / share);
    take(candidates_[pick].edge, sample);
  }

  const BetheStart& start_;
  std::uint64_t most_sent_;  // between two choices
  BetheGraph graph_;
  BetheMessages messages_;
  KeptMatching matching_;
  std::vector<Candidate> candidates_;
};

}  // namespace countpm
