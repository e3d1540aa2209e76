// countpm estimate INPUT --signed: the sum, its error and what cancels.
#include <fmt/format.h>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "graph/errors.hpp"
#include "src/matchings/signed_sum.hpp"
#include "src/words/signed_words.hpp"

namespace countpm::app {
int run_signed(const Request& request) {
  const Around around{request.estimate.time_limit_seconds};
  const SignedSum result = asked(request, around, [&](const ReadOptions& read, const CountOptions& options) {
    return signed_sum(input_of(request), read, options, request.estimate);
  });
  const bool reported = show(
      request, result, [&] { return words::signed_text(result) + "\n"; },
      [&] { return report_of(result, words::facts_of(result)); });
  if (reported || request.quiet) return 0;
  if (!result.goal_missed.empty()) write_error("countpm: " + result.goal_missed + "\n");
  if (result.exact.empty())
    write_error(fmt::format("countpm: mean {} {}\n", result.complex ? "phase" : "sign",
                            words::mean_sign_text(result)));
  return 0;
}

}  // namespace countpm::app
