#pragma once
// A count on every rank but rank 0.
#include "src/api/entries.hpp"

namespace countpm {

/// Reads the input, makes the plan that rank 0 sends, and runs the units that it gets. Returns where the
/// input alone says that there is nothing to do; else throws EndOfCount (src/distributed/follower.hpp), or
/// what went wrong. options.channel is this rank's. The time limit is rank 0's to watch.
void follow(const Source& source, const ReadOptions& read_options, const CountOptions& options);

}  // namespace countpm
