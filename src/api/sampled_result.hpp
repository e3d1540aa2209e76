#pragma once
// Edge probabilities by samples: what may be asked, and what they say.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "src/api/results.hpp"

namespace countpm {

struct EdgeSampling {
  std::string sampler = "auto";    // or "boundary", "bethe", "annealed"
  double error = 0.01;             // sample until no edge's standard error is larger ...
  std::uint64_t samples = 0;       // ... or draw exactly so many of every piece; 0: the error decides
  double time_limit_seconds = 60;  // stop then, wherever the errors stand; infinity: never
};

/// By weighted samples, each with its standard error.
struct SampledMarginals : Marginals {
  std::vector<double> error;  // beside `probability`; 0 of what is certain
  std::string sampler;        // or samplers: "boundary, bethe"; empty where nothing was sampled
  std::uint64_t samples = 0;  // of the piece that has the fewest, as all that follows
  double effective_samples = 0;
  double pareto_k = 0;  // NaN: no tail
  std::string doubt;    // why the errors cannot be trusted; empty: they can
  std::uint64_t seed = 0;
  std::string goal_missed;  // why the error, or the samples, that were asked for were not reached
  std::string second;       // a sampler, or samplers, whose samples checked these; empty: none did
  std::uint64_t second_samples = 0;
};

/// Of two edges e and f, with the standard errors.
struct PairShares {
  double joint = 0;  // P(e and f)
  double joint_error = 0;
  double covariance = 0;  // P(e and f) - P(e) P(f)
  double covariance_error = 0;
};

/// With the pairs that were asked for, in their order.
struct SampledPairMarginals : SampledMarginals {
  std::vector<PairShares> pairs;  // none where there is no perfect matching
};

/// An edge as it is reported.
struct SampledEdge {
  std::string from;
  std::string to;
  std::string probability;
  std::string error;
};
using SampledEdgeSink = std::function<bool(const SampledEdge&)>;  // false: enough

/// How matchings were drawn by weighted samples.
struct DrawnApproximately {
  std::uint64_t draws = 0;
  std::string sampler;        // or samplers: "annealed"; empty where there was nothing to choose
  std::uint64_t samples = 0;  // of all pieces together: those that were tried for a draw, and trials before
  double effective_samples = 0;  // as what follows, of the piece that fares worst
  double pareto_k = 0;           // NaN: no tail
  /// By how much the chance of anything may be off, about (total variation): the share of the weights above
  /// what draws make up for, and what the samples may have missed, 3 over their number; of all pieces
  /// together.
  double off = 0;
  std::string doubt;  // why that cannot be trusted; empty: it can
  std::uint64_t seed = 0;
};

}  // namespace countpm
