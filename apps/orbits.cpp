#include "apps/orbits.hpp"

#include <fmt/format.h>

#include "apps/json.hpp"
#include "apps/option_rows.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/report_lines.hpp"
#include "src/count/orbit_count.hpp"
#include "src/number/number.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/words/result_words.hpp"

namespace countpm::app {
namespace {

void check_up_to_symmetry(const Request& request) {
  const char* other = request.log_only                                   ? "--log-only"
                      : request.on_limit != OnLimit::refuse              ? "--on-limit"
                      : request.html                                     ? "--html"
                      : !request.count.checkpoint.file.empty()           ? "--checkpoint"
                      : request.count.matchings != MatchingSize::perfect ? "--maximum"
                                                                         : nullptr;
  if (other != nullptr) throw UsageError(fmt::format("--up-to-symmetry and {} exclude each other", other));
}

std::string orbits_report(const OrbitCount& result) {
  std::string text = line("input", words::input_text(result));
  text += line("counted", fmt::format("{} up to symmetry{}; exact", words::problem_name(result),
                                      result.weighted ? ", each orbit by its weight" : ""));
  text += line("symmetries", fmt::format("{}; {} of matchings that one leaves as they are", result.symmetries,
                                         counted(result.counts, "count")));
  text += line("time", format_duration(result.seconds));
  for (const std::string& note : result.notes) text += line("note", note);
  return text;
}

}  // namespace

OptionInfo up_to_symmetry_option() {
  return with_uses(
      {{"list", "list one of the matchings that symmetries of the graph take to each other"}},
      flag_row("up-to-symmetry",
               "count matchings that a symmetry of the graph takes to each other as one (docs/symmetry.md)",
               {"count", "list"}, [](Request& request, std::string_view) { request.up_to_symmetry = true; }));
}

int run_orbits(const Request& request) {
  check_up_to_symmetry(request);
  OrbitCount result;
  {
    ProgressScope scope(request);
    ReadOptions read = request.read;
    read.hash = request.json;
    CountOptions options = request.count;
    scope.watch(options);
    result = count_orbits(Source::from_argument(request.arguments.front()), read, options);
  }
  write_output(request.json ? indented(json_of(result)) : result.count + "\n");
  flush_output();
  if (!request.quiet && (error_is_terminal() || request.report || request.checks))
    write_error(orbits_report(result));
  return 0;
}

}  // namespace countpm::app
