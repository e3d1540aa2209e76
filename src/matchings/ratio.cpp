#include "src/matchings/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "graph/text.hpp"
#include "graph/validate.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/distributed/shared_ranges.hpp"
#include "src/estimate/check_options.hpp"
#include "src/estimate/foretell.hpp"
#include "src/estimate/missed_goal.hpp"
#include "src/input/report.hpp"
#include "src/input/sound_options.hpp"
#include "src/matchings/edge_entries.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/range_bytes.hpp"
#include "src/matchings/ratio_apart.hpp"
#include "src/matchings/ratio_piece.hpp"
#include "src/matchings/shared_uses.hpp"
#include "src/matchings/union_graph.hpp"
#include "src/structure/analysis.hpp"

namespace countpm {
namespace {

constexpr double no_number = -std::numeric_limits<double>::infinity();
constexpr double ratio_grace_seconds = 0.2;
constexpr std::size_t longest_path = 400;

/// Decimals are kept as the fractions that they spell.
ReadResult exactly(const ReadResult& one) {
  ReadResult read(one);
  if (read.graph.weight_kind == WeightKind::real) read.graph.weight_kind = WeightKind::rational;
  return read;
}

/// Both counted, where that takes no longer than it may: A over B. Empty: it takes longer, or a number is
/// none that divides exactly.
std::optional<mpq_class> counted_ratio(const ReadResult& a, const ReadResult& b, const CountOptions& options,
                                       double seconds) {
  CountOptions quick = options;
  quick.time_limit_seconds = seconds;
  std::vector<mpq_class> counts;
  for (const ReadResult* one : {&a, &b}) {
    try {
      const CountResult result = count(exactly(*one), quick);
      if (const auto* integer = std::get_if<mpz_class>(&result.value)) {
        counts.emplace_back(*integer);
      } else if (const auto* fraction = std::get_if<mpq_class>(&result.value)) {
        counts.push_back(*fraction);
      } else {
        return std::nullopt;
      }
    } catch (const UnableError&) {
      return std::nullopt;
    }
  }
  return mpq_class(counts[0] / counts[1]);
}

/// How long counted_ratio() is predicted to take; empty: each takes longer than that, or one does.
std::optional<double> counting_seconds(const ReadResult& a, const ReadResult& b, const CountOptions& options,
                                       double seconds) {
  CountOptions quick = options;
  quick.time_limit_seconds = seconds;
  double sum = 0;
  for (const ReadResult* one : {&a, &b}) {
    try {
      const Explanation explanation = explain(exactly(*one), quick);
      if (!explanation.feasible) return std::nullopt;
      if (!explanation.blocks.empty()) sum += std::pow(10, explanation.log10_total_seconds);
    } catch (const UnableError&) {
      return std::nullopt;
    }
  }
  return sum;
}

class RatioRun {
 public:
  RatioRun(const EstimateOptions& options, const CountOptions& count_options, Monitor& monitor,
           RatioResult& result)
      : options_(options), count_options_(count_options), monitor_(monitor), result_(result) {}

  /// Makes the samplers, and draws the first samples of every piece. Returns whether they reach the goal.
  bool begin(UnionGraph all) {
    prepare(std::move(all));
    monitor_.allow_grace(ratio_grace_seconds);
    monitor_.begin_stage("ratio", 1);
    bool reached = true;
    for (RatioPiece& piece : pieces_)
      reached = piece.draw_first(goal_of_piece(), options_.time_limit_seconds, result_.threads, monitor_) &&
                reached;
    return reached;
  }
  /// After begin().
  RatioTrial trial() const {
    RatioTrial trial{0, trusted()};
    for (const RatioPiece& piece : pieces_)
      trial.variance += piece.variance() * static_cast<double>(piece.tally.moments_a.samples);
    return trial;
  }
  ApartGoal goal_apart() const { return {goal(), goal_text(), {}, sampler_named(pieces_.front().name())}; }

  /// What is asked for, in words.
  std::string goal_text() const {
    return options_.samples > 0 ? fmt::format("{} samples", options_.samples)
                                : fmt::format("a standard error of {:.2g} in ln of the ratio", goal());
  }

  /// After begin(): all the others, together with other ranks where there is a channel.
  void run(Channel* channel) {
    if (channel != nullptr && !pieces_.empty()) share_ranges(*channel, plan(), shared_);
    sample();
    report();
  }

  /// Another rank's part.
  void follow(UnionGraph all, Channel& channel) {
    prepare(std::move(all));
    if (input_->start.violator) return;
    const auto run = [&](std::size_t piece, const UnitRange& numbers) {
      if (piece >= pieces_.size()) throw CheckError("rank 0 asks for samples of no piece");
      return pieces_[piece].chunks_for_rank_0(numbers, goal_of_piece(), result_.threads, monitor_);
    };
    const RangeWorker worker{[](std::size_t) {}, run};
    follow_ranges(channel, plan(), worker, monitor_);
  }

  /// After begin(): what the first samples of every piece, and some more, foretell.
  void foretell(SamplingForecast& forecast) {
    const auto pieces = static_cast<double>(pieces_.size());
    for (RatioPiece& piece : pieces_) {
      forecast.pieces.push_back(piece.forecast(
          goal_of_piece(), second(), monitor_.elapsed() + trial_seconds / pieces, result_.threads, monitor_));
    }
    add_up(forecast);
  }

 private:
  static constexpr double no_entry = std::numeric_limits<double>::quiet_NaN();

  void prepare(UnionGraph all) {
    ReadResult read;
    read.graph = std::move(all.graph);
    read.info = result_.input;
    input_.emplace(prepare_passes(std::move(read), count_options_, monitor_));
    const PassInput& input = *input_;
    std::vector<double> log_a(input.instance.pattern.entries(), no_entry);
    std::vector<double> log_b(log_a);
    const std::vector<std::uint64_t> entries = entries_of_edges(input.instance, input.edges);
    for (std::size_t e = 0; e < entries.size(); ++e) {
      log_a[entries[e]] = all.log_a[e];
      log_b[entries[e]] = all.log_b[e];
    }
    // What is in every perfect matching of both together is in each one's.
    for (const std::uint64_t entry : input.pieces.forced) {
      if (!std::isnan(log_a[entry])) known_ += log_a[entry] - log_b[entry];
    }
    result_.threads = resources_for(count_options_).threads;
    for (std::size_t p = 0; p < input.pieces.pieces.size(); ++p) {
      RatioPiece piece(input.pieces.pieces[p], log_a, log_b);
      if (const std::optional<double> known = piece.known()) {
        known_ += *known;
        continue;
      }
      piece.prepare(options_, count_options_.seed, p);
      add_method(piece.name(), result_.sampler);
      pieces_.push_back(std::move(piece));
    }
  }

  /// What all ranks have to agree on.
  RangePlan plan() const {
    if (shared_name(result_.input).empty() || shared_name(result_.other).empty())
      throw UsageError("several ranks need an input that each of them can read");
    return {fmt::format("{} samples by {} for a ratio of {}", options_.samples, result_.sampler,
                        pieces_digest(input_->pieces)),
            shared_name(result_.input) + ' ' + shared_name(result_.other), count_options_.seed};
  }

  /// The standard error that is asked for.
  double goal() const {
    if (options_.log_error) return *options_.log_error;
    return std::log1p(options_.relative_error) / two_sided_quantile(options_.confidence);
  }
  RatioGoal goal_of_piece() const {
    const auto pieces = static_cast<double>(std::max<std::size_t>(pieces_.size(), 1));
    return {goal() / std::sqrt(pieces), pieces, options_.samples, options_.confidence};
  }

  /// Of ln of the quotient, with what walks may not have met.
  double error() const {
    double variance = 0;
    double unseen = 0;
    for (const RatioPiece& piece : pieces_) {
      variance += piece.variance();
      unseen += piece.unseen();
    }
    return std::sqrt(variance + unseen * unseen);
  }

  void sample() {
    const double begin = monitor_.elapsed();
    double told = 0;
    const RatioGoal goal = goal_of_piece();
    bool reached = true;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      RatioPiece& piece = pieces_[p];
      monitor_.describe(piece.name(), p + 1, pieces_.size());
      const double left = std::max(options_.time_limit_seconds - monitor_.elapsed(), 0.0);
      const double begun = monitor_.elapsed();
      const double deadline = begun + left / (goal.pieces - static_cast<double>(p));
      const double end = begun + share_before_check(second()) * (deadline - begun);
      if (!piece.draw_to(goal, end, result_.threads, monitor_, {shared_ ? &*shared_ : nullptr, p}))
        reached = false;
      piece.check_by_another(second(), options_.confidence, deadline, result_.threads, monitor_);
      const double now = (static_cast<double>(p) + 1) / goal.pieces;
      monitor_.finish(now - std::exchange(told, now));
    }
    monitor_.lift_limit();
    if (!reached && !(options_.samples == 0 && trusted() && goal_error() <= this->goal()))
      result_.goal_missed = missed_text(goal_text(), wanted_samples(), begin, options_.time_limit_seconds);
  }

  /// How many times as many the goal is predicted to take; 0: not known.
  double wanted_samples() const {
    if (options_.samples > 0) {
      std::uint64_t fewest = options_.samples;
      for (const RatioPiece& piece : pieces_) fewest = std::min(fewest, piece.tally.moments_a.samples);
      return static_cast<double>(options_.samples) / static_cast<double>(std::max<std::uint64_t>(fewest, 1));
    }
    const double times = goal_error() / goal();
    return trusted() && std::isfinite(times) ? times * times : 0;
  }

  /// The error, and what the tails may add to an end of the interval.
  double goal_error() const {
    double tails = 0;
    for (const RatioPiece& piece : pieces_) tails += std::max(piece.tail.above, piece.tail.below);
    return error() + tails / two_sided_quantile(options_.confidence);
  }

  bool trusted() const {
    return std::all_of(pieces_.begin(), pieces_.end(),
                       [](const RatioPiece& piece) { return piece.doubt().empty(); });
  }

  /// A sampler that was asked for stands alone, unless a check was asked for, too.
  SecondOpinion second() const {
    const bool unasked = options_.second == SecondOpinion::automatic;
    return unasked && options_.sampler.kind ? SecondOpinion::none : options_.second;
  }

  void report() {
    result_.log = known_;
    double above = 0;
    double below = 0;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      const RatioPiece& piece = pieces_[p];
      const std::uint64_t samples = piece.tally.moments_a.samples;
      const double effective = std::min(piece.mean_a.effective, piece.mean_b.effective);
      if (!piece.has_both()) {
        throw UnableError(fmt::format("none of {} samples is a matching of {}", samples,
                                      piece.tally.a > 0 ? "the second graph" : "the first graph"),
                          "--samples and --time-limit allow more of them");
      }
      result_.log += piece.tally.log_ratio();
      result_.samples = p == 0 ? samples : std::min(result_.samples, samples);
      result_.effective_samples = p == 0 ? effective : std::min(result_.effective_samples, effective);
      result_.pareto_k = std::fmax(result_.pareto_k, std::fmax(piece.mean_a.pareto_k, piece.mean_b.pareto_k));
      result_.pareto_k = std::fmax(result_.pareto_k, piece.tail.pareto_k);
      if (result_.doubt.empty()) result_.doubt = piece.doubt();
      if (!piece.check.sampler.empty()) add_method(piece.check.sampler, result_.second);
      result_.second_samples += piece.check.samples;
      above += piece.tail.above;
      below += piece.tail.below;
    }
    result_.log_error = error();
    const double apart = two_sided_quantile(options_.confidence) * result_.log_error;
    result_.low = result_.log - apart - below;
    result_.high = result_.log + apart + above;
  }

  const EstimateOptions& options_;
  const CountOptions& count_options_;
  Monitor& monitor_;
  RatioResult& result_;
  std::optional<PassInput> input_;
  std::vector<RatioPiece> pieces_;
  std::optional<SharedRanges> shared_;
  double known_ = 0;  // ln of what no sample is needed for
};

void check_ratio_options(const EstimateOptions& options) {
  check_estimate_options(options);
  if (options.guarantee) throw UsageError("a ratio and a guarantee exclude each other");
  if (options.replicates > 1) throw UsageError("a ratio and replicates exclude each other");
  if (options.weights) throw UsageError("a ratio and the weights of samples exclude each other");
  if (options.device == "gpu" || options.gpus > 0)
    throw UsageError("ratios are the CPU's work: without --device gpu and --gpus");
  if (options.sampler.kind && !draws_any_graph(*options.sampler.kind))
    throw UsageError("ratios are sampled by boundary, bethe or annealed");
}

void check_of_ratio(const ReadResult& one) {
  validate(one.graph, one.info.path);
  refuse_for_ratios(one.graph);
}

/// Both graphs, checked, and what is known without a sample: nothing, or that the ratio is 0.
RatioResult begin_ratio(const ReadResult& a, const ReadResult& b, const CountOptions& own,
                        const EstimateOptions& options) {
  check_of_ratio(a);
  check_of_ratio(b);
  RatioResult result;
  summarise_input(a.graph, a.info, result);
  result.problem = to_instance(a.graph).problem;
  result.other = b.info;
  result.weighted = a.graph.weight_kind != WeightKind::none || b.graph.weight_kind != WeightKind::none;
  result.confidence = options.confidence;
  result.seed = own.seed;
  result.pareto_k = no_pareto_k;
  Monitor monitor(own);
  monitor.explained([&] {
    monitor.enter("looking at the graphs' structure");
    if (!has_perfect_matching(b, monitor))
      throw UnableError(
          quoted(b.info.path, longest_path) + " has no perfect matching: there is no ratio to it",
          "'countpm' says why there is none");
    if (!has_perfect_matching(a, monitor)) result.exact = mpq_class(0);
  });
  return result;
}

CountOptions ratio_options(const CountOptions& count_options, const EstimateOptions& options) {
  check_ratio_options(options);
  CountOptions own = monitored(count_options, options);
  own.matchings = MatchingSize::perfect;
  own.channel = nullptr;  // other ranks draw samples of both at a time, and no more
  check_options(own);
  return own;
}

bool may_be_counted(const EstimateOptions& options) {
  return !options.all_sampled && options.exact_below_seconds > 0;
}

/// Begins, and tells whether each sum is better drawn for itself: then what both are to reach.
std::optional<ApartGoal> goal_apart(const ReadResult& a, const ReadResult& b, UnionGraph all, RatioRun& run,
                                    const EstimateOptions& options, const CountOptions& own) {
  if (run.begin(std::move(all))) return std::nullopt;
  ApartGoal apart = run.goal_apart();
  apart.trial = try_apart(a, b, own, options, apart);
  if (!better_apart(run.trial(), apart.trial)) return std::nullopt;
  return apart;
}

/// Draws samples of both, unless it returns that each is better drawn for itself.
std::optional<ApartGoal> draw_together(const ReadResult& a, const ReadResult& b, UnionGraph all,
                                       const EstimateOptions& options, const CountOptions& own,
                                       Channel* channel, RatioResult& result) {
  Monitor monitor(own);
  return monitor.explained([&] {
    RatioRun run(options, own, monitor, result);
    std::optional<ApartGoal> apart = goal_apart(a, b, std::move(all), run, options, own);
    if (!apart) run.run(channel);
    return apart;
  });
}

std::vector<ReadResult> read_both(const Source& a, const Source& b, const ReadOptions& read_options,
                                  const CountOptions& own) {
  std::vector<ReadResult> read;
  Monitor monitor(own);
  monitor.explained([&] {
    monitor.enter("reading the input");
    for (const Source* source : {&a, &b}) read.push_back(read_graph(*source, read_options));
    monitor.throw_if_stopped();
  });
  return read;
}

}  // namespace

RatioResult ratio(const ReadResult& a, const ReadResult& b, const CountOptions& count_options,
                  const EstimateOptions& options) {
  const double begin = seconds_now();
  CountOptions own = ratio_options(count_options, options);
  RatioResult result = begin_ratio(a, b, own, options);
  UnionGraph all = unite(a, b);
  if (!result.exact && may_be_counted(options)) {
    CountOptions of_count = own;
    of_count.progress = nullptr;
    result.exact = counted_ratio(a, b, of_count, options.exact_below_seconds);
  }
  if (result.exact) {
    const mpq_class& exact = *result.exact;
    result.log = result.low = result.high = exact == 0 ? no_number : log_of_positive(exact);
  } else {
    own.time_limit_seconds = std::max(options.time_limit_seconds - (seconds_now() - begin), 0.1);
    EstimateOptions left = options;
    left.time_limit_seconds = own.time_limit_seconds;
    if (const auto goal = draw_together(a, b, std::move(all), left, own, count_options.channel, result)) {
      own.time_limit_seconds = std::max(options.time_limit_seconds - (seconds_now() - begin), 0.1);
      left.time_limit_seconds = own.time_limit_seconds;
      ratio_apart(a, b, own, left, *goal, result);
    }
  }
  result.seconds = seconds_now() - begin;
  return result;
}

RatioResult ratio(const Source& a, const Source& b, const ReadOptions& read_options,
                  const CountOptions& count_options, const EstimateOptions& options) {
  const std::vector<ReadResult> read =
      read_both(a, b, reading_on_ranks(read_options, count_options), ratio_options(count_options, options));
  return ratio(read[0], read[1], count_options, options);
}

void follow_ratio(const Source& a, const Source& b, const ReadOptions& read_options,
                  const CountOptions& count_options, const EstimateOptions& options) {
  CountOptions own = ratio_options(count_options, options);
  own.channel = count_options.channel;
  follow_passes(a, read_options, own, [&](const ReadResult& first, Monitor& monitor) {
    const ReadResult second = read_graph(b, reading_on_ranks(read_options, own));
    check_of_ratio(first);
    check_of_ratio(second);
    RatioResult result;
    result.input = first.info;
    result.other = second.info;
    RatioRun(options, own, monitor, result).follow(unite(first, second), *own.channel);
  });
}

SamplingForecast explain_ratio(const ReadResult& a, const ReadResult& b, const CountOptions& count_options,
                               const EstimateOptions& options) {
  const CountOptions own = ratio_options(count_options, options);
  RatioResult result = begin_ratio(a, b, own, options);
  UnionGraph all = unite(a, b);
  SamplingForecast forecast = begin_forecast(SampledQuestion::ratio, result, options.time_limit_seconds, own);
  forecast.other = result.other;
  if (result.exact) {
    forecast.counted = true;
    forecast.notes.emplace_back("the first has no perfect matching: the ratio is 0");
    return forecast;
  }
  if (may_be_counted(options)) {
    if (const auto seconds = counting_seconds(a, b, own, options.exact_below_seconds)) {
      forecast.counted = true;
      forecast.count_seconds = forecast.seconds = *seconds;
      forecast.feasible = forecast.seconds <= forecast.time_limit_seconds;
      return forecast;
    }
  }
  std::optional<ApartGoal> apart;
  {
    Monitor monitor(own);
    monitor.explained([&] {
      RatioRun run(options, own, monitor, result);
      apart = goal_apart(a, b, std::move(all), run, options, own);
      forecast.goal = run.goal_text();
      if (!apart) run.foretell(forecast);
    });
  }
  if (apart) foretell_apart(a, b, own, options, *apart, forecast);
  return forecast;
}

SamplingForecast explain_ratio(const Source& a, const Source& b, const ReadOptions& read_options,
                               const CountOptions& count_options, const EstimateOptions& options) {
  const std::vector<ReadResult> read = read_both(a, b, read_options, ratio_options(count_options, options));
  return explain_ratio(read[0], read[1], count_options, options);
}

}  // namespace countpm
