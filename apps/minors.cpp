// countpm minors INPUT: the permanents without a line, one a line; what that would take.
#include <fmt/format.h>

#include <cmath>

#include "apps/commands.hpp"
#include "apps/csv.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/photon_options.hpp"
#include "apps/progress_scope.hpp"
#include "apps/report_lines.hpp"
#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "src/count/minors.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/words/result_words.hpp"

namespace countpm::app {
namespace {

const char* line_name(bool rows) {
  return rows ? "row" : "column";
}

std::string minors_csv(const Minors& result) {
  std::string text = fmt::format("{},minor,error\r\n", line_name(result.rows));
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

/// Of Minors or of a forecast of them.
template <class Result>
std::string lacking_text(const Result& result, std::uint64_t minors) {
  return fmt::format("permanents without {}each of the {}",
                     result.column ? fmt::format("column {} and ", quoted(*result.column)) : std::string(),
                     counted(minors, line_name(result.rows)));
}

std::string minors_report(const Minors& result) {
  std::string text = line("input", words::input_text(result));
  text +=
      line("minors",
           fmt::format("{}; {}", lacking_text(result, result.minors.size()),
                       result.exact ? "exact" : "floating point, the error of each with --json or --csv"));
  text += line("time", format_duration(result.seconds));
  for (const std::string& note : result.notes) text += line("note", note);
  return text;
}

std::string forecast_text(const MinorsForecast& forecast, double time_limit) {
  const MinorsWork& work = forecast.work;
  std::string text = line("input", words::input_text(forecast));
  text += line("minors", lacking_text(forecast, work.minors));
  text += line("how", fmt::format("{}, all in one pass, on one thread",
                                  work.doubles ? "in doubles, with a bound on the error of each"
                                  : work.exact ? "exactly, modulo primes"
                                               : "exactly, modulo primes, then rounded"));
  text += line(
      "work", fmt::format("{} states, at each a product of {}",
                          format_power(work.log2_states * std::log10(2.0)), counted(work.factors, "factor")));
  text += line("time", fmt::format("{}; {} the time limit of {}", format_log10_duration(work.log10_seconds),
                                   work.feasible ? "within" : "beyond", format_duration(time_limit)));
  for (const std::string& note : forecast.notes) text += line("note", note);
  return text;
}

int explain_minors(const Request& request) {
  if (request.csv) throw UsageError("--csv: a forecast is text, or JSON with --json");
  MinorsForecast forecast;
  {
    ProgressScope scope(request);
    CountOptions options = request.count;
    scope.watch(options);
    options.progress = {};
    forecast = forecast_minors(Source::from_argument(request.arguments.front()), reading_amplitudes(request),
                               request.column, options);
  }
  write_output(request.json ? indented(json_of(forecast))
                            : forecast_text(forecast, request.count.time_limit_seconds));
  flush_output();
  return 0;
}

}  // namespace

int run_minors(const Request& request) {
  if (request.explain) return explain_minors(request);
  Minors result;
  {
    ProgressScope scope(request);
    CountOptions options = request.count;
    scope.watch(options);
    result = minors(Source::from_argument(request.arguments.front()), reading_amplitudes(request),
                    request.column, options);
  }
  write_output(request.json  ? indented(json_of(result))
               : request.csv ? minors_csv(result)
                             : minors_text(result));
  flush_output();
  if (!request.quiet && (error_is_terminal() || request.report)) write_error(minors_report(result));
  return 0;
}

}  // namespace countpm::app
