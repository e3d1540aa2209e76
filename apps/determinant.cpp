// countpm determinant INPUT and countpm pfaffian INPUT: exactly, or their sign and logarithm.
#include "src/count/determinant.hpp"

#include <fmt/format.h>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"

namespace countpm::app {
namespace {

std::vector<words::Fact> determinant_facts(const DeterminantResult& result) {
  std::vector<words::Fact> facts{
      {"matrix",
       fmt::format("{} {}", result.skew ? "skew-symmetric," : "square,", counted(result.rows, "row"))},
      {"value", result.error.empty() ? "exact" : "rounded from the exact one, error at most " + result.error},
      {"ln", fmt::format("{}, sign {}", result.ln, result.sign)}};
  if (result.blocks > 0)
    facts.push_back({"computed", fmt::format("{} of more than one row, modulo {} in all, {}",
                                             counted(result.blocks, "block"), counted(result.primes, "prime"),
                                             counted(static_cast<std::uint64_t>(result.threads), "thread"))});
  facts.push_back({"time", format_duration(result.seconds)});
  return facts;
}

int show_determinant(const Request& request, const DeterminantResult& result) {
  show(
      request, result,
      [&] { return request.ln_only ? fmt::format("{} {}\n", result.sign, result.ln) : result.digits + "\n"; },
      [&] { return report_of(result, determinant_facts(result)); });
  return 0;
}

}  // namespace

int run_determinant(const Request& request) {
  return show_determinant(request, asked(request, [&](const ReadOptions& read, const CountOptions& options) {
                            return determinant(input_of(request), read, options);
                          }));
}

int run_pfaffian(const Request& request) {
  return show_determinant(request, asked(request, [&](const ReadOptions& read, const CountOptions& options) {
                            return pfaffian(input_of(request), read, options);
                          }));
}

}  // namespace countpm::app
