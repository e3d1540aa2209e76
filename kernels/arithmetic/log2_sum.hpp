#pragma once
// Sums of forecasts that are kept as logarithms, since the numbers themselves may lie far beyond a double.
#include <algorithm>
#include <cmath>

namespace countpm {

/// log2(2^a + 2^b), right to about two units in the last place of the larger of a, b and 1. Either may be
/// -infinity (a sum that is still empty) or +infinity.
inline double log2_sum(double a, double b) {
  const double larger = std::max(a, b);
  const double smaller = std::min(a, b);
  if (std::isinf(smaller)) return larger;  // the difference of two infinities is no number
  return larger + std::log2(1 + std::exp2(smaller - larger));
}

}  // namespace countpm
