#pragma once
// What codegen multiplies in floating point: products of row sums on their way, with what their errors are
// bounded by (ryser_numbers.hpp). In any order: multiplying by the one that a product starts as is exact.
//
// For host and device; the generated text includes it, so that kernel and interpreter compute with the same
// code.
#include <cmath>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/exact/ryser_numbers.hpp"

namespace countpm::codegen {

struct DoubleProduct {
  using Numbers = gray::Doubles<0>;
  double value = 1;
  float reciprocals = 0;  // sum of reciprocal_share()

  COUNTPM_HD static DoubleProduct of(const Numbers&, double x) { return {x, reciprocal_share(x)}; }
  COUNTPM_HD static DoubleProduct times(const DoubleProduct& a, const DoubleProduct& b) {
    return {a.value * b.value, a.reciprocals + b.reciprocals};
  }
  /// wide(): prod (|x_i| + spread), where the reciprocals do not do.
  template <class Wide>
  COUNTPM_HD void add_to(Numbers::Total& total, const Numbers& numbers, bool minus, const Wide& wide) const {
    total.sum.add(negated_if(value, minus));
    numbers.bound_product(total, magnitude_of(value), reciprocals, wide);
  }
  COUNTPM_HD static double widened(const Numbers& numbers, double x) { return std::fabs(x) + numbers.spread; }
};

/// Of row sums that are exact (row_units.hpp): there is no slope to bound.
struct ExactDoubleProduct {
  using Numbers = gray::Doubles<0>;
  double value = 1;

  COUNTPM_HD static ExactDoubleProduct of(const Numbers&, double x) { return {x}; }
  COUNTPM_HD static ExactDoubleProduct times(const ExactDoubleProduct& a, const ExactDoubleProduct& b) {
    return {a.value * b.value};
  }
  template <class Wide>
  COUNTPM_HD void add_to(Numbers::Total& total, const Numbers&, bool minus, const Wide&) const {
    total.sum.add(negated_if(value, minus));
    total.products += magnitude_of(value);
  }
  COUNTPM_HD static double widened(const Numbers&, double x) { return std::fabs(x); }
};

struct PairProduct {
  using Numbers = gray::Pairs<0>;
  DoubleDouble value{1, 0};
  double wide = 1;  // prod (|x_i| + spread)

  COUNTPM_HD static PairProduct of(const Numbers& numbers, DoubleDouble x) {
    return {x, widened(numbers, x)};
  }
  COUNTPM_HD static PairProduct times(const PairProduct& a, const PairProduct& b) {
    return {double_double::multiply(a.value, b.value), a.wide * b.wide};
  }
  template <class Wide>
  COUNTPM_HD void add_to(Numbers::Total& total, const Numbers&, bool minus, const Wide&) const {
    total.sum = double_double::add(total.sum, minus ? double_double::negate(value) : value);
    total.products += std::fabs(value.high);
    total.errors += wide;
  }
  COUNTPM_HD static double widened(const Numbers& numbers, DoubleDouble x) {
    return std::fabs(x.high) + numbers.spread;
  }
};

/// Chains of a level's product: a warp has few others to wait beside.
inline constexpr unsigned product_chains = 4;

}  // namespace countpm::codegen
