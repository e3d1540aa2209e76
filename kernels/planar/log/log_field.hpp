#pragma once
// The floating-point numbers in which K K^T is made and eliminated: doubles, pairs of doubles, and MPFR
// numbers of any precision, behind the same few operations. Each rounds with a relative error of at most
// 2^log2_unit(), `unit` below; from_fraction with at most 8 units.
#include <gmpxx.h>

#include <cmath>
#include <cstdint>
#include <utility>

#include "kernels/arithmetic/big_float.hpp"
#include "kernels/arithmetic/double_double.hpp"
#include "kernels/arithmetic/float_ring.hpp"

namespace countpm::planar {

class PlainField {
 public:
  using Number = double;
  double log2_unit() const { return -53; }
  double bytes() const { return sizeof(double); }
  Number number(double value) const { return value; }
  /// |value| is between 1/4 and 1.
  Number from_fraction(const mpq_class& value) const { return value.get_d(); }
  void scale(Number& a, int exponent) const { a = std::ldexp(a, exponent); }
  void negate(Number& a) const { a = -a; }
  void add(Number& a, const Number& b) const { a += b; }
  void add_product(Number& a, const Number& b, const Number& c) { a += b * c; }
  void subtract_product(Number& a, const Number& b, const Number& c) { a -= b * c; }
  void multiply(Number& a, double b) const { a *= b; }
  void divide(Number& a, const Number& b) const { a /= b; }
  void take_root(Number& a) const { a = std::sqrt(a); }
  bool is_zero(const Number& a) const { return a == 0; }
  bool is_positive(const Number& a) const { return a > 0; }
  double to_double(const Number& a) const { return a; }
  /// mantissa, and what it is to be multiplied by 2^ of.
  std::pair<double, std::int64_t> parts(const Number& a) const { return {a, 0}; }
  /// product *= a, with a rounding of the product's precision.
  void multiply_into(BigFloat& product, const Number& a) const {
    mpfr_mul_d(product.get(), product.get(), a, MPFR_RNDN);
  }
};

/// 106 bits; sums and products as double_double.hpp bounds them, quotients and roots by a step of Newton's.
class PairField {
 public:
  using Number = DoubleDouble;
  double log2_unit() const { return -102; }
  double bytes() const { return sizeof(DoubleDouble); }
  Number number(double value) const { return {value, 0}; }
  Number from_fraction(const mpq_class& value) const { return nearest_double_double(value); }
  void scale(Number& a, int exponent) const {
    a = {std::ldexp(a.high, exponent), std::ldexp(a.low, exponent)};
  }
  void negate(Number& a) const { a = double_double::negate(a); }
  void add(Number& a, const Number& b) const { a = double_double::add(a, b); }
  void add_product(Number& a, const Number& b, const Number& c) {
    a = double_double::add(a, double_double::multiply(b, c));
  }
  void subtract_product(Number& a, const Number& b, const Number& c) {
    a = double_double::add(a, double_double::negate(double_double::multiply(b, c)));
  }
  void multiply(Number& a, double b) const { a = double_double::multiply(a, {b, 0}); }
  void divide(Number& a, const Number& b) const {
    const double first = a.high / b.high;
    Number rest = double_double::add(a, double_double::negate(double_double::multiply(b, {first, 0})));
    const double second = rest.high / b.high;
    rest = double_double::add(rest, double_double::negate(double_double::multiply(b, {second, 0})));
    const DoubleDouble sum = double_double::quick_two_sum(first, second);
    a = double_double::add(sum, {rest.high / b.high, 0});
  }
  void take_root(Number& a) const {
    const double root = std::sqrt(a.high);
    const DoubleDouble rest =
        double_double::add(a, double_double::negate(double_double::two_product(root, root)));
    a = double_double::quick_two_sum(root, rest.high / (2 * root));
  }
  bool is_zero(const Number& a) const { return a.high == 0; }
  bool is_positive(const Number& a) const { return a.high > 0; }
  double to_double(const Number& a) const { return a.high; }
  std::pair<double, std::int64_t> parts(const Number& a) const { return {a.high, 0}; }
  /// Two roundings.
  void multiply_into(BigFloat& product, const Number& a) const {
    BigFloat factor(a.high, product.bits());
    mpfr_add_d(factor.get(), factor.get(), a.low, MPFR_RNDN);
    mpfr_mul(product.get(), product.get(), factor.get(), MPFR_RNDN);
  }
};

/// That many bits, and exponents that know no end.
class MpfrField {
 public:
  using Number = BigFloat;
  explicit MpfrField(mpfr_prec_t bits) : bits_(bits), product_(bits) {}
  double log2_unit() const { return -static_cast<double>(bits_); }
  double bytes() const { return static_cast<double>(sizeof(BigFloat)) + 16 + static_cast<double>(bits_) / 8; }
  Number number(double value) const { return Number(value, bits_); }
  Number from_fraction(const mpq_class& value) const { return {value, bits_}; }
  void scale(Number& a, int exponent) const { mpfr_mul_2si(a.get(), a.get(), exponent, MPFR_RNDN); }
  void negate(Number& a) const { mpfr_neg(a.get(), a.get(), MPFR_RNDN); }
  void add(Number& a, const Number& b) const { mpfr_add(a.get(), a.get(), b.get(), MPFR_RNDN); }
  void add_product(Number& a, const Number& b, const Number& c) {
    mpfr_mul(product_.get(), b.get(), c.get(), MPFR_RNDN);
    mpfr_add(a.get(), a.get(), product_.get(), MPFR_RNDN);
  }
  void subtract_product(Number& a, const Number& b, const Number& c) {
    mpfr_mul(product_.get(), b.get(), c.get(), MPFR_RNDN);
    mpfr_sub(a.get(), a.get(), product_.get(), MPFR_RNDN);
  }
  void multiply(Number& a, double b) const { mpfr_mul_d(a.get(), a.get(), b, MPFR_RNDN); }
  void divide(Number& a, const Number& b) const { mpfr_div(a.get(), a.get(), b.get(), MPFR_RNDN); }
  void take_root(Number& a) const { mpfr_sqrt(a.get(), a.get(), MPFR_RNDN); }
  bool is_zero(const Number& a) const { return a.is_zero(); }
  bool is_positive(const Number& a) const { return mpfr_sgn(a.get()) > 0; }
  double to_double(const Number& a) const { return a.to_double(); }
  std::pair<double, std::int64_t> parts(const Number& a) const {
    std::int64_t exponent = 0;
    const double mantissa = mpfr_get_d_2exp(&exponent, a.get(), MPFR_RNDN);
    return {mantissa, exponent};
  }
  void multiply_into(BigFloat& product, const Number& a) const {
    mpfr_mul(product.get(), product.get(), a.get(), MPFR_RNDN);
  }

 private:
  mpfr_prec_t bits_;
  BigFloat product_;
};

}  // namespace countpm::planar
