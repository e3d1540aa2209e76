// countpm estimate INPUT: a value with its error.
#include "apps/estimate.hpp"

#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/estimate_report.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/resume.hpp"

namespace countpm::app {

int show_estimate(const Request& request, ReportPage& page, const std::string& note) {
  EstimateResult result;
  {
    ProgressScope scope(request);
    scope.before_the_end([&](const std::string& message) { page.refuse_at_limit(message); });
    ReadOptions read = request.read;
    read.hash = request.json || page.wanted();
    CountOptions options = request.count;
    scope.watch(options, request.estimate.time_limit_seconds);
    options.checkpoint.options = kept_options(request);
    if (options.checkpoint.used()) options.checkpoint.notice = say_notice;
    result = estimate(Source::from_argument(request.arguments.front()), read, options, request.estimate);
  }
  if (!note.empty()) result.notes.push_back(note);
  write_output(request.json ? indented(to_json(result)) : estimate_line(result));
  flush_output();
  if (!request.quiet && (error_is_terminal() || request.report || request.checks))
    write_error(estimate_report(result, request.checks));
  if (page.wanted()) page.write(html::estimate_fragment(result, page.beside()));
  return 0;
}

int run_estimate(const Request& request) {
  ReportPage page(request);
  return page.or_refusal([&] { return show_estimate(request, page, {}); });
}

}  // namespace countpm::app
