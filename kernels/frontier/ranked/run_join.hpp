#pragma once
// Runs a join, and puts a table's bits in another order.
#include "graph/stop_signal.hpp"
#include "kernels/frontier/ranked/ranked_join.hpp"
#include "kernels/frontier/ranked/ranked_table.hpp"

namespace countpm {

/// Precondition: room in `to`. Throws Stopped. O(states * (width / 8 + words)).
void run_relayout(const RankedRelayout& relayout, const RankedTable& from, RankedTable& to, int threads,
                  const StopSignal& stop);

/// Makes the joined table, in its own order and of the words that `to` has, from the two whose bits are in
/// order. Precondition: room in `to`. Throws Stopped. O(runs + pairs * words of both).
void run_join(const RankedJoin& join, bool negative, const RankedTable& waiting, const RankedTable& top,
              RankedTable& to, int threads, const StopSignal& stop);

}  // namespace countpm
