#include "apps/explain_samples.hpp"

#include <fmt/format.h>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "apps/marginal_pairs.hpp"
#include "apps/report.hpp"
#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/estimate/explain_estimates.hpp"
#include "src/matchings/ratio.hpp"
#include "src/matchings/sampled_marginals.hpp"
#include "src/words/sampling_forecast_words.hpp"

namespace countpm::app {
namespace {

std::string forecast_report(const SamplingForecast& forecast, std::size_t width) {
  std::string text = line("input", words::input_text(forecast), width);
  if (forecast.other) text += line("over", printable(forecast.other->path), width);
  for (const words::Fact& fact : words::facts_of(forecast)) text += line(fact.head, fact.text, width);
  return text;
}

SamplingForecast forecast_of_one(const Request& request, const Source& source) {
  const EstimateOptions& estimate = request.estimate;
  const bool compared = request.command == "compare";
  const Around around{compared ? request.count.time_limit_seconds : estimate.time_limit_seconds};
  return asked(request, around, [&](const ReadOptions& read, const CountOptions& options) {
    if (compared) return explain_comparison(source, read, options, estimate, request.compare);
    if (request.given_edge || request.pairs_file)
      return explain_marginal_pairs(request, source, read, options);
    if (request.command == "marginals")
      return explain_sampled_marginals(source, read, options, edge_sampling(request));
    if (request.integrate) return explain_integral(source, read, *request.integrate, options, estimate);
    if (!request.ratio_to) return explain_estimate(source, read, options, estimate);
    return explain_ratio(source, Source::from_argument(*request.ratio_to), read, options, estimate);
  });
}

}  // namespace

EdgeSampling edge_sampling(const Request& request) {
  EdgeSampling sampling;
  if (request.estimate.sampler.kind) sampling.sampler = sampler_info(*request.estimate.sampler.kind).name;
  sampling.error = request.edge_error;
  sampling.samples = request.estimate.samples;
  sampling.time_limit_seconds = request.estimate.time_limit_seconds;
  return sampling;
}

int run_explain_samples(const Request& request) {
  for (std::size_t k = 0; k < request.arguments.size(); ++k) {
    const SamplingForecast forecast = forecast_of_one(request, Source::from_argument(request.arguments[k]));
    const bool several = request.arguments.size() > 1;
    write_output(request.json ? (several ? one_line(json_of(forecast)) + "\n" : indented(json_of(forecast)))
                              : (k > 0 ? "\n" : "") + forecast_report(forecast, output_width()));
    flush_output();
  }
  return 0;
}

}  // namespace countpm::app
