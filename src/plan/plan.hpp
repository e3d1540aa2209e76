#pragma once
// The planner: for each block the cheapest method that fits the limits, by predicted seconds.
#include <memory>
#include <string>
#include <vector>

#include "kernels/method.hpp"
#include "src/api/entries.hpp"
#include "src/machine/resources.hpp"
#include "src/number/choose_arithmetic.hpp"
#include "src/plan/candidates.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// How one block will be counted. Where no method can (none is without obstacle, or forecasts are beyond
/// hope), `job` is empty.
struct BlockPlan {
  BlockForecast forecast;  // every method considered; what `explain` shows
  const Method* method = nullptr;
  ArithmeticChoice choice;
  std::unique_ptr<Job> job;
  unsigned skip_primes = 0;  // as the choice was made
  Processors processors;     // that will run it
  double seconds = 0;        // predicted, with those; infinity where there is no job
};

/// What narrows the choice, and how much thought it is worth.
struct PlanRequest {
  CandidateRequest candidates;  // ask_all: every method, and those within reach measured, for `explain`
  bool nominal = false;         // true: set up and predict, measure and search nothing
  bool search = true;     // false: no search for better orders and shifts; another block is out of reach
  std::size_t block = 1;  // for the progress bar
  std::size_t blocks = 1;
};

/// Predicted seconds = work / (rate * speed-up by threads). The rates are nominal figures first. Where the
/// best takes more than a few hundredths of a second, the rates of the methods near it are measured on this
/// very block and those that can search for better plans do (search_plans.hpp). With the device `auto` the
/// machine's GPUs are looked for where the CPU would take more than a second. Counts never depend on how long
/// that took; units may, and so may the last digits of floating-point counts. Throws what the monitor says
/// where it is stopped.
BlockPlan plan_block(const AnyBlock& block, WeightKind weight_kind, const CountOptions& options,
                     const Resources& resources, const PlanRequest& request, Monitor& monitor);

/// Throws UnableError where a block has no job or where all together are predicted beyond the time limit or
/// the memory; the message gives the prediction.
void refuse_if_beyond_limits(const std::vector<const BlockPlan*>& plans, const CountOptions& options,
                             const Resources& resources, double elapsed_seconds);

/// log10 of the predicted seconds of all blocks: finite even where the seconds are beyond any double,
/// and infinity where no method can count one of them.
double log10_total_seconds(const std::vector<BlockForecast>& forecasts);

}  // namespace countpm
