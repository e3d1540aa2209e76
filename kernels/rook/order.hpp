#pragma once
// In which order the vertices of a graph are eliminated when its rook polynomial is counted, and what that
// costs.
//
// The frontier are the vertices that are neither eliminated nor finished but have an eliminated neighbour;
// a vertex is finished once all its neighbours are eliminated. A state is the set of frontier vertices that
// hold a rook, its value a polynomial in the number of rooks outside the frontier; so a step from a frontier
// of w vertices to one of w' costs O((2^w degree + 2^w') length).
// Search: greedy starts, then annealing on the log of the cost. S. Kirkpatrick et al., Optimization by
// simulated annealing, Science 220 (1983).
#include <cstdint>
#include <random>
#include <vector>

#include "kernels/rook/complement_graph.hpp"
#include "kernels/support/work_meter.hpp"

namespace countpm {

/// Element operations and widths of one order. Finite: beyond 2^1000 they are cut off.
struct RookForecast {
  double log2_work = 0;  // additions of coefficients, all steps
  double log2_peak = 0;  // coefficients alive at once: a step's input and output
  unsigned width = 0;    // the widest frontier
};

/// Any permutation of the vertices with neighbours; those finished when their turn comes are passed over.
class RookOrder {
 public:
  /// The best of the greedy orders: by rows, by columns, by both. O(vertices^2 + vertices edges / 64) or so.
  RookOrder(const ComplementGraph& graph, std::uint64_t seed);

  /// Starts from a given order instead. Throws PlanError where it is none of this graph.
  RookOrder(const ComplementGraph& graph, std::vector<Index> order);

  /// Tries `moves` moves of the annealing, from the best order so far. Deterministic but for a deadline that
  /// cuts it short. O(edges) a move. Throws Stopped.
  void anneal(std::uint64_t moves, WorkMeter& meter);
  void anneal(std::uint64_t moves);

  const std::vector<Index>& best() const { return best_; }
  const RookForecast& forecast() const { return forecast_; }
  /// removed: vertices that are left out with their edges; empty: none.
  RookForecast evaluate(const std::vector<Index>& order, const std::vector<bool>& removed = {}) const;

 private:
  enum class Side { rows, columns, both };
  std::vector<Index> greedy(Side side) const;
  void propose(const std::vector<Index>& order);

  // The graph's shape, apart from its weights: evaluate() runs over it a million times.
  bool general_;
  Index size_;
  std::vector<std::uint64_t> start_;
  std::vector<Index> neighbour_;
  std::vector<Index> best_;
  RookForecast forecast_;
  std::mt19937_64 random_;
  mutable std::vector<Index> left_;            // neighbours not yet eliminated
  mutable std::vector<unsigned char> status_;  // 0 outside, 1 frontier, 2 eliminated or finished
};

}  // namespace countpm
