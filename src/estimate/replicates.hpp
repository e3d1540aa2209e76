#pragma once
// Several independent estimates of one graph, and the one that they make together: whether errors are what
// they are shown as can be seen in how far they lie apart.
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "src/checks/checks.hpp"
#include "src/estimate/estimate.hpp"

namespace countpm {

/// The seed of replicate number `replicate`: the given one of number 0, below 2^53 of all others. Each draws
/// with it what an estimate of that seed draws.
std::uint64_t seed_of_replicate(std::uint64_t seed, std::uint64_t replicate);

/// Chi-square over the standard errors, of the distances from the weighted mean; it contradicts them where
/// chance leads to one as large hardly ever (1 in 1000). Precondition: two estimates or more, none in doubt.
ReplicateSpread spread_of(const std::vector<Replicate>& replicates);

/// The probability of a chi-square of so many degrees of freedom above x; in closed form, O(degrees).
double chi_square_tail(double x, std::uint64_t degrees);

/// The mean of the estimates, all of the same weight, which is unbiased as each of them is: variances and
/// third cumulants of independent means add up. In doubt where one of them is, and where they contradict
/// their errors. Precondition: as many replicates as estimates.
Estimate joined_replicates(const std::vector<Estimate>& estimates, const std::vector<Replicate>& replicates,
                           const std::optional<ReplicateSpread>& spread, Checks& checks);

/// EstimateOptions::replicates times estimate(), each with its seed and its part of the time limit. Where
/// nothing is left to sample the first says all.
EstimateResult replicated_estimate(const Source& source, const ReadOptions& read_options,
                                   const CountOptions& count_options, const EstimateOptions& options);
/// How one of them is made.
using EstimateOne = std::function<EstimateResult(ReadResult read, const CountOptions& count_options,
                                                 const EstimateOptions& options)>;
/// The same of what was read in so many seconds.
EstimateResult replicated_estimate(const ReadResult& read, const CountOptions& count_options,
                                   const EstimateOptions& options, double seconds, const EstimateOne& one);

}  // namespace countpm
