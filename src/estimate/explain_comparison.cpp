// What a comparison would do, and how long that would take.
#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/estimate/check_options.hpp"
#include "src/estimate/compare.hpp"
#include "src/input/report.hpp"
#include "src/machine/resources.hpp"
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

}  // namespace

SamplingForecast explain_comparison(const Source& source, const ReadOptions& read_options,
                                    const CountOptions& count_options,
                                    const EstimateOptions& estimate_options, const CompareOptions& options) {
  check_compare_options(estimate_options, options);
  SamplingForecast forecast;
  ReadResult read;
  Monitor monitor(count_options);
  monitor.explained([&] {
    monitor.enter("reading the input");
    read = read_graph(source, read_options);
    refuse_covers(read.graph, "estimates");
    refuse_letter(read.graph, "estimates");
    require_own_matchings(read.graph, "estimates");
    summarise_input(read.graph, read.info, forecast);
    forecast.problem = to_instance(read.graph).problem;
  });
  forecast.question = SampledQuestion::comparison;
  forecast.time_limit_seconds = estimate_options.time_limit_seconds;
  forecast.seed = count_options.seed;
  forecast.threads = resources_for(count_options).threads;
  ComparisonForecast(std::move(read), count_options, estimate_options, options, forecast).run();
  return forecast;
}

}  // namespace countpm
