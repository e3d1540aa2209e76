#include "src/distributed/work_board.hpp"

#include <algorithm>
#include <cmath>

namespace countpm {
namespace {

// Of the time that an order is to take: before anything is known of a task's units but a prediction; and what
// is worth a message near the end.
constexpr double first_order_share = 0.2;
constexpr double last_order_share = 0.1;
// What has been seen of earlier units counts so much, of an answer's the rest.
constexpr double memory_of_units = 0.8;
constexpr double least_unit_seconds = 1e-12;

}  // namespace

std::uint64_t OrderSize::units(double seconds, std::uint64_t workers) const {
  const double wanted = seen ? seconds : first_order_share * seconds;
  // Half of each worker's share of what is left: those who are slow, or were predicted wrongly, even out.
  const double share =
      static_cast<double>(free) / (2 * static_cast<double>(std::max<std::uint64_t>(workers, 1)));
  const double most = std::max(share, last_order_share * seconds / unit_seconds);
  return static_cast<std::uint64_t>(std::clamp(std::floor(std::min(wanted / unit_seconds, most)), 1.0, 1e15));
}

void OrderSize::see(double seconds_each) {
  unit_seconds =
      std::max(seen ? memory_of_units * unit_seconds + (1 - memory_of_units) * seconds_each : seconds_each,
               least_unit_seconds);
  seen = true;
}

}  // namespace countpm
