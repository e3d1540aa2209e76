#pragma once
// What another rank does while rank 0 leads a series, a comparison or replicates.
#include "src/estimate/estimate.hpp"

namespace countpm {

/// Follows the counts and estimates that rank 0 has others take part in (rank_jobs.hpp). The options are
/// those of the whole, the channel among them. Never returns: throws EndOfCount (follower.hpp) at the end.
[[noreturn]] void follow_questions(const ReadOptions& read_options, const CountOptions& count_options,
                                   const EstimateOptions& options);

}  // namespace countpm
