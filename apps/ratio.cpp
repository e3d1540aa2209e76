// countpm estimate A --ratio-to B, and estimate INPUT --integrate x=1:4: the ratio and its error.
#include <fmt/format.h>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "apps/output_file.hpp"
#include "apps/ranks.hpp"
#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "src/matchings/integration.hpp"
#include "src/matchings/ratio.hpp"
#include "src/words/ratio_words.hpp"

namespace countpm::app {
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
  const Source source = input_of(request);
  if (request.integrate) {
    follow_integral(source, request.read, *request.integrate, options, request.estimate);
  } else {
    follow_ratio(source, second_graph(request), request.read, options, request.estimate);
  }
  return 0;
}

}  // namespace

int run_ratio(const Request& request) {
  const std::string& input = request.arguments.front();
  if (follows(request)) return follow_rank_0_to_ratio(request);
  check_outputs(request, request.ratio_to ? std::vector<std::string>{input, *request.ratio_to}
                                          : std::vector<std::string>{input});
  const Around around{request.estimate.time_limit_seconds};
  const RatioResult result =
      asked(request, around, [&](const ReadOptions& read, const CountOptions& options) {
        return request.integrate
                   ? integrate(source_for_all(request), read, *request.integrate, options, request.estimate)
                   : ratio(source_for_all(request), second_graph(request), read, options, request.estimate);
      });
  const auto text = [&] {
    return (request.integrate ? words::log_ratio_text(result, *request.integrate)
                              : words::ratio_text(result)) +
           "\n";
  };
  const auto report = [&] {
    std::vector<words::Fact> facts = words::facts_of(result);
    facts.insert(facts.begin(), {"over", printable(result.other.path)});
    return report_of(result, facts);
  };
  if (!show(request, result, text, report) && !request.quiet && !result.goal_missed.empty())
    write_error("countpm: " + result.goal_missed + "\n");
  return 0;
}

}  // namespace countpm::app
