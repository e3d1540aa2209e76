#pragma once
// An estimate whose samples others draw: who they are, and how they hear of it, is the caller's.
#include "src/estimate/estimate.hpp"

namespace countpm {

class SampleBoard;  // src/distributed/sample_board.hpp

/// As estimate(), but the samples are posted on the board, from another thread than those that take them
/// away; blocks that are easy are counted here. count_options.checkpoint may be used: InputInfo::sha256 is to
/// say then which graph it is. Replicates have plans of their own, one after another. Throws UsageError, too,
/// where GPUs or several ranks were asked for.
EstimateResult estimate_on_board(SampleBoard& board, ReadResult read, const CountOptions& count_options,
                                 const EstimateOptions& options);

}  // namespace countpm
