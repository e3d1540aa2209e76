#pragma once
// What a ranked program costs before it is run.
#include <vector>

#include "kernels/frontier/ranked/ranked_program.hpp"

namespace countpm {

/// How fast steps are made, on each of `threads` threads at work at once.
struct RankedRates {
  int threads = 1;
  std::vector<double> slower;  // of every step: so many times the nominal seconds
  double page_byte_ns = 0;     // of a byte of a page touched for the first time
  double listing_ns = 0;       // for the runs of a step to be listed, on one thread
};

/// One core's, which no machine is asked for.
RankedRates nominal_rates(const RankedProgram& program);

/// Seconds with such rates. Small steps are made by one thread. O(steps * (width^2 + pulls * width)).
double ranked_seconds(const RankedProgram& program, const RankedRates& rates);
/// Nominal seconds on one core.
double ranked_seconds(const RankedProgram& program);

/// Nominal seconds of one step on one core: without the listing of its runs, and first touches of pages.
double step_seconds(const RankedStep& step);
/// Whether more than half of that are for runs, not for the values in them.
bool is_of_short_runs(const RankedStep& step);

/// What so many steps take at least.
double least_ranked_seconds(std::size_t steps);

/// Bytes of all tables, and of what is beside them.
double ranked_bytes(const RankedProgram& program);

}  // namespace countpm
