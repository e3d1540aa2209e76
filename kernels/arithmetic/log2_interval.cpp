#include "kernels/arithmetic/log2_interval.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace countpm {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

// m, in [1, 2), is in units of 2^-63 and rounded down: log2(m) is half of log2(m^2), whose first digit says
// whether m^2 reaches 2. A square loses less than 2^-63 of it, and the loss at digit j is worth 2^-j of the
// logarithm: all together less than 2^-62. What the digits leave out is less than 2^-60.
int128 log2_fixed(std::uint64_t x) {
  const int zeros = std::countl_zero(x);
  std::uint64_t m = x << zeros;
  std::uint64_t fraction = 0;
  for (int digit = 0; digit < log2_digits && !std::has_single_bit(x); ++digit) {
    const uint128 square = static_cast<uint128>(m) * m;  // in units of 2^-126
    const auto reaches_two = static_cast<std::uint64_t>(square >> 127);
    m = static_cast<std::uint64_t>(square >> (63 + reaches_two));
    fraction = 2 * fraction + reaches_two;
  }
  return (static_cast<int128>(63 - zeros) << log2_digits) + static_cast<int128>(fraction);
}

double fixed_below(int128 value) {
  const auto nearest = static_cast<double>(value);
  return std::ldexp(static_cast<int128>(nearest) > value ? std::nextafter(nearest, -infinity) : nearest,
                    -log2_digits);
}

Log2Interval log2_interval(std::uint64_t x, int shift) {
  if (x == 0) return {-infinity, -infinity};
  const int128 below = log2_fixed(x) - (static_cast<int128>(shift) << log2_digits);
  const int128 above = std::has_single_bit(x) ? below : below + 2;
  return {fixed_below(below), -fixed_below(-above)};
}

}  // namespace countpm
