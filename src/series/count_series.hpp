#pragma once
// Counts a series: many graphs, some at a time, with their rows in order.
#include <functional>

#include "src/api/entries.hpp"
#include "src/series/series_items.hpp"

namespace countpm {

struct SeriesOptions {
  ReadOptions read;
  /// Limits hold for each count by itself. `progress` is called from one thread at a time, and `interrupted`
  /// from any.
  CountOptions count;
  bool ln_z = false;  // ln Z (ln_z.hpp) in place of counts
  /// How many are counted at a time, each with its share of the threads and the memory. 0: small graphs as
  /// many at a time as there are threads, each on one; the others one by one, with all of them.
  int jobs = 0;
};

/// Calls row() with each graph's row, and idle() while it waits for one, both from the calling thread. An
/// input that cannot be read or counted has a row that says so, and the rest goes on; a lattice that is
/// refused ends its range, whose others are larger. With CountOptions::channel what would be counted by
/// itself, with all threads, is counted on all ranks, where the others follow_questions(); the rest is rank
/// 0's. Throws UsageError for options that there are not, and
/// InterruptedError.
void count_series(const Series& series, const SeriesOptions& options,
                  const std::function<void(SeriesRow)>& row, const std::function<void()>& idle);

}  // namespace countpm
