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

/// Goes on for as long as it is asked to, in rounds that depend on the seed and their number alone: the plan
/// after so many rounds is always the same. Each round anneals the order for the present chances of the rows,
/// then moves shifts to where a census says that they gain.
class PrunedSearch {
 public:
  /// Keeps a reference to the columns.
  PrunedSearch(const IntegerColumns<std::int64_t>& columns, unsigned most_tail, std::uint64_t seed);

  /// A round: some 5 ms for the first ones at n = 48, each dearer than the one before it.
  void round();
  unsigned rounds() const { return rounds_; }
  /// The best so far, and what it costs (log2, in visits) as far as censuses can tell.
  const PrunedPlan<std::int64_t>& plan() const { return best_; }
  double log2_cost() const { return log2_best_; }

 private:
  void move_shifts(std::size_t population);
  double measured_cost(std::size_t population);
  void start_shifts();

  const IntegerColumns<std::int64_t>& columns_;
  std::mt19937_64 random_;
  PrunedPlan<std::int64_t> now_;
  PrunedPlan<std::int64_t> best_;
  OrderModel model_;
  double log2_best_;
  unsigned rounds_ = 0;
};

}  // namespace countpm
