#pragma once
// Edge probabilities by weighted samples, where no exact method reaches.
//
// A sample is a matching M drawn with some probability q(M), and its weight X = w(M) / q(M): the mean of X is
// the count, that of X times [e in M] the part of it that has the edge e. The share of e is the quotient of
// both sums, its standard error that of a quotient (the delta method): sqrt(sum X^2 ([e in M] - p)^2) / sum
// X. T. Hesterberg, Weighted average importance sampling and defensive mixture distributions, Technometrics
// 37 (1995). Of an edge that N equal samples never, or always, have, that is 0; what they would miss with a
// chance of 5 % is a share of 3/N, which is the upper end of an interval of two standard errors of 1.5/N: so
// much is added, in squares, to every error, N being the effective sample size.
//
// Of pairs of edges the same, by X times [e and f in M]. Independent pieces of the graph are sampled each for
// itself: there P(e and f) = P(e) P(f).
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "src/api/entries.hpp"
#include "src/api/sampled_result.hpp"
#include "src/api/sampling_forecast.hpp"
#include "src/matchings/edge_pairs.hpp"

namespace countpm {

/// Of every edge as marginals() has it. Samples until no standard error is above EdgeSampling::error and the
/// weights raise no doubt, or until the time limit; what is drawn does not depend on the threads. Throws as
/// marginals() does; UnableError for negative weights, and where every sample of a piece is zero; UsageError
/// for options beyond their ranges.
SampledMarginals sampled_marginals(ReadResult read, const CountOptions& options,
                                   const EdgeSampling& sampling);
/// The same, with the labels of every edge to `sink` at the end; of MarginalOptions `started` and `read` are
/// used. What is returned has no edges then.
SampledMarginals sampled_marginals(const Source& source, const ReadOptions& read_options,
                                   const CountOptions& options, const EdgeSampling& sampling,
                                   const MarginalOptions& marginal_options, const SampledEdgeSink& sink);

/// A pair as it is reported.
struct SampledPair {
  SampledEdge first;
  SampledEdge second;
  std::string joint;
  std::string joint_error;
  std::string covariance;
  std::string covariance_error;
};
using SampledPairSink = std::function<bool(const SampledPair&)>;  // false: enough

/// Of pairs of places in the graph's edges. As sampled_marginals(), until no error of an edge is above
/// EdgeSampling::error, nor of the joint probability or the covariance of two edges of one piece. Throws
/// UsageError for a place that there is not, and for maximum matchings.
SampledPairMarginals sampled_pair_marginals(ReadResult read,
                                            const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs,
                                            const CountOptions& options, const EdgeSampling& sampling);
/// Of the pairs of the request, in its order, to `sink` at the end. Throws UsageError (of a file InputError)
/// for an edge that the input does not have.
SampledPairMarginals sampled_pair_marginals(const Source& source, const ReadOptions& read_options,
                                            const CountOptions& options, const EdgeSampling& sampling,
                                            const MarginalOptions& marginal_options,
                                            const PairRequest& request, const SampledPairSink& sink);

/// What they would draw, and how long that is predicted to take: by trial samples, the first of those, for
/// about two seconds. No probability is told. Throws as sampled_marginals() does.
SamplingForecast explain_sampled_marginals(const Source& source, const ReadOptions& read_options,
                                           const CountOptions& options, const EdgeSampling& sampling);
SamplingForecast explain_sampled_marginals(ReadResult read, const CountOptions& options,
                                           const EdgeSampling& sampling);
/// The same of sampled_pair_marginals(), by which it throws.
SamplingForecast explain_sampled_pair_marginals(const Source& source, const ReadOptions& read_options,
                                                const CountOptions& options, const EdgeSampling& sampling,
                                                const MarginalOptions& marginal_options,
                                                const PairRequest& request);

}  // namespace countpm
