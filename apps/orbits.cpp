// countpm INPUT --up-to-symmetry: how many matchings there are when symmetric ones count as one.
#include <fmt/format.h>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "src/count/orbit_count.hpp"
#include "src/number/number.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"

namespace countpm::app {
namespace {

std::vector<words::Fact> orbit_facts(const OrbitCount& result) {
  return {{"counted", fmt::format("{} up to symmetry{}; exact", words::problem_name(result),
                                  result.weighted ? ", each orbit by its weight" : "")},
          {"symmetries", fmt::format("{}; {} of matchings that one leaves as they are", result.symmetries,
                                     counted(result.counts, "count"))},
          {"time", format_duration(result.seconds)}};
}

}  // namespace

int run_orbits(const Request& request) {
  const OrbitCount result = asked(request, [&](const ReadOptions& read, const CountOptions& options) {
    return count_orbits(input_of(request), read, options);
  });
  show(
      request, result, [&] { return result.count + "\n"; },
      [&] { return report_of(result, orbit_facts(result)); });
  return 0;
}

}  // namespace countpm::app
