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
  Scaled draw(WalkRandom& random, const StopSignal& stop);

 private:
  double mean_at_last(WalkRandom& random, const StopSignal& stop);

  const SampleGraph& graph_;
  const AnnealingSchedule& schedule_;
  const AnnealingStart& start_;
  GeneralBetheWalk first_;
  MatchingChain chain_;
  std::vector<double> step_;    // of ln of every vertex's activity
  std::vector<double> factor_;  // e^-step
  std::vector<double> last_;    // what a hole counts for over its activity at the last stage
};

}  // namespace countpm
