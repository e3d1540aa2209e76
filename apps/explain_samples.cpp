#include "apps/explain_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "apps/json.hpp"
#include "apps/marginal_pairs.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/ratio.hpp"
#include "apps/report.hpp"
#include "apps/report_lines.hpp"
#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/estimate/explain_estimates.hpp"
#include "src/matchings/ratio.hpp"
#include "src/matchings/sampled_marginals.hpp"
#include "src/words/sampling_forecast_words.hpp"

namespace countpm::app {
namespace {

// What is kept, written or drawn of samples.
constexpr std::array of_samples_alone{std::string_view("checkpoint"), std::string_view("log-weights"),
                                      std::string_view("html"),       std::string_view("svg"),
                                      std::string_view("csv"),        std::string_view("report"),
                                      std::string_view("heights"),    std::string_view("checks")};

std::string forecast_report(const SamplingForecast& forecast, std::size_t width) {
  std::string text = line("input", words::input_text(forecast), width);
  if (forecast.other) text += line("over", printable(forecast.other->path), width);
  for (const words::Fact& fact : words::facts_of(forecast)) text += line(fact.head, fact.text, width);
  return text;
}

SamplingForecast forecast_of_one(const Request& request, const std::string& input) {
  ProgressScope scope(request);
  ReadOptions read = request.read;
  read.hash = request.json;
  CountOptions options = request.count;
  const Source source = Source::from_argument(input);
  if (request.command == "compare") {
    scope.watch(options);
    return explain_comparison(source, read, options, request.estimate, request.compare);
  }
  scope.watch(options, request.estimate.time_limit_seconds);
  if (request.given_edge || request.pairs_file) return explain_marginal_pairs(request, source, read, options);
  if (request.command == "marginals")
    return explain_sampled_marginals(source, read, options, edge_sampling(request));
  if (request.integrate) return explain_integral(source, read, *request.integrate, options, request.estimate);
  if (!request.ratio_to) return explain_estimate(source, read, options, request.estimate);
  return explain_ratio(source, Source::from_argument(*request.ratio_to), read, options, request.estimate);
}

}  // namespace

void refuse_of_samples(const Request& request) {
  for (const auto& [name, value] : request.given) {
    if (std::find(of_samples_alone.begin(), of_samples_alone.end(), name) != of_samples_alone.end())
      throw UsageError(
          fmt::format("--{} and --explain exclude each other: nothing but trials is drawn", name));
  }
}

EdgeSampling edge_sampling(const Request& request) {
  EdgeSampling sampling;
  if (request.estimate.sampler.kind) sampling.sampler = sampler_info(*request.estimate.sampler.kind).name;
  sampling.error = request.edge_error;
  sampling.samples = request.estimate.samples;
  sampling.time_limit_seconds = request.estimate.time_limit_seconds;
  return sampling;
}

int run_explain_samples(const Request& request) {
  refuse_of_samples(request);
  if (request.ratio_to || request.integrate) refuse_unknown_to_ratios(request);
  for (std::size_t k = 0; k < request.arguments.size(); ++k) {
    const SamplingForecast forecast = forecast_of_one(request, request.arguments[k]);
    const bool several = request.arguments.size() > 1;
    write_output(request.json ? (several ? one_line(json_of(forecast)) + "\n" : indented(json_of(forecast)))
                              : (k > 0 ? "\n" : "") + forecast_report(forecast, output_width()));
    flush_output();
  }
  return 0;
}

}  // namespace countpm::app
