#pragma once
// Sums, factorials and binomial coefficients of forecasts that are kept as logarithms, since the numbers
// themselves may lie far beyond a double.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace countpm {

/// log2(2^a + 2^b), right to about two units in the last place of the larger of a, b and 1. Either may be
/// -infinity (a sum that is still empty) or +infinity.
inline double log2_sum(double a, double b) {
  const double larger = std::max(a, b);
  const double smaller = std::min(a, b);
  if (std::isinf(smaller)) return larger;  // the difference of two infinities is no number
  return larger + std::log2(1 + std::exp2(smaller - larger));
}

/// log2 n! of a whole number.
inline double log2_factorial(double n) {
  static const std::vector<double> table = [] {
    std::vector<double> values(4097, 0.0);
    for (std::size_t i = 2; i < values.size(); ++i)
      values[i] = values[i - 1] + std::log2(static_cast<double>(i));
    return values;
  }();
  if (n < static_cast<double>(table.size())) return table[static_cast<std::size_t>(n)];
  constexpr double bits_a_nat = 1.4426950408889634;
  int sign = 0;  // std::lgamma would write a global
  return lgamma_r(n + 1, &sign) * bits_a_nat;
}

/// log2 C(n, k) of whole numbers; -infinity outside 0 <= k <= n.
inline double log2_binomial(double n, double k) {
  if (k < 0 || k > n) return -std::numeric_limits<double>::infinity();
  if (k == 0 || k == n) return 0;
  return log2_factorial(n) - log2_factorial(k) - log2_factorial(n - k);
}

}  // namespace countpm
