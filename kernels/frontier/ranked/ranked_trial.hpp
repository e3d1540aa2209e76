#pragma once
// A ranked program tried for some milliseconds before it is run: stretches of a few of its large steps, with
// the runs, words and weights that they have, on all the threads that will run it.
//
// A trial has no room for whole tables, nor time to touch their pages. Each thread has rings of some MiB, in
// which a place of a large table is at its number modulo the ring's size: what is read is as far from each
// other, and as long, as it will be. Every few stretches the ring that is read is taken out of the
// processor's caches, in which a large table would not be. How long first touches of pages take is seen when
// the rings are made.
#include <cstdint>

#include "kernels/frontier/ranked/ranked_cost.hpp"
#include "kernels/frontier/ranked/runs/add_runs.hpp"
#include "kernels/method.hpp"

namespace countpm {

struct TrialOptions {
  int threads = 1;
  double seconds = 0.01;  // of each thread, for stretches; rings take some milliseconds beside
  RunCode code = RunCode::best;
};

/// Rates for all steps; those that are not tried are as the nearest that is. Throws Stopped, and
/// std::bad_alloc. Memory: trial_bytes for each thread, and the values of a block.
RankedRates try_ranked(const RankedProgram& program, const StopSignal& stop, const TrialOptions& options);

/// Of each of one or two threads; more share what two have, down to a quarter each: all of them together read
/// what no cache holds, and rings have to be touched.
inline constexpr std::uint64_t trial_bytes = std::uint64_t{20} << 20;

}  // namespace countpm
