#pragma once
// Numbers of about 150 bits, more than quadruple precision has, as unevaluated sums of three doubles:
// |middle|
// <= 2 u |high|, |low| <= u |middle|, u = 2^-53. For kernels, too, NVRTC's among them. Needs strict IEEE
// arithmetic: never compile with -ffast-math.
#include <cmath>

#include "kernels/arithmetic/double_double.hpp"
#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

struct TripleDouble {
  double high = 0;
  double middle = 0;
  double low = 0;
};

namespace triple_double {

/// x + y + z exactly, whatever they are. With two_sum(y, z) = (s, e) the next two are J. R. Shewchuk's
/// GROW-EXPANSION (Discrete Comput. Geom. 18 (1997), theorem 10): q + h + rest is the sum, the three do not
/// overlap and rise in magnitude, zeros aside. Since h is what rounding left of q, |h| <= u |q|. Where h is
/// not 0, rest is below its last bit, so that h + rest makes a middle of magnitude at most 2 |h|, and a low
/// of at most u times that; where it is 0, q + rest makes high and middle, and nothing is left.
COUNTPM_HD inline TripleDouble sum_of(double x, double y, double z) {
  using namespace double_double;
  const DoubleDouble first = two_sum(y, z);
  const DoubleDouble second = two_sum(x, first.low);
  const DoubleDouble third = two_sum(second.high, first.high);
  const bool three = third.low != 0;
  const DoubleDouble rest = quick_two_sum(three ? third.low : third.high, second.low);
  return {three ? third.high : rest.high, three ? rest.high : rest.low, three ? rest.low : 0};
}

/// Errs by at most 15 u^3 (|a| + |b|) (1 + 4 u): with A = |a.high| + |b.high|, both middles together are at
/// most 2 u A, both lows 2 u^2 A; what is added up with rounding is at most 2 u^2 A (lows), 5 u^2 A (what
/// two_sum left of the middles, 2 u^2 A, and of their sum with what it left of the highs, 3 u^2 A), 7 u^2 A
/// in all, each of the three additions rounds its share by u, and the rest is exact.
COUNTPM_HD inline TripleDouble add(const TripleDouble& a, const TripleDouble& b) {
  using namespace double_double;
  const DoubleDouble high = two_sum(a.high, b.high);
  const DoubleDouble middle = two_sum(a.middle, b.middle);
  const DoubleDouble carried = two_sum(middle.high, high.low);
  return sum_of(high.high, carried.high, (a.low + b.low) + (middle.low + carried.low));
}

COUNTPM_HD inline TripleDouble negate(const TripleDouble& a) {
  return {-a.high, -a.middle, -a.low};
}

/// Errs by at most 71 u^3 |a b|, short of underflow: with P = |a.high b.high|, the products left out are at
/// most 8 u^3 P (middle by low, twice, and low by low). Of magnitude u^2 P are what two_product left of the
/// products with a middle (4), high by low (2 each), middle by middle (4): 12 in all, rounded by at most 32
/// u^3 P on the way; with what two_sum left of the parts of magnitude u P, 9, it is 21, and 30 u^3 P more. |a
/// b| >= P (1 - 5 u).
COUNTPM_HD inline TripleDouble multiply(const TripleDouble& a, const TripleDouble& b) {
  using namespace double_double;
  const DoubleDouble high = two_product(a.high, b.high);
  const DoubleDouble left = two_product(a.high, b.middle);
  const DoubleDouble right = two_product(a.middle, b.high);
  const double products =
      std::fma(a.high, b.low, std::fma(a.middle, b.middle, a.low * b.high)) + (left.low + right.low);
  const DoubleDouble both = two_sum(left.high, right.high);
  const DoubleDouble middle = two_sum(both.high, high.low);
  return sum_of(high.high, middle.high, products + (both.low + middle.low));
}

}  // namespace triple_double
}  // namespace countpm
