// countpm bounds INPUT: between which numbers a count lies for certain; nothing is counted.
#include "src/count/bounds.hpp"

#include <fmt/format.h>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"

namespace countpm::app {

int run_bounds(const Request& request) {
  const CertainBounds found = asked(request, [&](const ReadOptions& read, const CountOptions& options) {
    return bounds(input_of(request), read, options);
  });
  show(
      request, CertainBoundsObject{request.arguments.front(), found},
      [&] { return fmt::format("{} .. {}\n", found.lower, found.upper); },
      [&] { return fmt::format("lower bound by {}, upper bound by {}\n", found.lower_by, found.upper_by); });
  return 0;
}

}  // namespace countpm::app
