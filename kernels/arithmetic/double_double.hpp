#pragma once
// Numbers of about 106 bits as unevaluated sums of two doubles, |low| <= ulp(high) / 2.
// T. J. Dekker, Numer. Math. 18 (1971); error bounds: M. Joldes, J.-M. Muller, V. Popescu, Tight and rigorous
// error bounds for basic building blocks of double-word arithmetic, ACM TOMS 44 (2017). With u = 2^-53: sum 3
// u^2 / (1 - 4 u), product (with fma) 5 u^2, both relative. Needs strict IEEE arithmetic: never compile with
// -ffast-math.
#include <cmath>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

struct DoubleDouble {
  double high = 0;
  double low = 0;
};

namespace double_double {

/// a + b = high + low exactly (D. E. Knuth).
COUNTPM_HD inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
/// The same where |a| >= |b| or a == 0.
COUNTPM_HD inline DoubleDouble quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
/// a b = high + low exactly, short of underflow.
COUNTPM_HD inline DoubleDouble two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

COUNTPM_HD inline DoubleDouble add(DoubleDouble a, DoubleDouble b) {
  DoubleDouble high = two_sum(a.high, b.high);
  const DoubleDouble low = two_sum(a.low, b.low);
  high = quick_two_sum(high.high, high.low + low.high);
  return quick_two_sum(high.high, high.low + low.low);
}
COUNTPM_HD inline DoubleDouble negate(DoubleDouble a) {
  return {-a.high, -a.low};
}
COUNTPM_HD inline DoubleDouble multiply(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = two_product(a.high, b.high);
  const double cross = std::fma(a.low, b.high, std::fma(a.high, b.low, a.low * b.low));
  return quick_two_sum(product.high, product.low + cross);
}

}  // namespace double_double
}  // namespace countpm
