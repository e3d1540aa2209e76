#include "kernels/estimate/bethe/messages.hpp"

#include <algorithm>
#include <cmath>

namespace countpm {
namespace {

// Errors of a walk's choices add up as the square root of their number.
constexpr double kappa_of_one_row = 0.3;
constexpr double least_change_of_one_row = 0.125;
constexpr double fewest_vertices = 60;
constexpr double vertices_of_one_row = 2;

}  // namespace

BetheSettings::BetheSettings(std::uint32_t rows) {
  const double root = std::sqrt(std::max(rows, 1U));
  kappa = kappa_of_one_row / root;
  least_due = static_cast<std::uint64_t>(std::ldexp(least_change_of_one_row / root, 32));
  most_vertices = static_cast<std::uint32_t>(std::max(fewest_vertices, vertices_of_one_row * root));
}

}  // namespace countpm
