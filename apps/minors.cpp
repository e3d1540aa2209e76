// countpm minors INPUT: the permanents without a line, one a line; what that would take.
#include <fmt/format.h>

#include <cmath>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "apps/csv.hpp"
#include "apps/photon_options.hpp"
#include "graph/text.hpp"
#include "src/count/minors.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"

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

std::vector<words::Fact> minor_facts(const Minors& result) {
  return {{"minors",
           fmt::format("{}; {}", lacking_text(result, result.minors.size()),
                       result.exact ? "exact" : "floating point, the error of each with --json or --csv")},
          {"time", format_duration(result.seconds)}};
}

std::vector<words::Fact> forecast_facts(const MinorsForecast& forecast, double time_limit) {
  const MinorsWork& work = forecast.work;
  return {{"minors", lacking_text(forecast, work.minors)},
          {"how", fmt::format("{}, all in one pass, on one thread",
                              work.doubles ? "in doubles, with a bound on the error of each"
                              : work.exact ? "exactly, modulo primes"
                                           : "exactly, modulo primes, then rounded")},
          {"work",
           fmt::format("{} states, at each a product of {}", format_power(work.log2_states * std::log10(2.0)),
                       counted(work.factors, "factor"))},
          {"time", fmt::format("{}; {} the time limit of {}", format_log10_duration(work.log10_seconds),
                               work.feasible ? "within" : "beyond", format_duration(time_limit))}};
}

}  // namespace

int run_explain_minors(const Request& request) {
  const MinorsForecast forecast = asked(request, [&](const ReadOptions&, CountOptions options) {
    options.progress = {};
    return forecast_minors(input_of(request), reading_amplitudes(request), request.column, options);
  });
  show_forecast(request, forecast,
                report_of(forecast, forecast_facts(forecast, request.count.time_limit_seconds)));
  return 0;
}

int run_minors(const Request& request) {
  const Minors result = asked(request, [&](const ReadOptions&, const CountOptions& options) {
    return minors(input_of(request), reading_amplitudes(request), request.column, options);
  });
  show(
      request, result, [&] { return request.csv ? minors_csv(result) : minors_text(result); },
      [&] { return report_of(result, minor_facts(result)); });
  return 0;
}

}  // namespace countpm::app
