#pragma once
// Doubles as the row sums that ryser's GPU kernels take, complex ones turned by quarters of a circle, so that
// magnitudes stay what they were.
#include <complex>
#include <type_traits>
#include <vector>

#include "kernels/arithmetic/complex_number.hpp"
#include "kernels/arithmetic/double_double.hpp"
#include "kernels/arithmetic/triple_double.hpp"

namespace countpm::testing {

template <class Value>
inline constexpr bool is_complex_value =
    std::is_same_v<Value, Complex<double>> || std::is_same_v<Value, Complex<DoubleDouble>> ||
    std::is_same_v<Value, Complex<TripleDouble>>;

inline void set_value(double& value, double x) {
  value = x;
}
inline void set_value(DoubleDouble& value, double x) {
  value = {x, 0};
}
inline void set_value(TripleDouble& value, double x) {
  value = {x, 0, 0};
}

/// x i^quarters; real kinds are not turned.
template <class Value>
Value turned(double x, unsigned quarters) {
  Value value{};
  if constexpr (is_complex_value<Value>) {
    set_value(value.re, quarters % 4 == 0 ? x : quarters % 4 == 2 ? -x : 0);
    set_value(value.im, quarters % 4 == 1 ? x : quarters % 4 == 3 ? -x : 0);
  } else {
    set_value(value, x);
  }
  return value;
}

inline double as_double(double value) {
  return value;
}
inline double as_double(const DoubleDouble& value) {
  return value.high;
}
inline double as_double(const TripleDouble& value) {
  return value.high;
}
template <class Value>
std::complex<double> as_complex(const Value& value) {
  if constexpr (is_complex_value<Value>) {
    return {as_double(value.re), as_double(value.im)};
  } else {
    return as_double(value);
  }
}

/// The doubles that it is made of.
inline std::vector<double> all_doubles(double value) {
  return {value};
}
inline std::vector<double> all_doubles(const DoubleDouble& value) {
  return {value.high, value.low};
}
inline std::vector<double> all_doubles(const TripleDouble& value) {
  return {value.high, value.middle, value.low};
}
template <class Part>
std::vector<double> all_doubles(const Complex<Part>& value) {
  std::vector<double> result = all_doubles(value.re);
  const std::vector<double> im = all_doubles(value.im);
  result.insert(result.end(), im.begin(), im.end());
  return result;
}

}  // namespace countpm::testing
