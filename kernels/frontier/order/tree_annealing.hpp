#pragma once
// Simulated annealing of trees: of the orders of elimination that they come from.
#include <cstdint>
#include <random>
#include <vector>

#include "kernels/frontier/order/order_search.hpp"
#include "kernels/orders/class_graph.hpp"

namespace countpm {

/// A move puts a class next to one of its neighbours in the order; the whole program is forecast again:
/// O(classes * width) or so, and O(classes^3) where the graph is dense.
class TreeAnnealing {
 public:
  TreeAnnealing(const ClassGraph& graph, std::uint64_t seed) : graph_(graph), random_(seed) {}

  /// From here on; forgets the best.
  void start(std::vector<Index> order, Index inlined);
  /// So many moves, at temperatures (in bits of work) that fall from `hot` to `cold`. Throws Stopped.
  void run(double hot, double cold, std::uint64_t moves, const StopSignal& stop);

  const std::vector<Index>& best() const { return best_; }

 private:
  double cost(const std::vector<Index>& order) const;

  const ClassGraph& graph_;
  std::mt19937_64 random_;
  Index inlined_ = 1;
  std::vector<Index> order_, place_, best_;
  double cost_ = 0;
  double best_cost_ = 0;
};

}  // namespace countpm
