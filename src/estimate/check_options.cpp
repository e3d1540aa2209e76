#include "src/estimate/check_options.hpp"

#include <fmt/format.h>

#include "graph/errors.hpp"

namespace countpm {

void check_estimate_options(const EstimateOptions& options) {
  if (!(options.relative_error > 0) || !(options.relative_error < 10))
    throw UsageError("the relative error must be above 0 and below 10");
  if (!(options.confidence > 0.5) || !(options.confidence < 1))
    throw UsageError("the confidence must be above 0.5 and below 1");
  if (options.sampler.scale_steps == 0) throw UsageError("scaling needs at least 1 step");
  if (options.sampler.strata == 0 || options.sampler.strata > most_strata)
    throw UsageError(fmt::format("a sample is the mean of 1 to {} walks", most_strata));
  const bool scales =
      options.sampler.scale_interval > 0 || options.sampler.scale_steps != default_scale_steps;
  if (options.sampler.kind) {
    const std::string_view name = sampler_info(*options.sampler.kind).name;
    if (scales && !can_scale(*options.sampler.kind))
      throw UsageError(
          fmt::format("{} does not scale: how often and how long is for scaling and scaling+", name));
    if (options.sampler.population && *options.sampler.kind != SamplerKind::population)
      throw UsageError(fmt::format("{} keeps no population: its size is for the sampler population", name));
  }
  const bool for_walks = options.sampler.prune.value_or(false) || options.sampler.tail_rows.value_or(0) > 0 ||
                         options.sampler.strata != 1;
  if (for_walks && options.sampler.kind && !sampler_info(*options.sampler.kind).walks) {
    const bool population = *options.sampler.kind == SamplerKind::population;
    throw UsageError(
        fmt::format("{} {}: there are no steps to prune after, no last rows to count and no strata",
                    sampler_info(*options.sampler.kind).name,
                    population ? "keeps states, not walks" : "takes determinants"));
  }
  if (options.sampler.prune && options.sampler.kind == SamplerKind::bethe)
    throw UsageError(
        "bethe leaves out edges in no perfect matching by itself: --prune is for other samplers");
  if ((for_walks || scales) && !options.sampler.kind && options.sampler.population)
    throw UsageError(
        "a population has no part in pruning, scaling, exact tails and strata; one of these options must go");
  if (options.guarantee) {
    const GuaranteeGoal& goal = *options.guarantee;
    if (!(goal.epsilon >= least_epsilon) || !(goal.epsilon < 1))
      throw UsageError(fmt::format("the guarantee's EPS must be at least {} and below 1", least_epsilon));
    if (!(goal.delta >= least_delta) || !(goal.delta < 1))
      throw UsageError(fmt::format("the guarantee's DELTA must be at least {} and below 1", least_delta));
  }
  if (!(options.time_limit_seconds > 0)) throw UsageError("the time limit must be above 0 seconds");
}

}  // namespace countpm
