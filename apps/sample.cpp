// countpm sample INPUT: random perfect matchings, one a line.
#include <limits>
#include <optional>
#include <string>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "apps/matching_lines.hpp"
#include "apps/ranks.hpp"
#include "apps/sample_files.hpp"
#include "graph/clock.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/matchings/approximate_draws.hpp"
#include "src/matchings/explain_draws.hpp"
#include "src/matchings/follow_matchings.hpp"
#include "src/words/draw_forecast_words.hpp"
#include "src/words/estimate_words.hpp"

namespace countpm::app {
namespace {

/// That draws are approximate is said whoever reads; how good they are, too.
void report_approximate(const Request& request, const DrawnApproximately& drawn) {
  if (request.quiet || drawn.sampler.empty()) return;
  if (request.report || error_is_terminal()) {
    for (const words::Fact& fact : words::drawn_facts(drawn)) write_error(line(fact.head, fact.text));
  } else {
    write_error("countpm: " + words::drawn_text(drawn) + "\n");
  }
  if (!drawn.doubt.empty()) write_error("countpm: the draws are in doubt: " + drawn.doubt + "\n");
}

std::string sampler_of(const Request& request) {
  return request.estimate.sampler.kind ? std::string(sampler_info(*request.estimate.sampler.kind).name) : "";
}

/// Of draws of which one can see what they take; of others the report says it.
void foretell(const Request& request, const DrawForecast& forecast) {
  if (request.quiet || (!request.report && !error_is_terminal()) || forecast.draws == 0) return;
  write_error(line("forecast", words::foretold_text(forecast)));
}

int follow_rank_0_to_sample(const Request& request) {
  const CountOptions options = options_to_follow(request);
  follow_sample(input_of(request), request.read, options, request.sample);
  return 0;
}

}  // namespace

int run_explain_draws(const Request& request) {
  const Around around{std::numeric_limits<double>::infinity()};
  const DrawForecast forecast = asked(request, around, [&](const ReadOptions& read, CountOptions options) {
    options.progress = {};
    return explain_draws(input_of(request), read, options, request.sample, sampler_of(request));
  });
  std::string text = line("input", words::input_text(forecast), output_width());
  for (const words::Fact& fact : words::facts_of(forecast))
    text += line(fact.head, fact.text, output_width());
  show_forecast(request, forecast, text);
  return 0;
}

int run_sample(const Request& request) {
  if (follows(request)) return follow_rank_0_to_sample(request);
  const double begin = seconds_now();
  CountOptions options = request.count;
  SampleOptions sample_options = request.sample;
  ListStart start;
  sample_options.started = [&](const ListStart& begun) { start = begun; };
  MatchingLines lines(request);
  SampleFiles files(request);
  sample_options.read = [&](const Graph& graph) { files.keep(graph); };
  const auto take = [&](const Pairs& pairs) {
    files.check(start);  // what is refused has no line
    lines.write(pairs, start.problem);
    files.take(pairs, start);
    return true;
  };
  std::uint64_t number = 0;
  std::optional<DrawnApproximately> approximately;
  {
    ProgressScope scope(request);
    scope.watch(options);
    sample_options.foretold = [&](const DrawForecast& forecast) {
      scope.hide();
      foretell(request, forecast);
    };
    const Source source = source_for_all(request);
    if (request.estimate.sampler.kind) {
      approximately =
          sample_approximately(source, request.read, options, sampler_of(request), sample_options, take);
      number = approximately->draws;
    } else {
      number = sample_matchings(source, request.read, options, sample_options, take);
    }
  }
  lines.begin();
  lines.finish();
  if (approximately && request.json) write_output(one_line(json_of(ApproximateDraws{*approximately})) + '\n');
  const double seconds = seconds_now() - begin;
  flush_output();
  report_matchings(request, start, {"drawn", number, "", seconds});
  if (approximately) report_approximate(request, *approximately);
  files.finish();
  return 0;
}

}  // namespace countpm::app
