#pragma once
// The search for a cheap elimination: greedy starts, nested dissection, annealing; linear orders and trees.
#include <cstdint>
#include <limits>
#include <memory>

#include "kernels/frontier/order/elimination.hpp"
#include "kernels/method.hpp"
#include "kernels/order_kind.hpp"
#include "kernels/orders/class_graph.hpp"

namespace countpm {

/// What an elimination will cost. Every table's number of states is at most the number of matched-count
/// vectors that its frontier admits (for a matrix: those with the right difference between rows and columns,
/// C(a + b, .) where all multiplicities are 1). Classes whose last neighbour goes are closed with it: states
/// that leave them open are never made, and their own step costs nothing.
/// Of a sampled forecast, states, peak states and transitions are estimates of what is really reached;
/// log2_peak_bytes_states remains a bound, for the memory.
struct EliminationForecast {
  double log2_states = 0;       // of all tables together
  double log2_peak_states = 0;  // of the largest table (a step's output)
  double log2_peak_bytes_states =
      0;                        // of the most states alive at once: the stack, and a step's input + output
  double log2_transitions = 0;  // (state, choice) pairs of all steps, pairs of joins, each that is to be
                                // sorted for price_of_a_sorted_pair: the work
  double log2_likely_peak = 0;  // the estimate of log2_peak_bytes_states; equal to it where not sampled
  unsigned peak_width = 0;      // classes in the widest frontier
  bool sampled = false;         // reachable states estimated by sampling, not bounded
};

/// log2 of the states that the memory has room for: with all values beside them, and in passes over the same
/// order, each with some of the values (kernels/frontier/modulus_groups.hpp). Tables of wider frontiers than
/// `widest_without_keys` need keys, and long counts then take several times as long.
struct StatesAllowed {
  double at_once = std::numeric_limits<double>::infinity();
  double in_passes = std::numeric_limits<double>::infinity();  // at least at_once
  unsigned widest_without_keys = std::numeric_limits<unsigned>::max();
};

/// An any-time search. Its results depend on the graph, the seed and the calls made, never on the clock: the
/// seconds given are turned into a number of operations by a nominal speed, so that a plan made with the same
/// calls is the same everywhere; on a slower machine it takes longer.
class OrderSearch {
 public:
  /// Starts with the best of some greedy orders: O(entries) each, milliseconds for a graph of thousands of
  /// classes, under a second for 10^5.
  /// Orders whose tables (log2_peak_bytes_states) are larger than is allowed lose to those that fit.
  OrderSearch(ClassGraph graph, std::uint64_t seed, OrderKind kind = OrderKind::automatic,
              const StatesAllowed& allowed = {});
  ~OrderSearch();
  OrderSearch(OrderSearch&&) noexcept;
  OrderSearch& operator=(OrderSearch&&) noexcept;

  /// Searches on for about that many nominal seconds (METIS nested dissection and minimum-degree starts
  /// first, then annealing of linear orders and of trees), on each of the threads by other chance; all go on
  /// from the best. The result depends on graph, seed and the calls made (how the seconds are sliced, on how
  /// many threads), never on the clock. Returns whether the forecast became better. Throws Stopped.
  bool improve(double seconds, const StopSignal& stop, int threads = 1);
  /// Whether there is anything left to search for.
  bool improvable() const;
  /// Estimates how many of the states that the bound allows are reachable, by sampling, and makes it the
  /// forecast; costs about that many nominal seconds at most. What improve() finds later is forecast with the
  /// same shares until the next call.
  void sample(double seconds, const StopSignal& stop);

  const ClassGraph& graph() const;
  const Elimination& best() const;
  const EliminationForecast& forecast() const;
  /// The best without joins, for what needs a line: best() itself where that is one. Forecast by the bound.
  const Elimination& best_linear() const;
  const EliminationForecast& linear_forecast() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The forecast of one given elimination, by the bound alone. O(steps * width). Throws std::invalid_argument
/// where it is none of this graph.
EliminationForecast forecast_elimination(const ClassGraph& graph, const Elimination& elimination);

}  // namespace countpm
