#pragma once
// Every rank of an estimate on several machines but rank 0.
#include "src/estimate/estimate.hpp"

namespace countpm {

/// Reads the input, makes the samplers of the blocks that rank 0 tells of, and draws the samples that it
/// gets. As follow() (src/count/follow_count.hpp): returns where the input alone says that there is nothing
/// to do; else throws EndOfCount, or what went wrong. The checkpoint and the time limit are rank 0's.
void follow_estimate(const Source& source, const ReadOptions& read_options, const CountOptions& count_options,
                     const EstimateOptions& options);

}  // namespace countpm
