// countpm sample INPUT: random perfect matchings, one a line.
#include "apps/commands.hpp"
#include "apps/matching_lines.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/ranks.hpp"
#include "apps/sample_files.hpp"
#include "apps/signals.hpp"
#include "graph/clock.hpp"
#include "src/matchings/follow_matchings.hpp"

namespace countpm::app {

namespace {

int follow_rank_0_to_sample(const Request& request) {
  CountOptions options = request.count;
  options.interrupted = stop_requested;
  allow_time_to_stop();
  follow_sample(Source::from_argument(request.arguments.front()), request.read, options, request.sample);
  return 0;
}

}  // namespace

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
  std::uint64_t drawn = 0;
  {
    ProgressScope scope(request);
    scope.watch(options);
    drawn = sample_matchings(source_for_all(request), request.read, options, sample_options,
                             [&](const Pairs& pairs) {
                               lines.write(pairs, start.problem);
                               files.take(pairs, start);
                               return true;
                             });
  }
  lines.begin();
  const double seconds = seconds_now() - begin;
  flush_output();
  report_matchings(request, start, {"drawn", drawn, "", seconds});
  files.finish();
  return 0;
}

}  // namespace countpm::app
