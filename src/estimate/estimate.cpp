// An estimate, from the graph to a value with its error: the steps of count.cpp, with sampling where counting
// would take too long.
#include "src/estimate/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/estimate/certified_bounds.hpp"
#include "src/checks/checks.hpp"
#include "src/checks/count_checks.hpp"
#include "src/estimate/guarantee.hpp"
#include "src/estimate/sampling.hpp"
#include "src/plan/planned_block.hpp"
#include "src/report/format_quantity.hpp"
#include "src/report/number.hpp"
#include "src/report/report.hpp"
#include "src/run/monitor.hpp"
#include "src/structure/analysis.hpp"
#include "src/structure/balance.hpp"
#include "src/structure/blocks.hpp"

namespace countpm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double log10_of_e = std::log10(std::exp(1.0));
// Nominal rates and plans that nothing was searched for forecast up to so many times too much.
constexpr double hopeless = 50;
const double log10_of_2 = std::log10(2.0);

/// What will be counted and what sampled; the count is factor * exact * per(hard) of each.
struct Split {
  Factor factor;
  std::vector<PlannedBlock> exact;  // perhaps without what is hard of them:
  std::vector<bool> whole;          // beside exact: nothing is
  std::vector<AnyBlock> hard;
};

bool can_be_sampled(const AnyBlock& block) {
  return !is_general(block) && !has_negative(block);
}

class Estimation {
 public:
  Estimation(const Instance& instance, const CountOptions& count_options, const EstimateOptions& options,
             Monitor& monitor)
      : instance_(instance),
        count_options_(count_options),
        options_(options),
        monitor_(monitor),
        resources_(resources_for(count_options)),
        arithmetic_(number_arithmetic(instance.weight_kind, count_options)) {}

  void run(const Analysis& analysis, EstimateResult& result) {
    const Poll poll = [this] { monitor_.explain_stop(); };
    double lap = monitor_.elapsed();
    const auto seconds = [&] { return monitor_.elapsed() - std::exchange(lap, monitor_.elapsed()); };
    ReducedInstance reduced = reduce_blocks(instance_, analysis, count_options_.rules, poll);
    result.reductions = report_rules(reduced.tally);
    result.seconds.reduce = seconds();
    Split split = plan(std::move(reduced));
    result.seconds.plan = seconds();
    const Number exact = count_exact(split, result);
    if (split.hard.empty()) {
      result.exact_count = to_string(exact);
      result.exact_log10 = log10_of(exact);
    } else if (options_.guarantee) {
      result.estimate = guaranteed(exact, split.hard, result);
    } else {
      const std::vector<SampledBlock> sampled = sample(split.hard, result);
      result.estimate = join_all(exact, split.hard, sampled);
    }
    result.seconds.count = seconds();
    result.threads = resources_.threads;
  }

 private:
  BlockPlan plan_one(const AnyBlock& block, std::size_t number, std::size_t blocks, double limit) {
    CountOptions planning = count_options_;
    planning.time_limit_seconds = monitor_.elapsed() + limit;
    PlanRequest request;
    request.candidates.method = count_options_.method;
    request.block = number;
    request.blocks = blocks;
    if (options_.guarantee && can_be_sampled(block)) {
      request.nominal = true;
      BlockPlan nominal = plan_block(block, instance_.weight_kind, planning, resources_, request, monitor_);
      if (nominal.seconds > hopeless * limit) return nominal;
      request.nominal = false;
    }
    return plan_block(block, instance_.weight_kind, planning, resources_, request, monitor_);
  }

  Split plan(ReducedInstance reduced) {
    Split split;
    split.factor = std::move(reduced.factor);
    std::size_t blocks = 0;
    for (const ReducedBlock& block : reduced.blocks) blocks += block.reduced.size();
    std::size_t number = 0;
    for (ReducedBlock& block : reduced.blocks) {
      if (arithmetic_.floating) balance(block);
      std::vector<AnyBlock> parts = std::exchange(block.reduced, {});
      PlannedBlock planned(std::move(block));
      bool whole = true;
      for (AnyBlock& part : parts) {
        ++number;
        monitor_.explain_stop();
        const bool sampleable = can_be_sampled(part);
        const double limit = sampleable ? options_.exact_below_seconds : options_.time_limit_seconds;
        if (!(sampleable && options_.all_sampled)) {
          BlockPlan block_plan = plan_one(part, number, blocks, limit);
          if (block_plan.job && block_plan.seconds <= limit) {
            planned.plans.push_back(std::move(block_plan));
            planned.block.reduced.push_back(std::move(part));
            continue;
          }
        }
        whole = false;
        split.hard.push_back(std::move(part));
      }
      split.exact.push_back(std::move(planned));
      split.whole.push_back(whole);
    }
    return split;
  }

  Number count_exact(const Split& split, EstimateResult& result) {
    const BlockCounts counts = run_planned(split.exact, arithmetic_, "count", resources_, monitor_);
    refuse_uncertain(counts.counts);
    Checks checks;
    EstimatedBlock by_reductions;
    by_reductions.method = "reductions";
    by_reductions.exact = true;
    for (std::size_t b = 0; b < split.exact.size(); ++b) {
      const PlannedBlock& planned = split.exact[b];
      if (split.whole[b]) verify_block(planned.block, counts.counts[b], checks);
      if (planned.plans.empty() && split.whole[b]) {
        by_reductions.rows += rows_of(planned.block.original);
        by_reductions.entries += entries_of(planned.block.original);
        by_reductions.log10 += log10_of(counts.counts[b]);
      }
      for (std::size_t r = 0; r < planned.plans.size(); ++r) {
        EstimatedBlock block;
        block.rows = planned.plans[r].forecast.rows;
        block.entries = planned.plans[r].forecast.entries;
        block.method = planned.plans[r].method->name();
        block.exact = true;
        block.log10 = log10_of(to_number(counts.results[b][r].value, planned.plans[r].choice));
        block.seconds = counts.results[b][r].seconds;
        result.blocks.push_back(std::move(block));
      }
    }
    if (by_reductions.rows > 0) result.blocks.push_back(std::move(by_reductions));
    return product(split.factor, counts.counts, arithmetic_);
  }

  std::vector<SampledBlock> sample(const std::vector<AnyBlock>& hard, EstimateResult& result) {
    std::vector<SampledBlock> sampled;
    sampled.reserve(hard.size());
    for (const AnyBlock& block : hard)
      sampled.emplace_back(BlockSampler(block, options_.sampler, count_options_.seed, sampled.size()));
    refuse_beyond_memory(sampled);
    result.sampler = sampler_names(sampled);
    SamplingLimits limits;
    limits.relative_error = options_.relative_error;
    limits.confidence = options_.confidence;
    limits.samples = options_.samples;
    limits.deadline_seconds = options_.time_limit_seconds;
    limits.threads = resources_.threads;
    monitor_.begin_stage("estimate", std::isfinite(limits.deadline_seconds) ? limits.deadline_seconds : 0);
    monitor_.describe(result.sampler, 1, sampled.size());
    sample_blocks(sampled, limits, monitor_);
    for (std::size_t b = 0; b < sampled.size(); ++b) {
      const SampledMean& mean = sampled[b].mean;
      EstimatedBlock block;
      block.rows = rows_of(hard[b]);
      block.entries = entries_of(hard[b]);
      block.method = sampler_info(sampled[b].sampler.kind()).name;
      block.log10 = mean.log_mean * log10_of_e;
      block.relative_error = std::sqrt(mean.variance);
      block.samples = sampled[b].moments.samples;
      block.nonzero = sampled[b].moments.nonzero;
      block.effective_samples = mean.effective;
      block.largest_share = mean.largest_share;
      block.doubt = mean.doubt;
      block.seconds = sampled[b].seconds / resources_.threads;
      result.blocks.push_back(std::move(block));
    }
    return sampled;
  }

  void refuse_beyond_memory(const std::vector<SampledBlock>& sampled) const {
    std::uint64_t bytes = 0;
    for (const SampledBlock& block : sampled) bytes = std::max(bytes, block.sampler.bytes_a_thread());
    bytes *= static_cast<std::uint64_t>(resources_.threads);
    if (bytes <= resources_.memory_bytes) return;
    throw UnableError(fmt::format("populations of this size take {} of memory, more than the {} allowed",
                                  format_bytes(bytes), format_bytes(resources_.memory_bytes)),
                      "a smaller --population, or fewer --threads");
  }

  /// The samplers of all blocks, each once.
  static std::string sampler_names(const std::vector<SampledBlock>& sampled) {
    std::string names;
    for (const SamplerInfo& info : samplers()) {
      if (std::any_of(sampled.begin(), sampled.end(),
                      [&info](const SampledBlock& block) { return block.sampler.kind() == info.kind; }))
        names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
    }
    return names;
  }

  /// A value with a guarantee: the goal divided among the blocks, less what an exact ball leaves open.
  Estimate guaranteed(const Number& exact, const std::vector<AnyBlock>& hard, EstimateResult& result) {
    GuaranteeGoal goal = *options_.guarantee;
    goal.epsilon = without_error(goal.epsilon, exact);
    std::vector<GuaranteedBlock> blocks;
    blocks.reserve(hard.size());
    for (const AnyBlock& block : hard) {
      monitor_.explain_stop();
      blocks.emplace_back(RejectionTrials(block, count_options_.seed, blocks.size()));
      blocks.back().entries = entries_of(block);
    }
    plan_guarantee(blocks, goal, resources_.threads, options_.time_limit_seconds, monitor_);
    double predicted = 0;
    for (const GuaranteedBlock& block : blocks) predicted += block.predicted_seconds;
    monitor_.begin_stage("estimate", predicted);
    run_guarantee(blocks, count_options_.seed, resources_.threads, monitor_);
    Estimate estimate;
    estimate.log10 = log10_of(exact);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const GuaranteedBlock& drawn = blocks[b];
      EstimatedBlock block;
      block.rows = rows_of(hard[b]);
      block.entries = drawn.entries;
      block.method = "rejection";
      const CertifiedBounds bounds = certified_bounds(hard[b]);
      const double rounding = 1e-9 * (1 + std::abs(bounds.log2_upper));
      if (drawn.trials.log2_bound() < bounds.log2_lower - rounding)
        Checks::failed("certified bounds", fmt::format("at least 2^{}", bounds.log2_lower),
                       fmt::format("a nesting bound of 2^{}", drawn.trials.log2_bound()));
      // Nearer to what is certain is nearer to the truth.
      block.log10 =
          std::clamp(drawn.log2_value, bounds.log2_lower, std::max(bounds.log2_lower, bounds.log2_upper)) *
          log10_of_2;
      block.effective_samples = static_cast<double>(drawn.rule.successes);
      block.relative_error = 1 / std::sqrt(block.effective_samples);
      block.samples = drawn.drawn;
      block.nonzero = drawn.rule.successes;
      block.largest_share = 1 / block.effective_samples;
      block.seconds = drawn.seconds;
      estimate.log10 += block.log10;
      estimate.samples += block.samples;
      estimate.nonzero += block.nonzero;
      if (b == 0 || block.effective_samples < estimate.effective_samples) {
        estimate.effective_samples = block.effective_samples;
        estimate.largest_share = block.largest_share;
      }
      result.blocks.push_back(std::move(block));
    }
    estimate.guarantee = options_.guarantee;
    estimate.confidence = 1 - options_.guarantee->delta;
    estimate.low_log10 = estimate.log10 - std::log10(1 + options_.guarantee->epsilon);
    estimate.high_log10 = estimate.log10 - std::log10(1 - options_.guarantee->epsilon);
    estimate.relative_error = 1 / (1 - options_.guarantee->epsilon) - 1;
    estimate.seed = count_options_.seed;
    return estimate;
  }

  /// What is left of epsilon where the exact factor is a ball.
  static double without_error(double epsilon, const Number& exact) {
    if (!std::holds_alternative<Ball>(exact)) return epsilon;
    const double error = std::exp2(log2_above(exact) - log10_of(exact) / log10_of_2) - 1 + 1e-9;
    if (!(error < epsilon / 2)) {
      throw UnableError("the blocks that are counted in floating point leave no room for the guarantee",
                        "a larger EPS, or --arithmetic mpfr, would do");
    }
    return (epsilon - error) / (1 + error);
  }

  Estimate join_all(const Number& exact, const std::vector<AnyBlock>& hard,
                    const std::vector<SampledBlock>& sampled) const {
    const double exact_log10 = log10_of(exact);
    double least = exact_log10;
    double most = exact_log10;
    std::vector<SampledMean> means;
    Estimate estimate;
    for (std::size_t b = 0; b < hard.size(); ++b) {
      means.push_back(sampled[b].mean);
      estimate.samples += sampled[b].moments.samples;
      estimate.nonzero += sampled[b].moments.nonzero;
      const CertifiedBounds bounds = certified_bounds(hard[b]);
      least += bounds.log2_lower * log10_of_2;
      most += bounds.log2_upper * log10_of_2;
    }
    const SampledMean product = join(means);
    estimate.log10 = exact_log10 + product.log_mean * log10_of_e;
    estimate.confidence = options_.confidence;
    estimate.effective_samples = product.effective;
    estimate.largest_share = product.largest_share;
    estimate.doubt = product.doubt;
    estimate.seed = count_options_.seed;
    LogInterval interval = interval_of(product, options_.confidence);
    if (!product.doubt.empty()) interval = {markov_lower_end(product, options_.confidence), infinity};
    estimate.low_log10 = exact_log10 + interval.low * log10_of_e;
    estimate.high_log10 = exact_log10 + interval.high * log10_of_e;
    const double rounding = 1e-9 * (1 + std::abs(most));
    if (product.doubt.empty() &&
        (estimate.low_log10 > most + rounding || estimate.high_log10 < least - rounding)) {
      Checks::failed("certified bounds", fmt::format("from 10^{} to 10^{}", least, most),
                     fmt::format("an estimate from 10^{} to 10^{}", estimate.low_log10, estimate.high_log10));
    }
    estimate.low_log10 = std::clamp(estimate.low_log10, least, std::max(least, most));
    estimate.high_log10 = std::clamp(estimate.high_log10, estimate.low_log10, most + rounding);
    estimate.relative_error =
        product.doubt.empty() ? std::expm1(std::max(interval.high - product.log_mean, 0.0)) : infinity;
    return estimate;
  }

  const Instance& instance_;
  const CountOptions& count_options_;
  const EstimateOptions& options_;
  Monitor& monitor_;
  Resources resources_;
  NumberArithmetic arithmetic_;
};

void check_estimate_options(const EstimateOptions& options) {
  if (!(options.relative_error > 0) || !(options.relative_error < 10))
    throw UsageError("the relative error must be above 0 and below 10");
  if (!(options.confidence > 0.5) || !(options.confidence < 1))
    throw UsageError("the confidence must be above 0.5 and below 1");
  if (options.sampler.scale_steps == 0) throw UsageError("scaling needs at least 1 step");
  if (options.sampler.strata == 0 || options.sampler.strata > most_strata)
    throw UsageError(fmt::format("a sample is the mean of 1 to {} walks", most_strata));
  const bool for_walks = options.sampler.prune.value_or(false) || options.sampler.tail_rows.value_or(0) > 0 ||
                         options.sampler.strata != 1;
  if (for_walks && options.sampler.kind && !sampler_info(*options.sampler.kind).walks) {
    const bool population = *options.sampler.kind == SamplerKind::population;
    throw UsageError(
        fmt::format("{} {}: there are no steps to prune after, no last rows to count and no strata",
                    sampler_info(*options.sampler.kind).name,
                    population ? "keeps states, not walks" : "takes determinants"));
  }
  if (for_walks && !options.sampler.kind && options.sampler.population)
    throw UsageError(
        "a population has no part in pruning, exact tails and strata; one of these options must go");
  if (options.guarantee) {
    const GuaranteeGoal& goal = *options.guarantee;
    if (!(goal.epsilon >= least_epsilon) || !(goal.epsilon < 1))
      throw UsageError(fmt::format("the guarantee's EPS must be at least {} and below 1", least_epsilon));
    if (!(goal.delta >= least_delta) || !(goal.delta < 1))
      throw UsageError(fmt::format("the guarantee's DELTA must be at least {} and below 1", least_delta));
  }
  if (!(options.time_limit_seconds > 0)) throw UsageError("the time limit must be above 0 seconds");
}

EstimateResult estimate_graph(ReadResult read, const CountOptions& count_options,
                              const EstimateOptions& options, Monitor& monitor) {
  EstimateResult result;
  summarise_input(read.graph, read.info, result);
  result.weighted = read.graph.weight_kind != WeightKind::none;
  result.sampler = options.guarantee      ? "rejection"
                   : options.sampler.kind ? sampler_info(*options.sampler.kind).name
                                          : "auto";
  result.seconds.read = monitor.elapsed();
  monitor.explain_stop();
  const Instance instance = to_instance(std::move(read.graph));
  result.problem = instance.problem;
  result.notes = report_notes(instance, result.input);
  Analysis analysis = analyse(
      instance, result.input, [&] { monitor.explain_stop(); }, result.notes);
  result.seconds.structure = monitor.elapsed() - result.seconds.read;
  if (analysis.violator) {
    result.violator = std::move(analysis.violator);
    result.exact_count = "0";
    result.exact_log10 = -infinity;
    result.reductions = report_rules({});
  } else {
    Estimation(instance, count_options, options, monitor).run(analysis, result);
  }
  result.seconds.total = monitor.elapsed();
  return result;
}

// The time limit of an estimate ends the sampling, not the program: the monitor has none. A guarantee cannot
// be had by halves.
CountOptions monitored(const CountOptions& options, const EstimateOptions& estimate_options) {
  CountOptions result = options;
  result.time_limit_seconds = estimate_options.guarantee ? estimate_options.time_limit_seconds : infinity;
  result.device = "cpu";
  return result;
}

}  // namespace

EstimateResult estimate(const Source& source, const ReadOptions& read_options,
                        const CountOptions& count_options, const EstimateOptions& options) {
  check_estimate_options(options);
  const CountOptions own = monitored(count_options, options);
  check_options(own);
  Monitor monitor(own);
  return estimate_graph(read_graph(source, read_options), own, options, monitor);
}

EstimateResult estimate(Graph graph, const CountOptions& count_options, const EstimateOptions& options) {
  check_estimate_options(options);
  const CountOptions own = monitored(count_options, options);
  check_options(own);
  Monitor monitor(own);
  ReadResult read;
  read.graph = std::move(graph);
  read.info.path = "<graph>";
  return estimate_graph(std::move(read), own, options, monitor);
}

}  // namespace countpm
