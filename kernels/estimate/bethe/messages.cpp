#include "kernels/estimate/bethe/messages.hpp"

#include <algorithm>
#include <cmath>

namespace countpm {
namespace {

// Errors of a walk's choices add up as the square root of their number.
constexpr double kappa_of_one_row = 0.3;
constexpr double least_change_of_one_row = 0.125;
constexpr double vertices_of_one_row_at_first = 4;

}  // namespace

BetheSettings::BetheSettings(std::uint32_t rows) {
  const double root = std::sqrt(std::max(rows, 1U));
  kappa = kappa_of_one_row / root;
  most_at_first = static_cast<std::uint32_t>(vertices_of_one_row_at_first * root);
  least_due = static_cast<std::uint64_t>(std::ldexp(least_change_of_one_row / root, 32));
}

}  // namespace countpm
