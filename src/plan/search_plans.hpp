#pragma once
// How long to search for better plans (orders, shifts) before counting: an any-time balance of the search's
// cost against the seconds that it saves.
//
// In rounds, every job that can be improved gets a slice of time, twice as long each round. With t the least
// predicted seconds of all methods and T the seconds left of the time limit:
//   t <= T: as long as the search has taken less than `share_of_count` of t, all planning less than
//           `share_of_planning` (or the search no more than `share_of_first_rounds`), and its last rounds
//           have saved more than they took.
//   t > T:  as long as it has taken less than `share_of_limit` of T, and t falls fast enough, per doubling of
//           the time searched, to come below T before that.
// A method behind the best gets slices only as long as it gains enough to catch up in the time that is left.
#include <functional>
#include <vector>

#include "src/plan/candidates.hpp"

namespace countpm {

struct SearchContext {
  double seconds_left = 0;     // of the time limit; infinity: none
  double planned_seconds = 0;  // that planning has taken before
  double entries = 0;          // of the block
  const Resources* resources = nullptr;
  const StopSignal* stop = nullptr;
  std::function<double()> clock;  // seconds, from any start
  /// Called before each slice, for the progress bar: who gets how many seconds, and the most that all may
  /// get.
  std::function<void(const Candidate&, double slice, double budget)> before_slice;
  /// Called after each round with the seconds taken so far: may add candidates, and says whether it did. May
  /// be empty.
  std::function<bool(double spent)> join;
};

/// Improves the candidates' jobs and their predictions; returns the seconds taken. Throws Stopped.
double search_plans(std::vector<Candidate>& candidates, const SearchContext& context);

}  // namespace countpm
