#pragma once
// What another rank does while rank 0 draws matchings, or samples for edge probabilities.
#include "src/api/entries.hpp"
#include "src/api/sampled_result.hpp"

namespace countpm {

/// Follows sample_matchings() of rank 0, with the same options. Throws EndOfCount (follower.hpp) at the end,
/// or returns where the input alone says that there is nothing to do.
void follow_sample(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                   const SampleOptions& sample_options);
/// The same of sampled_marginals().
void follow_sampled_marginals(const Source& source, const ReadOptions& read_options,
                              const CountOptions& options, const EdgeSampling& sampling);

}  // namespace countpm
