#pragma once
// The floating ring over triple-doubles: what a GPU computes in where MPFR numbers of up to 150 bits are
// asked for.
#include <gmpxx.h>

#include <cmath>
#include <cstdint>

#include "kernels/arithmetic/float_ring.hpp"
#include "kernels/arithmetic/triple_double.hpp"

namespace countpm {

/// high: nearest to the value, middle: nearest to what is left, low: to what is left of that.
TripleDouble nearest_triple_double(const mpq_class& value);

/// As a FloatingRing (ring.hpp) but for sums: they err by at most 2^-155 (|a| + |b|), so by add_error() where
/// both are at most 1 in magnitude, which is what running_error.hpp needs, not by add_error() |a + b|.
class TripleDoubleRing {
 public:
  using Element = TripleDouble;
  using Accumulator = TripleDouble;
  static constexpr bool exact = false;
  static constexpr bool complex = false;
  /// No MPFR number of so many bits is rounded by less.
  static constexpr unsigned bits = 150;

  Element zero() const { return {}; }
  Element one() const { return {1, 0, 0}; }
  bool is_zero(const Element& a) const { return a.high == 0; }
  Element add(const Element& a, const Element& b) const { return triple_double::add(a, b); }
  Element sub(const Element& a, const Element& b) const { return add(a, neg(b)); }
  Element neg(const Element& a) const { return triple_double::negate(a); }
  Element mul(const Element& a, const Element& b) const { return triple_double::multiply(a, b); }
  void add_to(Element& a, const Element& b) const { a = add(a, b); }
  void sub_to(Element& a, const Element& b) const { a = sub(a, b); }
  void mul_to(Element& a, const Element& b) const { a = mul(a, b); }
  Accumulator empty_sum() const { return zero(); }
  void accumulate(Accumulator& sum, const Element& a) const { sum = add(sum, a); }

  Element from_int64(std::int64_t value) const {
    const DoubleDouble pair = DoubleDoubleRing().from_int64(value);
    return {pair.high, pair.low, 0};
  }
  Element from_mpq(const mpq_class& value) const { return nearest_triple_double(value); }

  double magnitude(const Element& a) const { return std::fabs(a.high); }
  double add_error() const { return 0x1p-154; }  // 32 u^3
  double mul_error() const { return 0x1p-152; }  // 128 u^3
  double sum_error(std::uint64_t terms) const { return 0x1p-153 * static_cast<double>(terms); }
  void store(const Accumulator& sum, Ball& ball) const { store_part(sum, ball.re, ball.error); }
  void store_part(const Accumulator& sum, BigFloat& into, BigFloat& error) const {
    add_exactly(into, sum.high, error);
    add_exactly(into, sum.middle, error);
    add_exactly(into, sum.low, error);
  }
};

}  // namespace countpm
