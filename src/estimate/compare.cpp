#include "src/estimate/compare.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "kernels/estimate/samples/sampler.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/estimate/replicates.hpp"
#include "src/input/asked_kinds.hpp"
#include "src/input/report.hpp"
#include "src/input/sound_options.hpp"
#include "src/sampling/check_options.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {
namespace {

// log10s are sums over rows and samples: what differs by less is the same number.
bool at_most(double a_log10, double b_log10) {
  constexpr double rounding = 1e-12;
  return a_log10 <= b_log10 || a_log10 - b_log10 <= rounding * std::max(1.0, std::abs(b_log10));
}

ComparedEstimate compared(const EstimateResult& result, std::uint64_t samples,
                          const std::optional<CountResult>& exact) {
  ComparedEstimate row;
  row.sampler = result.sampler;
  row.samples = samples;
  row.estimate = *result.estimate;
  row.seconds = result.seconds.count;
  row.device = result.device;
  if (row.estimate.doubt.empty() && std::isfinite(row.estimate.relative_error)) {
    const double times = std::log1p(row.estimate.relative_error) / std::log1p(0.01);
    row.seconds_for_percent = row.seconds * times * times;
  }
  if (exact) {
    row.log10_ratio = row.estimate.log10 - exact->log10;
    row.covered =
        at_most(row.estimate.low_log10, exact->log10) && at_most(exact->log10, row.estimate.high_log10);
  }
  return row;
}

/// Samplers that have no form for the block or the device: reported once another one has, else the first is
/// the refusal of all.
class LeftOut {
 public:
  explicit LeftOut(const std::function<void(const LeftOutSampler&)>& sink) : sink_(sink) {}

  void add(SamplerKind kind, const UnableError& why) {
    left_out_.push_back({std::string(sampler_info(kind).name), why.what()});
    if (!first_) first_ = why;
    if (drawn_) report();
  }
  void another_has() {
    drawn_ = true;
    report();
  }
  void refuse_if_all() const {
    if (!drawn_ && first_) throw UnableError(*first_);
  }

 private:
  void report() {
    for (const LeftOutSampler& one : std::exchange(left_out_, {})) sink_(one);
  }

  const std::function<void(const LeftOutSampler&)>& sink_;
  std::vector<LeftOutSampler> left_out_;
  std::optional<UnableError> first_;
  bool drawn_ = false;
};

}  // namespace

std::vector<SamplerKind> compared_kinds(const CompareOptions& options, Problem problem) {
  if (!options.samplers.empty()) return options.samplers;
  const bool general = problem == Problem::general_perfect_matchings || problem == Problem::matchings;
  std::vector<SamplerKind> kinds;
  for (const SamplerInfo& info : samplers()) {
    if (!general || draws_any_graph(info.kind)) kinds.push_back(info.kind);
  }
  return kinds;
}

double at_most_by_chance(std::uint64_t covered, std::uint64_t of, double probability) {
  double sum = 0;
  double log_term = static_cast<double>(of) * std::log1p(-probability);  // of none
  const double odds = std::log(probability) - std::log1p(-probability);
  for (std::uint64_t k = 0; k <= covered; ++k) {
    sum += std::exp(log_term);
    log_term += odds + std::log(static_cast<double>(of - k)) - std::log(static_cast<double>(k + 1));
  }
  return std::min(sum, 1.0);
}

void check_compare_options(const EstimateOptions& estimate_options, const CompareOptions& options) {
  if (options.samples.empty()) throw UsageError("a comparison needs at least one number of samples");
  if (options.seeds == 0 || options.seeds > most_replicates)
    throw UsageError("a comparison has 1 to " + std::to_string(most_replicates) + " seeds");
  check_compared_samplers(compared_kinds(options, Problem::perfect_matchings), estimate_options.sampler);
  EstimateOptions all = estimate_options;
  all.sampler = {};  // each sampler has its own part of them
  check_estimate_options(all);
}

EstimateOptions compared_options(const EstimateOptions& estimate_options, const CountOptions& count_options,
                                 SamplerKind kind, std::uint64_t samples) {
  EstimateOptions one = estimate_options;
  one.sampler = known_options(kind, estimate_options.sampler);
  one.sampler.kind = kind;
  one.samples = samples;
  one.all_sampled = true;
  one.device = count_options.device;
  one.gpus = count_options.gpus;
  return one;
}

std::size_t compare(const Source& source, const ReadOptions& read_options, const CountOptions& count_options,
                    const EstimateOptions& estimate_options, const CompareOptions& options,
                    const std::function<void(const ComparisonStart&)>& started,
                    const std::function<void(const ComparedEstimate&)>& finished,
                    const std::function<void(const LeftOutSampler&)>& left_out,
                    const std::function<void(const ComparedCoverage&)>& covered) {
  check_compare_options(estimate_options, options);
  require_sink(started, "the beginning");
  require_sink(finished, "estimates");
  require_sink(left_out, "samplers that are left out");
  ReadResult read;
  ComparisonStart start;
  {
    Monitor monitor(count_options);
    monitor.explained([&] {
      monitor.enter("reading the input");
      ReadOptions reading = read_options;
      reading.hash = reading.hash || count_options.channel != nullptr;
      read = read_graph(source, reading);
      refuse_kinds(GraphQuestion::compare, read.graph, read.info, count_options);
      summarise_input(read.graph, read.info, start);
      start.problem = to_instance(read.graph).problem;
    });
  }
  try {
    start.exact = as_job(count_options, {"count", source}, [&](const CountOptions& own) {
      return own.channel != nullptr ? count(read, own) : count(read.graph, own);
    });
  } catch (const UnableError& error) {
    start.refusal = error.what();
  }
  started(start);

  std::size_t estimates = 0;
  LeftOut others(left_out);
  for (const SamplerKind kind : compared_kinds(options, start.problem)) {
    for (const std::uint64_t samples : options.samples) {
      const EstimateOptions one = compared_options(estimate_options, count_options, kind, samples);
      try {
        ComparedCoverage all{
            std::string(sampler_info(kind).name), samples, options.seeds, 0, 0, one.confidence};
        for (std::uint64_t k = 0; k < options.seeds; ++k) {
          CountOptions own = count_options;
          own.seed = seed_of_replicate(count_options.seed, k);
          const RankJob job{"estimate", source, {}, own.seed, std::string(sampler_info(kind).name), samples};
          const EstimateResult result = as_job(own, job, [&](const CountOptions& on) {
            return on.channel != nullptr ? estimate(read, on, one) : estimate(read.graph, on, one);
          });
          if (!result.estimate) return estimates;
          others.another_has();
          ComparedEstimate row = compared(result, samples, start.exact);
          row.number = k;
          if (row.estimate.doubt.empty()) ++all.shown;
          if (row.estimate.doubt.empty() && row.covered.value_or(false)) ++all.covered;
          finished(row);
          ++estimates;
        }
        all.probability = at_most_by_chance(all.covered, all.shown, all.confidence);
        if (covered && options.seeds > 1 && start.exact) covered(all);
      } catch (const UnableError& error) {
        if (!options.samplers.empty()) throw;
        others.add(kind, error);  // too many rows for determinants, no form for GPUs
        break;
      }
    }
  }
  others.refuse_if_all();
  return estimates;
}

}  // namespace countpm
