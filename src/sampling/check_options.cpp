#include "src/sampling/check_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "graph/errors.hpp"
#include "kernels/estimate/population/population.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/input/report.hpp"
#include "src/journal/checkpoint.hpp"

namespace countpm {
namespace {

constexpr std::uint32_t most_tail_rows = 64;  // SamplerOptions

bool is_population(SamplerKind kind) {
  return kind == SamplerKind::population;
}
bool is_walk(SamplerKind kind) {
  return sampler_info(kind).walks;
}
bool can_stratify(SamplerKind kind) {
  return is_walk(kind) || kind == SamplerKind::boundary;
}

void check_kind(SamplerKind kind) {
  if (std::none_of(samplers().begin(), samplers().end(),
                   [&](const SamplerInfo& info) { return info.kind == kind; }))
    throw UsageError(fmt::format("there is no sampler of the number {}", static_cast<int>(kind)));
}

/// Refuses what the sampler does not know, whatever its value.
void check_sampler(SamplerKind kind, const SamplerOptions& options) {
  const std::string_view name = sampler_info(kind).name;
  const SamplerOptions known = known_options(kind, options);
  if ((options.scale_interval > 0 && known.scale_interval == 0) || options.scale_steps != known.scale_steps)
    throw UsageError(
        fmt::format("{} does not scale: how often and how long is for scaling and scaling+", name));
  if (options.population != known.population)
    throw UsageError(fmt::format("{} keeps no population: its size is for the sampler population", name));
  if (options.prune != known.prune && is_walk(kind))
    throw UsageError(
        "bethe leaves out edges in no perfect matching by itself: --prune is for other samplers");
  if (kind == SamplerKind::boundary && (options.prune || options.tail_rows))
    throw UsageError(
        "boundary takes vertices, not rows: there is nothing to prune, and no last rows to count");
  if (options.prune != known.prune || options.tail_rows != known.tail_rows || options.strata != known.strata)
    throw UsageError(
        fmt::format("{} {}: there are no steps to prune after, no last rows to count and no strata", name,
                    is_population(kind)             ? "keeps states, not walks"
                    : kind == SamplerKind::annealed ? "changes whole matchings"
                                                    : "takes determinants"));
}

}  // namespace

SamplerOptions known_options(SamplerKind kind, SamplerOptions options) {
  if (!can_prune(kind)) options.prune = {};
  if (!can_scale(kind)) options.scale_interval = 0, options.scale_steps = {};
  if (!is_population(kind)) options.population = {};
  if (!is_walk(kind)) options.tail_rows = {};
  if (!can_stratify(kind)) options.strata = {};
  return options;
}

void check_compared_samplers(const std::vector<SamplerKind>& kinds, const SamplerOptions& options) {
  for (const SamplerKind kind : kinds) check_kind(kind);
  const auto check = [&](bool given, std::string_view name, bool (*knows)(SamplerKind)) {
    if (given && std::none_of(kinds.begin(), kinds.end(), knows))
      throw UsageError(fmt::format("{} is an option of none of these samplers", name));
  };
  check(options.prune.has_value(), "--prune", can_prune);
  check(options.scale_interval > 0, "--scale-interval", can_scale);
  check(options.scale_steps.has_value(), "--scale-steps", can_scale);
  check(options.tail_rows.has_value(), "--exact-tail", is_walk);
  check(options.strata.has_value(), "--strata", can_stratify);
  check(options.population.has_value(), "--population", is_population);
}

void check_estimate_options(const EstimateOptions& options) {
  if (!(options.relative_error > 0) || !(options.relative_error < 10))
    throw UsageError("the relative error must be above 0 and below 10");
  if (options.ln_error && (!(*options.ln_error > 0) || !(*options.ln_error <= most_ln_error)))
    throw UsageError(fmt::format(
        "the standard error of ln Z must be above 0 and at most {}, beyond which no interval is shown",
        most_ln_error));
  if (options.replicates == 0 || options.replicates > most_replicates)
    throw UsageError(fmt::format("an estimate has 1 to {} replicates", most_replicates));
  if (options.guarantee && options.ln_error)
    throw UsageError("a guarantee and an error of ln Z exclude each other: both say when to stop");
  if (options.guarantee && options.replicates > 1)
    throw UsageError("a guarantee and replicates exclude each other: its error is proven");
  if (options.guarantee && options.weights)
    throw UsageError("a guarantee has no weights: its trials are accepted or rejected");
  if (options.weights && (options.device == "gpu" || options.gpus > 0))
    throw UsageError("the weights of samples are the CPU's work: without --device gpu and --gpus");
  if (!(options.confidence > 0.5) || !(options.confidence < 1))
    throw UsageError("the confidence must be above 0.5 and below 1");
  if (!(options.exact_below_seconds >= 0))
    throw UsageError("blocks of less than so many seconds are counted exactly: expected 0 or more");
  const SamplerOptions& sampler = options.sampler;
  if (sampler.kind) check_kind(*sampler.kind);
  if (sampler.population && (*sampler.population == 0 || *sampler.population > most_population))
    throw UsageError(fmt::format("a population has 1 to {} states", most_population));
  if (sampler.tail_rows && *sampler.tail_rows > most_tail_rows)
    throw UsageError(fmt::format("at most {} last rows are counted exactly", most_tail_rows));
  if (sampler.scale_steps && *sampler.scale_steps == 0) throw UsageError("scaling needs at least 1 step");
  if (sampler.strata && (*sampler.strata == 0 || *sampler.strata > most_strata))
    throw UsageError(fmt::format("a sample is the mean of 1 to {} walks", most_strata));
  if (sampler.kind) check_sampler(*sampler.kind, sampler);
  if (sampler.kind == SamplerKind::annealed && options.second == SecondOpinion::annealed)
    throw UsageError("annealed samples are no second opinion of themselves; --sampler or --second must go");
  if (options.guarantee && options.second != SecondOpinion::automatic)
    throw UsageError("a guarantee needs no second opinion; one of the two must go");
  const bool of_walks = sampler.prune || sampler.scale_interval > 0 || sampler.scale_steps ||
                        sampler.tail_rows || sampler.strata;
  if (of_walks && !sampler.kind && sampler.population)
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

void check_matching_estimate(const EstimateOptions& options, const char* one, const char* many) {
  check_estimate_options(options);
  const auto exclude = [one](bool given, const char* other) {
    if (given) throw UsageError(fmt::format("{} and {} exclude each other", one, other));
  };
  exclude(options.guarantee.has_value(), "a guarantee");
  exclude(options.replicates > 1, "replicates");
  exclude(static_cast<bool>(options.weights), "the weights of samples");
  if (options.device == "gpu" || options.gpus > 0)
    throw UsageError(fmt::format("{} are the CPU's work: without --device gpu and --gpus", many));
  if (options.sampler.kind && !draws_any_graph(*options.sampler.kind))
    throw UsageError(fmt::format("{} are sampled by boundary, bethe or annealed", many));
}

void refuse_unkept(const EstimateOptions& options, const CheckpointOptions& checkpoint) {
  if (!checkpoint.used()) return;
  if (options.replicates > 1)
    throw UsageError("a checkpoint holds one estimate: give each replicate its own, by --seed");
  if (options.weights)
    throw UsageError("a checkpoint keeps sums of samples, not their weights: one of both options must go");
}

void refuse_part(const Checkpoint& checkpoint, const CheckpointOptions& options) {
  if (checkpoint.journal() != nullptr && checkpoint.journal()->header.ratio)
    throw UsageError(fmt::format("{} is the checkpoint of a ratio: 'countpm resume' goes on with it",
                                 quoted(options.name(), 400)));
  if (checkpoint.journal() == nullptr || !checkpoint.journal()->header.part) return;
  const JournalPart& part = *checkpoint.journal()->header.part;
  throw UsageError(
      fmt::format("{} is part {} of {} of an estimate: 'countpm resume' draws it, 'countpm merge' makes one "
                  "estimate of all of them",
                  quoted(options.name(), 400), part.number, part.of));
}

CountOptions monitored(const CountOptions& options, const EstimateOptions& estimate_options) {
  CountOptions result = options;
  result.time_limit_seconds = estimate_options.time_limit_seconds;
  result.device = "cpu";
  result.gpus = 0;
  return result;
}

void check_device(CountOptions options, const EstimateOptions& estimate_options) {
  options.device = estimate_options.device;
  options.gpus = estimate_options.gpus;
  check_options(options);
}

}  // namespace countpm
