// countpm probability INPUT: how likely an outcome of boson sampling is.
#include <fmt/format.h>

#include "apps/commands.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/photon_options.hpp"
#include "apps/progress_scope.hpp"
#include "apps/report_lines.hpp"
#include "graph/errors.hpp"
#include "src/count/outcome_probability.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/words/result_words.hpp"

namespace countpm::app {
namespace {

std::string error_text_of(const std::string& error) {
  return error.empty() ? "exact" : "error at most " + error;
}

std::string probability_report(const OutcomeProbability& result) {
  std::string text = line("input", words::input_text(result));
  text += line("outcome", fmt::format("{} through {} modes: in {}, out {}", counted(result.number, "photon"),
                                      result.photons.in.size(), fmt::join(result.photons.in, ","),
                                      fmt::join(result.photons.out, ",")));
  text += line("probability", error_text_of(result.error));
  text += line("permanent", fmt::format("{}, by {}; {}", result.permanent, result.method,
                                        error_text_of(result.permanent_error)));
  text += line("divided by",
               fmt::format("{}, the factorials of the numbers of photons", result.factorials.get_str()));
  text += line("time", format_duration(result.seconds));
  for (const std::string& note : result.notes) text += line("note", note);
  return text;
}

}  // namespace

int run_probability(const Request& request) {
  if (!request.photons_in || !request.photons_out)
    throw UsageError(
        "probability: expected --in and --out, how many photons enter each mode and leave by it; see "
        "'countpm "
        "help probability'");
  OutcomeProbability result;
  {
    ProgressScope scope(request);
    CountOptions options = request.count;
    scope.watch(options);
    result =
        outcome_probability(Source::from_argument(request.arguments.front()), reading_amplitudes(request),
                            {*request.photons_in, *request.photons_out}, options);
  }
  write_output(request.json ? indented(json_of(result)) : result.probability + "\n");
  flush_output();
  if (!request.quiet && (error_is_terminal() || request.report)) write_error(probability_report(result));
  return 0;
}

}  // namespace countpm::app
