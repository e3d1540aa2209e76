#pragma once
// The search for a cheap elimination: greedy starts, nested dissection, annealing; linear orders and trees.
#include <cstdint>
#include <memory>

#include "kernels/frontier/class_graph.hpp"
#include "kernels/frontier/elimination.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// What an elimination will cost. Every table's number of states is at most the number of matched-count
/// vectors that its frontier admits (for a matrix: those with the right difference between rows and columns,
/// C(a + b, .) where all multiplicities are 1).
struct EliminationForecast {
  double log2_states = 0;        // of all tables together
  double log2_peak_states = 0;   // of the largest table (a step's output)
  double log2_peak_bytes_states = 0;  // of the most states alive at once: the stack, and a step's input + output
  double log2_transitions = 0;   // (state, choice) pairs of all steps, pairs tried by joins: the work
  unsigned peak_width = 0;       // classes in the widest frontier
  bool sampled = false;          // reachable states estimated by sampling, not bounded
};

/// An any-time search. Deterministic in graph, seed and the number of moves made, not in the clock: callers
/// that need the same units everywhere give it moves, not seconds.
class OrderSearch {
 public:
  /// Starts with the best of some greedy orders: O(entries log entries) or so, milliseconds for a graph of
  /// thousands of classes.
  OrderSearch(ClassGraph graph, std::uint64_t seed);
  ~OrderSearch();
  OrderSearch(OrderSearch&&) noexcept;
  OrderSearch& operator=(OrderSearch&&) noexcept;

  /// Searches on for about that long (METIS nested dissection and minimum-degree starts first, then annealing
  /// of linear orders and of trees). Returns whether the forecast became better. Throws Stopped.
  bool improve(double seconds, const StopSignal& stop);
  /// Estimates how many of the states that the bound allows are reachable, by sampling, and makes it the
  /// forecast; costs about that long.
  void sample(double seconds, const StopSignal& stop);

  const ClassGraph& graph() const;
  const Elimination& best() const;
  const EliminationForecast& forecast() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The forecast of one given elimination, by the bound alone. O(steps * width).
EliminationForecast forecast_elimination(const ClassGraph& graph, const Elimination& elimination);

}  // namespace countpm
