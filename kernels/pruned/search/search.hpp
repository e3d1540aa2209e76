#pragma once
// The search for a good PrunedPlan: annealing of the column order, local search of the shift.
#include <cstdint>
#include <random>
#include <vector>

#include "kernels/pruned/search/order_cost.hpp"
#include "kernels/pruned/tree.hpp"

namespace countpm {

/// A first plan in next to no time: columns row by row, the row with the fewest open columns next; classes of
/// equal columns first; x about half of each row sum, spread. O(n^2 + entries).
template <class Int>
PrunedPlan<Int> first_plan(const IntegerColumns<Int>& columns, unsigned most_tail, std::uint64_t seed);

/// One way through plans: each round anneals the order for the present chances of the rows, then moves shifts
/// to where a census says that they gain.
class PrunedChain {
 public:
  /// Keeps a reference to the columns.
  PrunedChain(const IntegerColumns<std::int64_t>& columns, unsigned most_tail, std::uint64_t seed);

  /// effort: how many times as much as a first round's; hot: where annealing begins, in log2 of the cost.
  void round(double effort, double hot);
  /// Samples the tree of where the chain is.
  void sample(std::size_t population);
  /// Where the chain is, and what that costs (log2, in visits) by its last sample.
  const PrunedPlan<std::int64_t>& plan() const { return now_; }
  double log2_cost() const { return log2_cost_; }
  /// From there it goes on, by chance of its own.
  void go_on_from(const PrunedChain& other);

 private:
  void move_shifts(std::size_t population);
  void start_shifts();

  const IntegerColumns<std::int64_t>& columns_;
  std::mt19937_64 random_;
  PrunedPlan<std::int64_t> now_;
  OrderModel model_;
  double log2_cost_;
};

/// Chains side by side, the best of which draw on the others. Goes on for as long as it is asked to, in
/// rounds that depend on the seed, their number and that of the chains alone: the plan after so many rounds
/// is always the same.
class PrunedSearch {
 public:
  /// Keeps a reference to the columns.
  PrunedSearch(const IntegerColumns<std::int64_t>& columns, unsigned most_tail, std::uint64_t seed,
               unsigned chains);

  /// A round of every chain, one to a thread: some 5 ms for the first ones at n = 48, each dearer than the
  /// one before it.
  void round();
  unsigned rounds() const { return rounds_; }
  /// The best so far, and what it costs (log2, in visits) as far as samples of its tree can tell.
  const PrunedPlan<std::int64_t>& plan() const { return best_; }
  double log2_cost() const { return log2_best_; }

 private:
  void keep_best(std::size_t population);
  std::vector<std::size_t> chains_by_cost() const;
  void restart_worse_half();

  const IntegerColumns<std::int64_t>& columns_;
  std::mt19937_64 random_;
  std::vector<PrunedChain> chains_;
  PrunedPlan<std::int64_t> best_;
  double log2_best_;
  double best_sampled_ = 0;  // members of all samples that log2_best_ is the mean of
  unsigned rounds_ = 0;
};

}  // namespace countpm
