#pragma once
// What codegen multiplies in floating point: products of row sums on their way, with what their errors are
// bounded by (subsets/gpu/numbers.hpp, subsets/gpu/complex_numbers.hpp). In any order: multiplying by the one
// that a product starts as is exact, and a complex product errs relatively to its magnitude, which is the
// product of the magnitudes. Part: the numbers that a row sum, or each part of a complex one, is added up in.
//
// For host and device; the generated text includes it, so that kernel and interpreter compute with the same
// code.
#include <cmath>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/subsets/gpu/complex_numbers.hpp"
#include "kernels/subsets/gpu/numbers.hpp"

namespace countpm::codegen {

struct DoubleProduct {
  using Numbers = gray::Doubles<0>;
  using Part = Numbers;
  double value = 1;
  float reciprocals = 0;  // sum of reciprocal_share()

  COUNTPM_HD static DoubleProduct of(const Numbers&, double x) { return {x, reciprocal_share(x)}; }
  COUNTPM_HD static DoubleProduct times(const DoubleProduct& a, const DoubleProduct& b) {
    return {a.value * b.value, a.reciprocals + b.reciprocals};
  }
  /// wide(): prod (|x_i| + spread), where the reciprocals do not do.
  template <class Wide>
  COUNTPM_HD void add_to(Numbers::Total& total, const Numbers& numbers, bool minus, const Wide& wide) const {
    Numbers::add_product(total, value, minus);
    numbers.bound_product(total, Numbers::above(value), reciprocals, wide,
                          [&] { return Numbers::above(value); });
  }
  COUNTPM_HD static double widened(const Numbers& numbers, double x) { return std::fabs(x) + numbers.spread; }
};

/// Of row sums that are exact (row_units.hpp): there is no slope to bound.
struct ExactDoubleProduct {
  using Numbers = gray::Doubles<0>;
  using Part = Numbers;
  double value = 1;

  COUNTPM_HD static ExactDoubleProduct of(const Numbers&, double x) { return {x}; }
  COUNTPM_HD static ExactDoubleProduct times(const ExactDoubleProduct& a, const ExactDoubleProduct& b) {
    return {a.value * b.value};
  }
  template <class Wide>
  COUNTPM_HD void add_to(Numbers::Total& total, const Numbers&, bool minus, const Wide&) const {
    Numbers::add_product(total, value, minus);
    total.products += Numbers::above(value);
  }
  COUNTPM_HD static double widened(const Numbers&, double x) { return std::fabs(x); }
};

struct PairProduct {
  using Numbers = gray::Pairs<0>;
  using Part = Numbers;
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

/// Of doubles or of double-doubles: a slope by reciprocals, as ryser's.
template <class KernelNumbers, class PartNumbers>
struct ComplexProduct {
  using Numbers = KernelNumbers;
  using Part = PartNumbers;
  using Value = typename Numbers::Value;
  Value value = Numbers::one();
  float reciprocals = 0;  // sum of share_of()

  COUNTPM_HD static ComplexProduct of(const Numbers&, const Value& x) { return {x, Numbers::share_of(x)}; }
  COUNTPM_HD static ComplexProduct times(const ComplexProduct& a, const ComplexProduct& b) {
    ComplexProduct product{a.value, a.reciprocals + b.reciprocals};
    gray::multiply_to(product.value, b.value);
    return product;
  }
  template <class Wide>
  COUNTPM_HD void add_to(typename Numbers::Total& total, const Numbers& numbers, bool minus,
                         const Wide& wide) const {
    Numbers::add_product(total, value, minus);
    numbers.bound_product(total, Numbers::above(value), reciprocals, wide,
                          [&] { return Numbers::magnitude(value); });
  }
  COUNTPM_HD static double widened(const Numbers& numbers, const Value& x) {
    return size_of(x) + numbers.spread;
  }
};
using ComplexDoubleProduct = ComplexProduct<gray::ComplexDoubles<0>, gray::Doubles<0>>;
using ComplexPairProduct = ComplexProduct<gray::ComplexPairs<0>, gray::Pairs<0>>;

/// Of exact row sums.
struct ExactComplexProduct {
  using Numbers = gray::ComplexDoubles<0>;
  using Part = gray::Doubles<0>;
  using Value = Numbers::Value;
  Value value = Numbers::one();

  COUNTPM_HD static ExactComplexProduct of(const Numbers&, const Value& x) { return {x}; }
  COUNTPM_HD static ExactComplexProduct times(const ExactComplexProduct& a, const ExactComplexProduct& b) {
    ExactComplexProduct product{a.value};
    gray::multiply_to(product.value, b.value);
    return product;
  }
  template <class Wide>
  COUNTPM_HD void add_to(Numbers::Total& total, const Numbers&, bool minus, const Wide&) const {
    Numbers::add_product(total, value, minus);
    total.products += Numbers::above(value);
  }
  COUNTPM_HD static double widened(const Numbers&, const Value& x) { return size_of(x); }
};

/// Chains of a level's product: a warp has few others to wait beside.
inline constexpr unsigned product_chains = 4;

}  // namespace countpm::codegen
