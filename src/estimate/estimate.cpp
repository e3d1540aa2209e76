// An estimate, from the graph to a value with its error: the steps of count.cpp, with sampling where counting
// would take too long.
#include "src/estimate/estimate_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "kernels/support/spare_threads.hpp"
#include "matching/loop_matching.hpp"
#include "src/checks/count_checks.hpp"
#include "src/checks/estimate_checks.hpp"
#include "src/checks/further_residue.hpp"
#include "src/estimate/guarantee.hpp"
#include "src/estimate/joined_estimate.hpp"
#include "src/estimate/redraw.hpp"
#include "src/estimate/report_block.hpp"
#include "src/input/asked_kinds.hpp"
#include "src/input/report.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/journal/rerun_units.hpp"
#include "src/machine/channel.hpp"
#include "src/machine/gpu_start.hpp"
#include "src/number/number.hpp"
#include "src/sampling/device_notes.hpp"
#include "src/sampling/make_samplers.hpp"
#include "src/sampling/missed_goal.hpp"
#include "src/sampling/sampling.hpp"
#include "src/sampling/second_sampler.hpp"
#include "src/sampling/split_blocks.hpp"
#include "src/structure/analysis.hpp"
#include "src/structure/blocks.hpp"
#include "src/structure/instance_to_count.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double log10_of_2 = std::log10(2.0);

class Estimation {
 public:
  Estimation(const Instance& instance, const CountOptions& count_options, const EstimateOptions& options,
             Monitor& monitor, Checkpoint* checkpoint, SampleCrew* crew)
      : instance_(instance),
        count_options_(count_options),
        options_(options),
        monitor_(monitor),
        checkpoint_(checkpoint),
        crew_(crew),
        resources_(resources_for(count_options)),
        arithmetic_(number_arithmetic(instance.weight_kind, count_options)) {}

  void run(const Analysis& analysis, EstimateResult& result) {
    const Poll poll = [this] { monitor_.throw_if_stopped(); };
    double lap = monitor_.elapsed();
    const auto seconds = [&] { return monitor_.elapsed() - std::exchange(lap, monitor_.elapsed()); };
    monitor_.enter("reducing the graph");
    ReducedInstance reduced = reduce_blocks(instance_, analysis, count_options_.rules, poll);
    result.reductions = report_rules(reduced.tally);
    result.seconds.reduce = seconds();
    const SplitLimits limits{count_options_, options_, instance_.weight_kind, resources_};
    add_notes(resources_, result.notes);
    enter_planning(reduced.blocks, monitor_);
    const BlockSplit split = split_up(std::move(reduced), limits);
    std::vector<SampledBlock> sampled;
    const bool none = std::any_of(split.hard.begin(), split.hard.end(), [](const AnyBlock& block) {
      return has_monomers(block) && !has_loop_matching(block);
    });
    if (!options_.guarantee && !none) sampled = samplers_of(split, limits, result);
    begin_journal(split, sampled, limits, result.input);
    if (options_.guarantee && !none) share_trials(split, limits, result.input);
    result.seconds.plan = seconds();
    const Number counted = count_exact(split, result);
    const bool zero = none || log10_of(counted) == -infinity;
    const Number exact = zero ? Number(mpq_class(0)) : counted;
    if (options_.device == "gpu" || options_.gpus > 0) note_counted_on_cpu(result.blocks, result.notes);
    if (split.hard.empty() || zero) {
      const unsigned bits = count_options_.arithmetic.bits;
      result.exact_count = shown_number(exact, instance_.weight_kind, bits).digits;
      result.exact_value = to_value(exact, instance_.weight_kind, bits);
      result.exact_log10 = log10_of(exact);
      if (checkpoint_ != nullptr) checkpoint_->finish(*result.exact_count);
    } else if (options_.guarantee) {
      result.estimate = guaranteed(exact, split.hard, result);
      close_journal(true);
    } else {
      bound_blocks(split.hard);
      const double before = monitor_.elapsed();
      const bool reached = sample(split.hard, sampled, result);
      monitor_.lift_limit();
      const StopScope ending(&monitor_.interrupt_signal());
      result.estimate = joined_estimate(log10_of(exact), sampled, bounds_, options_.confidence, checks_);
      result.estimate->seed = count_options_.seed;
      result.missed = missed_goal(*result.estimate, options_, reached, sampled, before);
      if (result.missed) result.notes.push_back(result.missed->text);
      close_journal(reached);
    }
    result.seconds.count = seconds();
    result.threads = resources_.threads;
    result.checks = checks_.list();
    if (checkpoint_ == nullptr) return;
    if (std::string trouble = checkpoint_->trouble(); !trouble.empty())
      result.notes.push_back(std::move(trouble));
  }

 private:
  /// What is gone on with has the same blocks, sampled the same way, with the same goal.
  void begin_journal(const BlockSplit& split, const std::vector<SampledBlock>& sampled,
                     const SplitLimits& limits, const InputInfo& input) {
    if (checkpoint_ == nullptr) return;
    std::vector<std::string> samplers(split.hard.size(), "rejection");
    for (std::size_t b = 0; b < sampled.size(); ++b) samplers[b] = sampled[b].sampler.plan();
    JournalHeader header = estimate_header(input, split, samplers, limits);
    if (const Journal* journal = checkpoint_->journal(); journal != nullptr)
      check_same_estimate(*journal, header, split.hard, options_, count_options_.checkpoint.name());
    checkpoint_->begin(std::move(header), progress_of(monitor_));
  }

  /// An estimate that the time limit ended can go on.
  void close_journal(bool reached) {
    if (checkpoint_ == nullptr) return;
    if (reached) return checkpoint_->finish_estimate();
    const std::string holds = checkpoint_->close();
    if (count_options_.checkpoint.notice) count_options_.checkpoint.notice(holds);
  }

  /// What an earlier session drew, and where to keep what this one does.
  template <class Sampled>
  void take_up(std::vector<Sampled>& blocks) const {
    if (checkpoint_ == nullptr) return;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      blocks[b].ledger = &checkpoint_->sample_ledger(b);
      blocks[b].drawn = blocks[b].ledger->get();
    }
  }

  /// Some of what the journal brought is drawn again.
  template <class Draw>
  void redraw(const Draw& draw) {
    if (checkpoint_ == nullptr || checkpoint_->journal() == nullptr) return;
    redraw_journaled_samples(*checkpoint_->journal(), draw, resources_.threads,
                             options_.time_limit_seconds - monitor_.elapsed(), monitor_, checks_);
  }

  Number count_exact(const BlockSplit& split, EstimateResult& result) {
    const std::vector<Ledger*> ledgers = ledgers_of(split.exact, 0, checkpoint_);
    if (checkpoint_ != nullptr && checkpoint_->journal() != nullptr) {
      rerun_journaled_units(split.exact, ledgers, options_.time_limit_seconds - monitor_.elapsed(), monitor_,
                            checks_);
    }
    const BlockCounts counts = run_planned(split.exact, arithmetic_, "count", resources_, monitor_, ledgers);
    verify_blocks(split.exact, counts, instance_.problem, checks_);
    CountOptions checking = count_options_;
    checking.time_limit_seconds = options_.time_limit_seconds;
    verify_further_residues(split.exact, counts, checking, resources_, monitor_, checks_);
    rerun_sampled_units(split.exact, counts, monitor_, checks_);
    EstimatedBlock by_reductions;
    by_reductions.method = "reductions";
    by_reductions.exact = true;
    for (std::size_t b = 0; b < split.exact.size(); ++b) {
      const PlannedBlock& planned = split.exact[b];
      if (planned.plans.empty() && planned.whole()) {
        by_reductions.general = is_general(planned.block.original);
        by_reductions.rows += rows_of(planned.block.original);
        by_reductions.entries += entries_of(planned.block.original);
        by_reductions.log10 += log10_of(counts.counts[b]);
      }
      for (std::size_t r = 0; r < planned.plans.size(); ++r) {
        EstimatedBlock block;
        block.general = is_general(planned.block.original);
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

  [[nodiscard]] BlockSplit split_up(ReducedInstance reduced, const SplitLimits& limits) const {
    const Journal* journal = checkpoint_ != nullptr ? checkpoint_->journal() : nullptr;
    if (journal != nullptr)
      return split_as_before(std::move(reduced), journal->header.blocks, limits, monitor_);
    return split_blocks(std::move(reduced), limits, monitor_);
  }

  /// Before samples, which take all the time that is left, and trials, which are not to be lost to its end.
  void bound_blocks(const std::vector<AnyBlock>& hard) {
    monitor_.enter("bounding the blocks");
    for (const AnyBlock& block : hard) bounds_.push_back(certified_bounds(block, resources_.threads));
  }

  /// Others make theirs at the same time.
  std::vector<SampledBlock> samplers_of(const BlockSplit& split, const SplitLimits& limits,
                                        EstimateResult& result) {
    monitor_.enter("getting ready to sample");
    const bool shared = crew_ != nullptr && !split.hard.empty();
    if (shared)
      crew_->share_blocks(
          estimate_header(result.input, split, std::vector<std::string>(split.hard.size()), limits));
    const SpareThreads spare(resources_.threads);
    std::vector<SampledBlock> sampled = make_samplers(split.hard, options_, count_options_.seed);
    fit_threads_to_samplers(sampled, resources_, result.notes);
    if (shared) crew_->share_samplers(estimate_header(result.input, split, plans_of_series(sampled), limits));
    if (!split.hard.empty()) result.sampler = sampler_names(sampled);
    return sampled;
  }

  /// Others make the trials at the same time.
  void share_trials(const BlockSplit& split, const SplitLimits& limits, const InputInfo& input) {
    if (crew_ == nullptr || split.hard.empty()) return;
    trials_ =
        estimate_header(input, split, std::vector<std::string>(split.hard.size(), trials_plan(0)), limits);
    crew_->share_blocks(trials_);
  }

  /// And hear by which rule they are drawn.
  void share_rules(const std::vector<GuaranteedBlock>& blocks) {
    if (crew_ == nullptr) return;
    auto next = blocks.begin();
    for (JournalBlock& block : trials_.blocks) {
      for (JournalSampling& sampling : block.sampled)
        sampling.sampler = trials_plan((next++)->rule.share_bits());
    }
    crew_->share_samplers(trials_);
  }

  /// Some of what others drew is drawn again.
  template <class Draw>
  void redraw_of_others(const Draw& draw) {
    if (crew_ == nullptr) return;
    redraw_samples_of_others(crew_->some_of_others(), draw, resources_.threads,
                             std::max(options_.time_limit_seconds - monitor_.elapsed(), 0.0), monitor_,
                             checks_);
  }

  /// Whether what was asked for was reached.
  bool sample(const std::vector<AnyBlock>& hard, std::vector<SampledBlock>& sampled, EstimateResult& result) {
    take_up(sampled);
    redraw([&](std::size_t b, std::uint64_t first, std::uint64_t count) {
      return sampled[b].sampler.run(first, count, monitor_.stop_signal());
    });
    SamplingLimits limits;
    limits.relative_error = options_.relative_error;
    limits.ln_error = options_.ln_error;
    limits.confidence = options_.confidence;
    limits.samples = options_.samples;
    limits.deadline_seconds = options_.time_limit_seconds;
    limits.threads = resources_.threads;
    limits.share_of_second =
        options_.second == SecondOpinion::annealed ? share_of_asked_second : share_of_second;
    limits.cpu = options_.device != "gpu";
    limits.crew = crew_;
    limits.gpus = sampling_gpus(sampled);
    if (!limits.gpus.empty() && limits.cpu) note_drawn_without_gpus(sampled, options_.gpus, result.notes);
    if (options_.device == "auto" && options_.gpus == 0 && !options_.weights) {
      limits.more_gpus = [this] { return choose_gpus(sampling_options()); };
      limits.start_gpus = [this] { return start_gpu_behind(sampling_options()); };
    }
    for (std::size_t b = 0; b < sampled.size() && options_.weights; ++b) {
      sampled[b].weights = [this, b](std::uint64_t first, std::vector<double> ln) {
        options_.weights({0, b, first, std::move(ln)});
      };
    }
    monitor_.describe(result.sampler, 1, sampled.size());
    std::vector<std::uint64_t> before;  // drawn by earlier sessions
    before.reserve(sampled.size());
    for (const SampledBlock& block : sampled) before.push_back(block.drawn.moments.samples);
    const bool reached = sample_blocks(sampled, limits, monitor_);
    if (crew_ != nullptr && !monitor_.limit_is_over()) {
      monitor_.lift_limit();  // what there is, is worth having
      redraw_of_others([&](std::size_t series, std::uint64_t first, std::uint64_t count) {
        return series_of(sampled, series)->sampler.run(first, count, monitor_.stop_signal());
      });
    }
    bool cpu = false;
    bool gpu = false;
    for (std::size_t b = 0; b < sampled.size(); ++b) {
      const std::uint64_t on_gpus = sampled[b].drawn_on_gpus;
      gpu = gpu || on_gpus > 0;
      cpu = cpu || on_gpus < sampled[b].drawn.moments.samples - before[b];
    }
    result.device = device_text(cpu, gpu);
    for (std::size_t b = 0; b < sampled.size(); ++b)
      result.blocks.push_back(report_block(sampled[b], hard[b], options_.confidence, resources_.threads));
    return reached;
  }

  static const char* device_text(bool cpu, bool gpu) { return gpu && cpu ? "gpu+cpu" : gpu ? "gpu" : "cpu"; }

  /// The count's options, with the device that samples are asked for on.
  CountOptions sampling_options() const {
    CountOptions options = count_options_;
    options.device = options_.device;
    options.gpus = options_.gpus;
    return options;
  }

  /// The GPUs that draw from the beginning.
  std::vector<GpuInfo> sampling_gpus(const std::vector<SampledBlock>& sampled) const {
    if (options_.device != "gpu" && options_.gpus == 0) return {};
    if (options_.device == "gpu") {
      for (const SampledBlock& block : sampled) {
        const std::string obstacle = block.sampler.device_obstacle();
        if (!obstacle.empty())
          throw UnableError("these samples cannot be drawn on a GPU: " + obstacle, "--device cpu draws them");
      }
    }
    return choose_gpus(sampling_options());
  }

  /// A value with a guarantee: the goal divided among the blocks, less what an exact ball leaves open.
  Estimate guaranteed(const Number& exact, const std::vector<AnyBlock>& hard, EstimateResult& result) {
    GuaranteeGoal goal = *options_.guarantee;
    goal.epsilon = without_error(goal.epsilon, exact);
    std::vector<GuaranteedBlock> blocks =
        guaranteed_blocks(hard, count_options_.seed, resources_.threads, monitor_);
    take_up(blocks);
    TrialMeans means;
    means.threads = resources_.threads;
    means.crew = crew_;
    if (crew_ != nullptr && count_options_.channel != nullptr) means.ranks = count_options_.channel->ranks();
    means.cpu = options_.device != "gpu";
    if (!means.cpu || options_.gpus > 0) means.gpus = choose_gpus(sampling_options());
    if (options_.device == "auto" && options_.gpus == 0)
      means.more_gpus = [this] { return choose_gpus(sampling_options()); };
    // With a journal, what the time limit ends goes on another time; nobody knows how many workers come.
    const bool any_time = checkpoint_ != nullptr || (crew_ != nullptr && count_options_.channel == nullptr);
    plan_guarantee(blocks, goal, means, any_time ? infinity : options_.time_limit_seconds, monitor_);
    take_trials_of_parts(blocks, count_options_.checkpoint.name());
    refuse_other_rules(blocks, count_options_.checkpoint.name());
    share_rules(blocks);
    redraw([&](std::size_t b, std::uint64_t first, std::uint64_t count) {
      SampleMoments trials;
      trials.samples = count;
      trials.nonzero =
          blocks[b].trials.hits(first, count, blocks[b].rule.share_bits(), monitor_.stop_signal()).size();
      return trials;
    });
    bound_blocks(hard);
    double predicted = 0;
    double done = 0;
    for (const GuaranteedBlock& block : blocks) {
      predicted += block.predicted_seconds;
      done += block.done_seconds();
    }
    monitor_.begin_stage("estimate", predicted, done);
    run_guarantee(blocks, means, monitor_);
    redraw_of_others([&](std::size_t series, std::uint64_t first, std::uint64_t count) {
      const GuaranteedBlock& block = blocks[series / series_a_block];
      return moments_of_trials(
          count, block.trials.hits(first, count, block.rule.share_bits(), monitor_.stop_signal()));
    });
    bool cpu = false;
    bool gpu = false;
    for (const GuaranteedBlock& block : blocks) {
      cpu = cpu || block.drawn_on_cpu > 0;
      gpu = gpu || block.drawn_on_gpus > 0;
    }
    result.device = device_text(cpu, gpu);
    Estimate estimate;
    estimate.log10 = estimate.log10_sample_mean = log10_of(exact);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const GuaranteedBlock& drawn = blocks[b];
      EstimatedBlock block;
      block.rows = rows_of(hard[b]);
      block.entries = drawn.entries;
      block.method = "rejection";
      const CertifiedBounds& bounds = bounds_[b];
      verify_nesting_bound(drawn.trials.log2_bound(), bounds, checks_);
      // Nearer to what is certain is nearer to the truth.
      block.log10 =
          std::clamp(drawn.log2_value, bounds.log2_lower, std::max(bounds.log2_lower, bounds.log2_upper)) *
          log10_of_2;
      block.effective_samples = drawn.rule.effective_samples(drawn.drawn);
      block.relative_error = 1 / std::sqrt(block.effective_samples);
      block.samples = drawn.drawn.moments.samples;
      block.nonzero = drawn.drawn.moments.nonzero;
      block.largest_share = drawn.rule.largest_share(drawn.drawn);
      block.seconds = drawn.drawn.seconds / resources_.threads;
      estimate.log10 += block.log10;
      estimate.log10_sample_mean += drawn.log2_value * log10_of_2;
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
    estimate.bounds_low_log10 = estimate.bounds_high_log10 = log10_of(exact);
    for (const CertifiedBounds& bounds : bounds_) {
      estimate.bounds_low_log10 += bounds.log2_lower * log10_of_2;
      estimate.bounds_high_log10 += bounds.log2_upper * log10_of_2;
    }
    estimate.seed = count_options_.seed;
    return estimate;
  }

  /// What is left of epsilon where the exact factor is a ball.
  static double without_error(double epsilon, const Number& exact) {
    if (!std::holds_alternative<Ball>(exact)) return epsilon;
    const double error = std::exp2(log2_above(exact) - log10_of(exact) / log10_of_2) - 1 + 1e-9;
    if (!(error < epsilon / 2)) {
      throw UnableError("the blocks that are counted in floating point leave no room for the guarantee",
                        "try a larger EPS, or --arithmetic mpfr");
    }
    return (epsilon - error) / (1 + error);
  }

  const Instance& instance_;
  const CountOptions& count_options_;
  const EstimateOptions& options_;
  Monitor& monitor_;
  Checkpoint* checkpoint_;  // null: there is none
  SampleCrew* crew_;        // likewise
  JournalHeader trials_;    // for it, of a guarantee
  Resources resources_;
  NumberArithmetic arithmetic_;
  Checks checks_;
  std::vector<CertifiedBounds> bounds_;  // of the blocks that are sampled
};

}  // namespace

EstimateResult estimate_graph(ReadResult read, const CountOptions& count_options,
                              const EstimateOptions& options, Monitor& monitor, Checkpoint* checkpoint,
                              SampleCrew* crew) {
  EstimateResult result;
  refuse_kinds(GraphQuestion::estimate, read.graph, read.info, count_options);
  if (count_options.read) count_options.read(read.graph);
  summarise_input(read.graph, read.info, result);
  result.sampler = options.guarantee      ? "rejection"
                   : options.sampler.kind ? sampler_info(*options.sampler.kind).name
                                          : "auto";
  result.seconds.read = monitor.elapsed();
  monitor.throw_if_stopped();
  monitor.enter("looking at the graph's structure");
  const Instance instance = instance_to_count(std::move(read.graph), count_options);
  report_problem(instance, count_options.matchings, result);
  result.notes = report_notes(instance, result.input, count_options.matchings);
  Analysis analysis = analyse(
      instance, result.input, [&] { monitor.throw_if_stopped(); }, result.notes, count_options.matchings);
  result.seconds.structure = monitor.elapsed() - result.seconds.read;
  if (analysis.violator) {
    result.violator = std::move(analysis.violator);
    result.exact_count = "0";
    result.exact_value = mpz_class(0);
    result.exact_log10 = -infinity;
    result.reductions = report_rules({});
    const Resources resources = resources_for(count_options);
    const SplitLimits limits{count_options, options, instance.weight_kind, resources};
    finish_at_once(checkpoint, estimate_header(result.input, {}, {}, limits), *result.exact_count, monitor);
  } else {
    Estimation(instance, count_options, options, monitor, checkpoint, crew).run(analysis, result);
  }
  result.seconds.total = monitor.elapsed();
  if (count_options.channel != nullptr && options.on_ranks) {
    result.ranks = count_options.channel->ranks();
    result.lost_ranks = count_options.channel->lost_ranks();
  }
  return result;
}

}  // namespace countpm
