#include "apps/signed.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/output_file.hpp"
#include "apps/progress_scope.hpp"
#include "apps/ratio.hpp"
#include "apps/report_lines.hpp"
#include "graph/errors.hpp"
#include "src/matchings/signed_sum.hpp"
#include "src/words/signed_words.hpp"

namespace countpm::app {
namespace {

constexpr std::array unknown_to_signed_sums{std::string_view("checkpoint"), std::string_view("explain")};

void refuse_unknown_to_signed_sums(const Request& request) {
  if (request.ratio_to || request.integrate)
    throw UsageError("--signed and ratios exclude each other: these are of weights that are not negative");
  for (const auto& [name, value] : request.given) {
    const bool known = std::find(unknown_to_signed_sums.begin(), unknown_to_signed_sums.end(), name) ==
                       unknown_to_signed_sums.end();
    if (!known || is_unknown_to_ratios(name))
      throw UsageError(fmt::format("--{} and --signed exclude each other", name));
  }
}

}  // namespace

int run_signed(const Request& request) {
  refuse_unknown_to_signed_sums(request);
  const std::string& input = request.arguments.front();
  check_outputs(request, {input});
  SignedSum result;
  {
    ProgressScope scope(request);
    ReadOptions read = request.read;
    read.hash = request.json;
    CountOptions options = request.count;
    scope.watch(options, request.estimate.time_limit_seconds);
    result = signed_sum(Source::from_argument(input), read, options, request.estimate);
  }
  write_output(request.json ? indented(json_of(result)) : words::signed_text(result) + "\n");
  flush_output();
  if (request.quiet) return 0;
  if (error_is_terminal() || request.report) {
    std::string text = line("input", words::input_text(result));
    for (const words::Fact& fact : words::facts_of(result)) text += line(fact.head, fact.text);
    for (const std::string& note : result.notes) text += line("note", note);
    write_error(text);
    return 0;
  }
  if (!result.goal_missed.empty()) write_error("countpm: " + result.goal_missed + "\n");
  if (result.exact.empty())
    write_error(fmt::format("countpm: mean {} {}\n", result.complex ? "phase" : "sign",
                            words::mean_sign_text(result)));
  return 0;
}

}  // namespace countpm::app
