#include "apps/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/output_file.hpp"
#include "apps/progress_scope.hpp"
#include "apps/ranks.hpp"
#include "apps/report_lines.hpp"
#include "apps/resume.hpp"
#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "src/matchings/integration.hpp"
#include "src/matchings/ratio.hpp"
#include "src/words/ratio_words.hpp"

namespace countpm::app {
namespace {

constexpr std::array unknown_to_ratios{
    std::string_view("guarantee"),   std::string_view("replicates"),     std::string_view("log-weights"),
    std::string_view("svg"),         std::string_view("html"),           std::string_view("prune"),
    std::string_view("scale-steps"), std::string_view("scale-interval"), std::string_view("exact-tail"),
    std::string_view("strata"),      std::string_view("population"),     std::string_view("monomers"),
    std::string_view("maximum"),     std::string_view("degree"),         std::string_view("checks"),
    std::string_view("gpus")};

}  // namespace

bool is_unknown_to_ratios(std::string_view option) {
  return std::find(unknown_to_ratios.begin(), unknown_to_ratios.end(), option) != unknown_to_ratios.end();
}

void refuse_unknown_to_ratios(const Request& request) {
  if (request.integrate && request.ratio_to)
    throw UsageError("--integrate and --ratio-to exclude each other: each says which two sums");
  for (const auto& [name, value] : request.given) {
    if (is_unknown_to_ratios(name))
      throw UsageError(fmt::format("--{} and --{} exclude each other", name,
                                   request.integrate ? "integrate" : "ratio-to"));
  }
}

namespace {

/// The second graph, on ranks of each of them.
Source second_graph(const Request& request) {
  Source other = Source::from_argument(*request.ratio_to);
  if (request.count.channel != nullptr && other.kind == Source::Kind::standard_input)
    throw UsageError("several ranks need a second graph that each of them can read");
  return other;
}

int follow_rank_0_to_ratio(const Request& request) {
  const CountOptions options = options_to_follow(request);
  const Source source = Source::from_argument(request.arguments.front());
  if (request.integrate) {
    follow_integral(source, request.read, *request.integrate, options, request.estimate);
  } else {
    follow_ratio(source, second_graph(request), request.read, options, request.estimate);
  }
  return 0;
}

}  // namespace

int run_ratio(const Request& request) {
  refuse_unknown_to_ratios(request);
  const std::string& input = request.arguments.front();
  if (follows(request)) return follow_rank_0_to_ratio(request);
  check_outputs(request, request.ratio_to ? std::vector<std::string>{input, *request.ratio_to}
                                          : std::vector<std::string>{input});
  RatioResult result;
  {
    ProgressScope scope(request);
    ReadOptions read = request.read;
    read.hash = request.json;
    CountOptions options = request.count;
    scope.watch(options, request.estimate.time_limit_seconds);
    options.checkpoint.options = kept_options(request);
    if (options.checkpoint.used()) options.checkpoint.notice = say_notice;
    const auto sampled = [&] {
      return request.integrate
                 ? integrate(source_for_all(request), read, *request.integrate, options, request.estimate)
                 : ratio(source_for_all(request), second_graph(request), read, options, request.estimate);
    };
    result = scope.advising_checkpoints(options, sampled);
  }
  write_output(request.json ? indented(json_of(result))
                            : (request.integrate ? words::log_ratio_text(result, *request.integrate)
                                                 : words::ratio_text(result)) +
                                  "\n");
  flush_output();
  if (request.quiet) return 0;
  if (error_is_terminal() || request.report) {
    std::string text = line("input", words::input_text(result));
    text += line("over", printable(result.other.path));
    for (const words::Fact& fact : words::facts_of(result)) text += line(fact.head, fact.text);
    for (const std::string& note : result.notes) text += line("note", note);
    write_error(text);
  } else if (!result.goal_missed.empty()) {
    write_error("countpm: " + result.goal_missed + "\n");
  }
  return 0;
}

}  // namespace countpm::app
