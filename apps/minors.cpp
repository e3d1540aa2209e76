// countpm minors INPUT: the permanents without a line, one a line.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/csv.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/photon_options.hpp"
#include "apps/progress_scope.hpp"
#include "apps/report_lines.hpp"
#include "graph/text.hpp"
#include "src/count/minors.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/words/result_words.hpp"

namespace countpm::app {
namespace {

const char* line_name(const Minors& result) {
  return result.rows ? "row" : "column";
}

std::string minors_csv(const Minors& result) {
  std::string text = fmt::format("{},minor,error\r\n", line_name(result));
  for (const Minor& minor : result.minors)
    text += fmt::format("{},{},{}\r\n", csv_field(minor.label), csv_field(minor.digits), minor.error);
  return text;
}

std::string minors_text(const Minors& result) {
  std::string text;
  for (const Minor& minor : result.minors)
    text += fmt::format("{} {}\n", escaped_word(minor.label), minor.digits);
  return text;
}

std::string minors_report(const Minors& result) {
  std::string text = line("input", words::input_text(result));
  text +=
      line("minors",
           fmt::format("permanents without {}each of the {}; {}",
                       result.column ? fmt::format("column {} and ", quoted(*result.column)) : std::string(),
                       counted(result.minors.size(), line_name(result)),
                       result.exact ? "exact" : "floating point, the error of each with --json or --csv"));
  text += line("time", format_duration(result.seconds));
  for (const std::string& note : result.notes) text += line("note", note);
  return text;
}

}  // namespace

int run_minors(const Request& request) {
  Minors result;
  {
    ProgressScope scope(request);
    CountOptions options = request.count;
    scope.watch(options);
    result = minors(Source::from_argument(request.arguments.front()), reading_amplitudes(request),
                    request.column, options);
  }
  write_output(request.json  ? indented(to_json(result))
               : request.csv ? minors_csv(result)
                             : minors_text(result));
  flush_output();
  if (!request.quiet && (error_is_terminal() || request.report)) write_error(minors_report(result));
  return 0;
}

}  // namespace countpm::app
