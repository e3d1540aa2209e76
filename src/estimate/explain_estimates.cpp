#include "src/estimate/explain_estimates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/input/report.hpp"
#include "src/input/with_graph.hpp"
#include "src/sampling/check_options.hpp"
#include "src/sampling/foretell.hpp"
#include "src/sampling/second_sampler.hpp"
#include "src/text/format_number.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t few_trials = 16;
// Where these take less time than that, so many more say more.
constexpr double quick_trials_seconds = 0.05;
constexpr std::uint64_t more_trials = 256;

/// How long an estimate takes: to begin, and for each sample.
struct EstimatePace {
  double begin = 0;
  double a_sample = 0;
  Estimate estimate;
  bool nothing = false;  // the reductions leave nothing to sample
};

class ComparisonForecast {
 public:
  ComparisonForecast(ReadResult read, const CountOptions& count_options,
                     const EstimateOptions& estimate_options, const CompareOptions& options,
                     SamplingForecast& forecast)
      : read_(std::move(read)),
        count_options_(count_options),
        estimate_options_(estimate_options),
        options_(options),
        forecast_(forecast) {}

  void run() {
    foretell_count();
    const std::vector<SamplerKind> kinds = compared_kinds(options_, forecast_.problem);
    for (const SamplerKind kind : kinds) {
      if (!foretell_estimates(kind)) return;
    }
  }

 private:
  void foretell_count() {
    try {
      const Explanation explanation = explain(ReadResult(read_), count_options_);
      forecast_.violator = explanation.violator;
      forecast_.counted = explanation.feasible;
      if (forecast_.counted && !explanation.blocks.empty())
        forecast_.count_seconds = std::pow(10, explanation.log10_total_seconds);
    } catch (const UnableError& error) {
      forecast_.notes.emplace_back(error.what());
    }
    forecast_.seconds = forecast_.count_seconds;
  }

  EstimatePace pace_of(SamplerKind kind, std::uint64_t samples) const {
    const EstimateOptions one = compared_options(estimate_options_, count_options_, kind, samples);
    const EstimateResult result = estimate(read_.graph, count_options_, one);
    if (!result.estimate) return {0, 0, {}, true};
    const double drawn = result.seconds.count;
    return {result.seconds.total - drawn, drawn / static_cast<double>(samples), *result.estimate, false};
  }

  /// Whether there is anything to sample.
  bool foretell_estimates(SamplerKind kind) {
    PieceForecast piece;
    piece.sampler = sampler_info(kind).name;
    const std::uint64_t most = *std::max_element(options_.samples.begin(), options_.samples.end());
    try {
      EstimatePace pace = pace_of(kind, std::min(few_trials, most));
      piece.trials = std::min(few_trials, most);
      if (pace.nothing) return false;
      if (most > few_trials && pace.a_sample * static_cast<double>(few_trials) < quick_trials_seconds) {
        piece.trials = std::min(more_trials, most);
        pace = pace_of(kind, piece.trials);
      }
      piece.effective_trials = pace.estimate.effective_samples;
      piece.pareto_k = pace.estimate.pareto_k;
      piece.doubt = pace.estimate.doubt;
      for (const std::uint64_t samples : options_.samples) add(piece, pace, samples);
    } catch (const UnableError& error) {
      piece.obstacle = error.what();
      forecast_.pieces.push_back(piece);
    }
    return true;
  }

  void add(PieceForecast piece, const EstimatePace& pace, std::uint64_t samples) {
    piece.samples = samples;
    const double sampling = pace.a_sample * static_cast<double>(samples);
    if (sampling > estimate_options_.time_limit_seconds) forecast_.feasible = false;
    piece.seconds = static_cast<double>(options_.seeds) *
                    (pace.begin + std::min(sampling, estimate_options_.time_limit_seconds));
    forecast_.seconds += piece.seconds;
    forecast_.pieces.push_back(std::move(piece));
  }

  ReadResult read_;
  const CountOptions& count_options_;
  const EstimateOptions& estimate_options_;
  const CompareOptions& options_;
  SamplingForecast& forecast_;
};

// Trials of an estimate: as many, and more and more while they are quicker than that.
constexpr std::uint64_t first_trials = 64;
constexpr std::uint64_t growth_of_trials = 2;
constexpr std::uint64_t most_trials = 32768;
constexpr double quick_seconds = 0.25;

/// The error over that which is wanted, and whether it can be believed.
ChunkGoal goal_of(const Estimate& estimate, const EstimateOptions& options) {
  const double excess = options.ln_error
                            ? estimate.ln_error() / *options.ln_error
                            : std::log1p(estimate.relative_error) / std::log1p(options.relative_error);
  return {excess, estimate.doubt.empty()};
}

EstimateResult trial_estimate(const ReadResult& read, const CountOptions& count_options,
                              const EstimateOptions& options) {
  EstimateOptions trial = options;
  trial.samples = first_trials;
  while (true) {
    if (options.samples > 0) trial.samples = std::min(trial.samples, options.samples);
    EstimateResult result = estimate(ReadResult(read), count_options, trial);
    if (!result.estimate || trial.samples == options.samples || trial.samples >= most_trials) return result;
    const ChunkGoal goal = goal_of(*result.estimate, options);
    if (options.samples == 0 && goal.trusted && goal.excess <= 1) return result;
    if (result.seconds.total > quick_seconds) return result;
    trial.samples *= growth_of_trials;
  }
}

PieceForecast forecast_of_block(const EstimatedBlock& block, const ChunkGoal& goal,
                                const EstimateOptions& options) {
  PieceForecast piece;
  piece.rows = block.rows;
  piece.entries = block.entries;
  piece.general = block.general;
  piece.sampler = block.method;
  piece.trials = block.samples;
  piece.effective_trials = block.effective_samples;
  piece.pareto_k = block.pareto_k;
  piece.doubt = block.doubt;
  piece.population = block.population;
  foretell({block.samples, block.seconds, goal.trusted && goal.excess <= 1, goal}, options.samples, piece);
  if (!block.second) return piece;
  piece.second = block.second->sampler;
  const bool annealed = options.second == SecondOpinion::annealed;
  const double times = static_cast<double>(piece.samples) / static_cast<double>(block.samples);
  const auto planned = static_cast<double>(block.second->planned);
  piece.second_samples = static_cast<std::uint64_t>(std::ceil(planned * std::max(times, 1.0)));
  piece.seconds *= 1 + (annealed ? share_of_asked_second : share_of_second);
  return piece;
}

SamplingForecast foretold_estimate(const ReadResult& read, const CountOptions& count_options,
                                   const EstimateOptions& options) {
  const EstimateResult result = trial_estimate(read, count_options, options);
  SamplingForecast forecast =
      begin_forecast(SampledQuestion::count, result, options.time_limit_seconds, count_options);
  forecast.goal = options.samples > 0 ? fmt::format("{} of every block", counted(options.samples, "sample"))
                  : options.ln_error
                      ? fmt::format("a standard error of {:.2g} in ln Z", *options.ln_error)
                      : fmt::format("an error of {} at most", format_percent(options.relative_error));
  forecast.threads = result.threads;
  forecast.violator = result.violator;
  forecast.counted = !result.estimate;
  std::uint64_t exact = 0;
  for (const EstimatedBlock& block : result.blocks) {
    if (block.exact) {
      ++exact;
      forecast.count_seconds += block.seconds;
    } else {
      forecast.pieces.push_back(forecast_of_block(block, goal_of(*result.estimate, options), options));
    }
  }
  if (exact > 0 && !forecast.counted)
    forecast.notes.emplace_back("easy blocks are counted exactly, as they were here");
  forecast.seconds = forecast.count_seconds;
  add_up(forecast);
  return forecast;
}

void check_explained(const EstimateOptions& options) {
  if (options.guarantee)
    throw UsageError(
        "a guarantee is refused where it is predicted to take longer than the time limit: there is nothing "
        "else to explain of it");
  if (options.replicates > 1) throw UsageError("replicates and an explanation exclude each other");
  if (options.weights) throw UsageError("weights of samples and an explanation exclude each other");
}

}  // namespace

SamplingForecast explain_estimate(const ReadResult& read, const CountOptions& count_options,
                                  const EstimateOptions& options) {
  check_explained(options);
  return foretold_estimate(read, count_options, options);
}

SamplingForecast explain_estimate(const Source& source, const ReadOptions& read_options,
                                  const CountOptions& count_options, const EstimateOptions& options) {
  check_explained(options);
  check_estimate_options(options);
  const ReadResult read =
      with_graph(GraphQuestion::estimate, source, read_options, monitored(count_options, options),
                 [](Monitor&, ReadResult one) { return one; });
  return foretold_estimate(read, count_options, options);
}

SamplingForecast explain_comparison(const Source& source, const ReadOptions& read_options,
                                    const CountOptions& count_options,
                                    const EstimateOptions& estimate_options, const CompareOptions& options) {
  check_compare_options(estimate_options, options);
  InputSummary input;
  ReadResult read;
  Monitor monitor(count_options);
  monitor.explained([&] {
    monitor.enter("reading the input");
    read = read_graph(source, read_options);
    refuse_kinds(GraphQuestion::compare, read.graph, read.info, count_options);
    summarise_input(read.graph, read.info, input);
    input.problem = to_instance(read.graph).problem;
  });
  SamplingForecast forecast =
      begin_forecast(SampledQuestion::comparison, input, estimate_options.time_limit_seconds, count_options);
  ComparisonForecast(std::move(read), count_options, estimate_options, options, forecast).run();
  return forecast;
}

}  // namespace countpm
