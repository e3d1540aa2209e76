// countpm probability INPUT: how likely an outcome of boson sampling is.
#include <fmt/format.h>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "apps/photon_options.hpp"
#include "graph/errors.hpp"
#include "src/count/outcome_probability.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"

namespace countpm::app {
namespace {

std::string error_text_of(const std::string& error) {
  return error.empty() ? "exact" : "error at most " + error;
}

std::vector<words::Fact> outcome_facts(const OutcomeProbability& result) {
  return {{"outcome", fmt::format("{} through {} modes: in {}, out {}", counted(result.number, "photon"),
                                  result.photons.in.size(), fmt::join(result.photons.in, ","),
                                  fmt::join(result.photons.out, ","))},
          {"probability", error_text_of(result.error)},
          {"permanent", fmt::format("{}, by {}; {}", result.permanent, result.method,
                                    error_text_of(result.permanent_error))},
          {"divided by",
           fmt::format("{}, the factorials of the numbers of photons", result.factorials.get_str())},
          {"time", format_duration(result.seconds)}};
}

}  // namespace

int run_probability(const Request& request) {
  if (!request.photons_in || !request.photons_out)
    throw UsageError(
        "probability: expected --in and --out, how many photons enter each mode and leave by it; see "
        "'countpm "
        "help probability'");
  const OutcomeProbability result = asked(request, [&](const ReadOptions&, const CountOptions& options) {
    return outcome_probability(input_of(request), reading_amplitudes(request),
                               {*request.photons_in, *request.photons_out}, options);
  });
  show(
      request, result, [&] { return result.probability + "\n"; },
      [&] { return report_of(result, outcome_facts(result)); });
  return 0;
}

}  // namespace countpm::app
