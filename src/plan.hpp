#pragma once
// The planner: for each block the cheapest method that fits the limits, by predicted seconds.
#include <memory>
#include <string>
#include <vector>

#include "kernels/method.hpp"
#include "src/choose_arithmetic.hpp"
#include "src/countpm.hpp"

namespace countpm {

/// What the plan may use.
struct Resources {
  int threads = 1;
  std::uint64_t memory_bytes = 0;
};
Resources resources_for(const CountOptions& options);

/// How one block will be counted. Where no method can (none is without obstacle, or forecasts are beyond
/// hope), `job` is empty.
struct BlockPlan {
  BlockForecast forecast;  // every method considered; what `explain` shows
  const Method* method = nullptr;
  ArithmeticChoice choice;
  std::unique_ptr<Job> job;
  double seconds = 0;  // predicted, with resources.threads threads; infinity where there is no job
};

/// What narrows the choice.
struct PlanRequest {
  std::string method = "auto";       // or one by name
  std::vector<std::string> exclude;  // methods that must not be used: a double-check wants another
  unsigned skip_primes = 0;          // and fresh primes
  bool forecast_all = false;         // measure every method within reach, for `explain`
};

/// Predicted seconds = work / (rate * threads). The rates are nominal figures first; where the cheapest takes
/// more than a few milliseconds, the rates of the methods near it are measured on this very block (some 30 ms
/// each).
BlockPlan plan_block(const AnyBlock& block, WeightKind weight_kind, const CountOptions& options,
                     const Resources& resources, const PlanRequest& request);

/// Throws UnableError where a block has no job or where all together are predicted beyond the time limit; the
/// message gives the prediction.
void refuse_if_beyond_limits(const std::vector<const BlockPlan*>& plans, const CountOptions& options,
                             double elapsed_seconds);

/// log10 of the predicted seconds of all blocks: finite even where the seconds are beyond any double,
/// and infinity where no method can count one of them.
double log10_total_seconds(const std::vector<BlockForecast>& forecasts);

}  // namespace countpm
