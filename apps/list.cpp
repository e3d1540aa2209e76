// countpm list INPUT: the matchings themselves, one a line, each as soon as it is found.
#include <limits>

#include "apps/commands.hpp"
#include "apps/matching_lines.hpp"
#include "apps/output.hpp"
#include "apps/signals.hpp"

namespace countpm::app {

int run_list(const Request& request) {
  ListOptions options = request.list;
  options.interrupted = stop_requested;
  ListStart start;
  options.started = [&](const ListStart& begun) { start = begun; };
  std::uint64_t listed = 0;
  const std::uint64_t limit = request.limit.value_or(std::numeric_limits<std::uint64_t>::max());
  MatchingLines lines(request.json);
  if (limit == 0) options.last = options.first - 1;
  list_matchings(Source::from_argument(request.arguments.front()), request.read, options,
                 [&](const Pairs& pairs) {
                   lines.write(pairs, start.problem);
                   return ++listed < limit;
                 });
  flush_output();
  report_start(request, start, "listed", listed);
  return 0;
}

}  // namespace countpm::app
