// countpm list INPUT: the matchings themselves, one a line, each as soon as it is found.
#include <limits>

#include "apps/commands.hpp"
#include "apps/matching_lines.hpp"
#include "apps/output.hpp"
#include "apps/signals.hpp"
#include "graph/clock.hpp"
#include "src/matchings/list_orbits.hpp"

namespace countpm::app {

int run_list(const Request& request) {
  const double begin = seconds_now();
  ListOptions options = request.list;
  options.interrupted = stop_requested;
  ListStart start;
  options.started = [&](const ListStart& begun) { start = begun; };
  std::uint64_t listed = 0;
  const std::uint64_t limit = request.limit.value_or(std::numeric_limits<std::uint64_t>::max());
  MatchingLines lines(request, options.first);
  if (limit == 0) options.last = options.first - 1;
  const Source source = Source::from_argument(request.arguments.front());
  const MatchingSink write = [&](const Pairs& pairs) {
    lines.write(pairs, start.problem);
    return ++listed < limit;
  };
  if (request.asks(Question::orbits)) {
    list_orbits(source, request.read, options, write);
  } else {
    list_matchings(source, request.read, options, write);
  }
  lines.begin();
  flush_output();
  report_matchings(request, start, {"listed", listed, "", seconds_now() - begin});
  return 0;
}

}  // namespace countpm::app
