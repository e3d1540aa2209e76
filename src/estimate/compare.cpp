#include "src/estimate/compare.hpp"

#include <algorithm>
#include <cmath>

#include "src/report/report.hpp"

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
  if (exact) {
    row.log10_ratio = row.estimate.log10 - exact->log10;
    row.held =
        at_most(row.estimate.low_log10, exact->log10) && at_most(exact->log10, row.estimate.high_log10);
  }
  return row;
}

}  // namespace

std::size_t compare(const Source& source, const ReadOptions& read_options, const CountOptions& count_options,
                    const EstimateOptions& estimate_options, const CompareOptions& options,
                    const std::function<void(const ComparisonStart&)>& started,
                    const std::function<void(const ComparedEstimate&)>& told) {
  if (options.samples.empty()) throw UsageError("a comparison needs at least one number of samples");
  const ReadResult read = read_graph(source, read_options);
  ComparisonStart start;
  summarise_input(read.graph, read.info, start);
  start.weighted = read.graph.weight_kind != WeightKind::none;
  start.problem = to_instance(read.graph).problem;
  try {
    start.exact = count(read.graph, count_options);
  } catch (const UnableError& error) {
    start.refusal = error.what();
  }
  started(start);

  std::vector<SamplerKind> kinds = options.samplers;
  if (kinds.empty()) {
    for (const SamplerInfo& info : samplers()) kinds.push_back(info.kind);
  }
  std::size_t estimates = 0;
  for (const SamplerKind kind : kinds) {
    for (const std::uint64_t samples : options.samples) {
      EstimateOptions one = estimate_options;
      one.sampler.kind = kind;
      one.samples = samples;
      one.all_sampled = true;
      one.device = count_options.device == "cpu" ? "cpu" : "auto";
      one.gpus = 0;
      const bool walks = sampler_info(kind).walks;
      if (!can_prune(kind)) one.sampler.prune = {};
      if (!can_scale(kind)) {
        one.sampler.scale_interval = 0;
        one.sampler.scale_steps = default_scale_steps;
      }
      if (kind != SamplerKind::population) one.sampler.population = {};
      if (!walks) one.sampler.tail_rows = {}, one.sampler.strata = 1;
      try {
        const EstimateResult result = estimate(read.graph, count_options, one);
        if (!result.estimate) return estimates;
        told(compared(result, samples, start.exact));
      } catch (const UnableError&) {
        if (walks || !options.samplers.empty()) throw;
        break;  // determinants have a largest size, populations a widest frontier
      }
      ++estimates;
    }
  }
  return estimates;
}

}  // namespace countpm
