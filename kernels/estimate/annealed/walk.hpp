#pragma once
// A sample by annealed importance sampling: a matching with many holes by belief propagation, which a Markov
// chain then leads to few holes while their activities fall.
//
// With f_t of estimate/annealed/chain.hpp at step t the sample is
//   X = (f_0's sum, estimated by the first matching's own chance) * product of f_{t+1}(M_t) / f_t(M_t),
// M_t the matching after step t, and at the end times the mean, over some more moves, of what a matching
// counts for over f_T: 0 if a vertex is alone that must not be. Every step leaves its f_t's law as it is, so
// that E[X] is the sum over the graph's matchings, however far from equilibrium the chain is. R. M. Neal,
// Annealed importance sampling, Stat. Comput. 11 (2001); C. Jarzynski, Nonequilibrium equality for free
// energy differences, Phys. Rev. Lett. 78 (1997).
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/annealed/chain.hpp"
#include "kernels/estimate/annealed/schedule.hpp"
#include "kernels/estimate/annealed/start.hpp"
#include "kernels/estimate/bethe/general_walk.hpp"

namespace countpm {

/// Draws samples one after the other. Not thread-safe: one for each thread.
class AnnealedWalk {
 public:
  AnnealedWalk(const SampleGraph& graph, const AnnealingSchedule& schedule, const AnnealingStart& start);

  /// Throws Stopped.
  Scaled draw(BulkRandom& random, const StopSignal& stop);

  /// From here on every sample keeps one of the matchings that the mean at its end is of, chosen in
  /// proportion to what they count for: E[X f(matching)] is the sum, over all matchings, of what each counts
  /// times f.
  void keep_matchings() { keeps_ = true; }
  /// That of the sample before, as pairs of vertices, (v, v) for one alone; nothing of a sample that is 0.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& matching() const { return matching_; }

 private:
  double mean_at_last(BulkRandom& random, const StopSignal& stop);
  void keep();

  const SampleGraph& graph_;
  const AnnealingSchedule& schedule_;
  const AnnealingStart& start_;
  GeneralBetheWalk first_;
  MatchingChain chain_;
  std::vector<double> step_;    // of ln of every vertex's activity
  std::vector<double> factor_;  // e^-step
  std::vector<double> last_;    // what a hole counts for over its activity at the last stage
  bool keeps_ = false;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> matching_;
};

}  // namespace countpm
