#pragma once
// Sequential importance sampling by belief propagation: sparse matrices whose cycles are long, of any size.
//
// A walk chooses a vertex of least degree, row or column, and gives it a neighbour j with probability p_j in
// proportion to what the messages say (estimate/bethe/messages.hpp), among those that some perfect matching
// of what is left allows, as far as a short search can tell: where a choice allows none after all, the sample
// is 0. The sample is multiplied by a_ij / p_j, and messages are passed again around what has left. Where a
// vertex has a single edge, that is taken; where it has two, its neighbours become one (H. Forbert, D. Marx,
// Comput. Phys. Commun. 150 (2003)): exact, so that about half of the choices on random sparse graphs are
// none. Chances from belief propagation and none that must fail, for counting in general: V. Gogate, R.
// Dechter, SampleSearch, Artif. Intell. 175 (2011).
//
// For the CPU and GPUs alike: a warp walks as one, and its lanes look side by side.
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/bethe/forks.hpp"
#include "kernels/estimate/bethe/graph.hpp"
#include "kernels/estimate/bethe/messages.hpp"
#include "kernels/estimate/walks/kept_matching.hpp"
#include "kernels/estimate/walks/strata.hpp"

namespace countpm {

template <class Warp>
class BetheSteps {
 public:
  COUNTPM_HD BetheSteps(Warp& warp, const BetheGraph& graph, const BetheSettings& settings)
      : warp_(warp),
        graph_(graph),
        settings_(settings),
        messages_(warp, graph, settings),
        matching_(warp, graph) {}

  /// One step of a walk that has led to `sample`: an edge is taken, or a vertex contracted. False where the
  /// walk has ended. tail(graph, rest) is asked before every choice and ends the walk where it puts the
  /// permanent of what is left into `rest`. At most settings.most_vertices() vertices send before a choice,
  /// and as many short searches are made as there are edges to choose from.
  template <class Random, class Tail>
  COUNTPM_HD bool step(Random& random, Tail& tail, Scaled& sample) const {
    if (graph_.left() == 0 || sample.is_zero()) return false;
    // The last to have lost a neighbour: choices stay where messages have just been passed.
    const Vertex v = least();
    const std::uint32_t degree = graph_.degree(v);
    if (degree == 1) {
      take(graph_.edges(v)[0], sample);
      return true;
    }
    if (degree == 2 && contract(v, sample)) return true;
    Scaled rest;
    if (tail(graph_, rest)) {
      sample.multiply(rest);
      return false;
    }
    choose(v, random, sample);
    return true;
  }

 private:
  using Vertex = BetheGraph::Vertex;
  using EdgeNumber = BetheGraph::EdgeNumber;
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;

  // No allowed edge has a smaller share of its vertex: no factor of a sample is then larger than 2^40 and the
  // number of edges.
  static constexpr double least_share = 0x1p-40;

  /// Of the vertices of least degree the one that has come to it last. Precondition: some are left.
  COUNTPM_HD Vertex least() const {
    for (std::uint32_t base = 0;; base += 32) {
      const std::uint32_t some = warp_.ballot([&](unsigned lane) {
        const std::uint32_t degree = base + lane;
        return degree <= graph_.most_degree() && graph_.first_of_degree(degree) != BetheGraph::no_vertex;
      });
      if (some != 0) return graph_.first_of_degree(base + lowest_bit(some));
    }
  }

  /// v, of degree 2, if what becomes of it fits.
  COUNTPM_HD bool contract(Vertex v, Scaled& sample) const {
    PerLane<double> factor;
    warp_.sync();
    warp_.each(1, [&](unsigned lane) {
      const BetheGraph::Contraction contraction = graph_.contraction(v);
      if (!graph_.fits(contraction)) return;
      factor[lane] = contraction.factor;
      contract_in_matching(graph_, v, contraction.kept, contraction.other);
      messages_.changed(contraction.kept, 1);
      graph_.contract(v, contraction, [&](Vertex neighbour) { messages_.changed(neighbour, 1); });
    });
    warp_.sync();
    const double by = warp_.broadcast(factor, 0);
    if (by == 0) return false;
    sample.multiply(by);
    return true;
  }

  /// Both ends of the edge leave with it, and the sample is multiplied by its weight; by 0, and nothing else
  /// happens, where no perfect matching has the edge.
  COUNTPM_HD void take(EdgeNumber number, Scaled& sample) const {
    const BetheGraph::Edge taken = graph_.edge(number);
    if (!matching_.take(taken.end[0], taken.end[1])) {
      sample = {0, 0};
      return;
    }
    sample.multiply(taken.weight);
    warp_.sync();
    warp_.once([&] {
      for (const Vertex v : taken.end) {
        // Without the edge a neighbour receives less, by odds times what is left.
        graph_.remove(v, [&](const BetheGraph::Edge& lost, Vertex neighbour) {
          messages_.changed(neighbour, lost.odds());
        });
      }
    });
  }

  /// graph_.shares(): of the edges of v; 0 for those that are in no perfect matching of what is left. Their
  /// sum.
  COUNTPM_HD double find_shares(Vertex v) const {
    const unsigned s = graph_.side(v);
    const BetheGraph::EdgeList edges = graph_.edges(v);
    double* const shares = graph_.shares();
    warp_.each([&](unsigned lane) {
      for (std::uint32_t k = lane; k < edges.size(); k += 32) {
        const BetheGraph::Edge& edge = graph_.edge(edges[k]);
        shares[k] = may_take(graph_, edge.end[0], edge.end[1]) ? edge.brought_to(s) : 0;
      }
    });
    warp_.sync();
    double total = 0;
    for (std::uint32_t k = 0; k < edges.size(); ++k) total += shares[k];
    warp_.sync();
    warp_.each([&](unsigned lane) {
      for (std::uint32_t k = lane; k < edges.size(); k += 32) {
        if (shares[k] == 0) continue;
        const double share = shares[k] / total;
        shares[k] = share < least_share ? least_share : share;
      }
    });
    warp_.sync();
    double sum = 0;
    for (std::uint32_t k = 0; k < edges.size(); ++k) sum += shares[k];
    return sum;
  }

  template <class Random>
  COUNTPM_HD void choose(Vertex v, Random& random, Scaled& sample) const {
    messages_.pass(settings_.most_vertices(graph_.left()));
    const double total = find_shares(v);
    const BetheGraph::EdgeList edges = graph_.edges(v);
    const double* const shares = graph_.shares();
    const double wanted = uniform(random) * total;
    std::uint32_t pick = 0;
    double share = 0;
    double below = 0;
    double before = 0;
    for (std::uint32_t k = 0; k < edges.size(); ++k) {
      if (shares[k] == 0) continue;
      pick = k;  // the last one, should rounding leave `wanted` beyond it
      share = shares[k];
      before = below;
      below += share;
      if (below > wanted) break;
    }
    chosen(random, before / total, share / total);
    sample.multiply(total / share);
    take(edges[pick], sample);
  }

  Warp& warp_;
  const BetheGraph& graph_;
  const BetheSettings& settings_;
  BetheMessages<Warp> messages_;
  KeptMatching<Warp> matching_;
};

/// How many vertices wait at most in each of a walk's lists; more are forgotten, the longest there first.
inline constexpr std::uint32_t bethe_waiting = 2048;

/// Where every walk on a matrix begins: messages passed until they change too little
/// (estimate/bethe/messages.hpp; at most 400 times as many vertices as there are have then sent), and a
/// perfect matching. O(entries) a pass; maximum_matching's complexity.
class BetheStart {
 public:
  explicit BetheStart(const SampleMatrix& matrix);

  /// Whether there is a perfect matching; else all walks are 0, and there are no messages.
  bool matched() const { return matched_; }
  const BetheSettings& settings() const { return settings_; }
  const BetheLayout& layout() const { return memory_.layout(); }
  /// What walks begin with: of layout().bytes, the first layout().image_bytes.
  const BetheMemory& memory() const { return memory_; }

 private:
  BetheSettings settings_;
  BetheMemory memory_;
  bool matched_;
};

/// Draws samples on the CPU, one after another. O(entries) memory. Not thread-safe: one for each thread;
/// `start` must outlive it.
class BetheWalk {
 public:
  explicit BetheWalk(const BetheStart& start)
      : start_(start),
        memory_(start.layout()),
        graph_(memory_.graph()),
        steps_(warp_, graph_, start.settings()),
        forks_(warp_, graph_, start.settings()) {}
  BetheWalk(const BetheWalk&) = delete;
  BetheWalk& operator=(const BetheWalk&) = delete;

  /// One sample, which depends on the start, `random` and `tail` alone; of one end only where it may not
  /// fork.
  template <class Random, class Tail>
  Scaled draw(Random& random, Tail& tail, bool may_fork = true) {
    if (!start_.matched()) return {0, 0};
    memory_.copy_image(start_.memory());
    BetheBranch branch;
    do {
      do {
        if (may_fork) forks_.look(branch);
      } while (steps_.step(random, tail, branch.value));
    } while (forks_.go_on(branch));
    return branch.sum;
  }

 private:
  const BetheStart& start_;
  LoneWarp warp_;
  BetheMemory memory_;
  BetheGraph graph_;
  BetheSteps<LoneWarp> steps_;
  BetheForks<LoneWarp> forks_;
};

}  // namespace countpm
