#pragma once
// What another rank does while rank 0 draws matchings, or finds edge probabilities.
#include "src/api/entries.hpp"
#include "src/api/sampled_result.hpp"
#include "src/matchings/edge_pairs.hpp"

namespace countpm {

/// Follows sample_matchings() of rank 0, with the same options. Throws EndOfCount (follower.hpp) at the end,
/// or returns where the input alone says that there is nothing to do.
void follow_sample(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                   const SampleOptions& sample_options);
/// The same of sampled_marginals().
void follow_sampled_marginals(const Source& source, const ReadOptions& read_options,
                              const CountOptions& options, const EdgeSampling& sampling);
/// The same of sampled_pair_marginals().
void follow_sampled_pair_marginals(const Source& source, const ReadOptions& read_options,
                                   const CountOptions& options, const EdgeSampling& sampling,
                                   const MarginalOptions& marginal_options, const PairRequest& request);

/// The same of marginals().
void follow_marginals(const Source& source, const ReadOptions& read_options, const CountOptions& options);
/// The same of pair_probabilities().
void follow_pairs(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                  const MarginalOptions& marginal_options, const PairRequest& request);

}  // namespace countpm
