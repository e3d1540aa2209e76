#pragma once
// Double-doubles and triple-doubles under the same names, for ryser's numbers. Compiled by NVRTC, too.
#include "kernels/arithmetic/double_double.hpp"
#include "kernels/arithmetic/host_device.hpp"
#include "kernels/arithmetic/triple_double.hpp"

namespace countpm::gray::expansion {

COUNTPM_HD inline DoubleDouble sum(const DoubleDouble& a, const DoubleDouble& b) {
  return double_double::add(a, b);
}
COUNTPM_HD inline TripleDouble sum(const TripleDouble& a, const TripleDouble& b) {
  return triple_double::add(a, b);
}
COUNTPM_HD inline DoubleDouble product(const DoubleDouble& a, const DoubleDouble& b) {
  return double_double::multiply(a, b);
}
COUNTPM_HD inline TripleDouble product(const TripleDouble& a, const TripleDouble& b) {
  return triple_double::multiply(a, b);
}
COUNTPM_HD inline DoubleDouble negative(const DoubleDouble& a) {
  return double_double::negate(a);
}
COUNTPM_HD inline TripleDouble negative(const TripleDouble& a) {
  return triple_double::negate(a);
}

}  // namespace countpm::gray::expansion
