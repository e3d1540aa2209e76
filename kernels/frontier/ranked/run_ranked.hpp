#pragma once
// Runs the steps of a ranked program.
#include <gmpxx.h>

#include <cstdint>
#include <functional>

#include "kernels/frontier/ranked/ranked_program.hpp"
#include "kernels/frontier/ranked/runs/add_runs.hpp"
#include "kernels/method.hpp"

namespace countpm {

struct RankedOptions {
  int threads = 1;
  std::uint64_t memory_bytes = ~std::uint64_t{0};  // for all tables
  RunCode code = RunCode::best;
  /// Called after every step with the share of the moves made so far.
  std::function<void(double share)> progress;
};

/// The last table's one value, modulo 2^64 to the power of its words; the same for any number of threads.
/// Throws Stopped, and UnableError where the tables take more than the memory (before they do). Time:
/// O(moves * words), of pairs of states that are joined O(words of both multiplied); memory:
/// RankedProgram::bytes, and a list of runs for each step.
mpz_class run_ranked(const RankedProgram& program, const StopSignal& stop, const RankedOptions& options);

}  // namespace countpm
