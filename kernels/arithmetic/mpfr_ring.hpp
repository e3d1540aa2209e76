#pragma once
// The floating ring over MPFR numbers of a given precision. CPU only; use add_to, sub_to and mul_to in loops:
// they do not allocate.
#include <gmpxx.h>

#include <cmath>
#include <cstdint>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/big_float.hpp"

namespace countpm {

class MpfrRing {
 public:
  using Element = BigFloat;
  using Accumulator = BigFloat;
  static constexpr bool exact = false;
  static constexpr bool complex = false;

  /// bits >= 2.
  explicit MpfrRing(unsigned bits) : bits_(static_cast<mpfr_prec_t>(bits)) {}

  Element zero() const { return BigFloat(bits_); }
  Element one() const { return BigFloat(1.0, bits_); }
  bool is_zero(const Element& a) const { return a.is_zero(); }
  Element add(Element a, const Element& b) const { return add_to(a, b), a; }
  Element sub(Element a, const Element& b) const { return sub_to(a, b), a; }
  Element mul(Element a, const Element& b) const { return mul_to(a, b), a; }
  Element neg(Element a) const { return mpfr_neg(a.get(), a.get(), MPFR_RNDN), a; }
  void add_to(Element& a, const Element& b) const { mpfr_add(a.get(), a.get(), b.get(), MPFR_RNDN); }
  void sub_to(Element& a, const Element& b) const { mpfr_sub(a.get(), a.get(), b.get(), MPFR_RNDN); }
  void mul_to(Element& a, const Element& b) const { mpfr_mul(a.get(), a.get(), b.get(), MPFR_RNDN); }
  Accumulator empty_sum() const { return zero(); }
  void accumulate(Accumulator& sum, const Element& a) const { add_to(sum, a); }

  Element from_int64(std::int64_t value) const {
    BigFloat result(bits_);
    mpfr_set_si(result.get(), value, MPFR_RNDN);
    return result;
  }
  Element from_mpq(const mpq_class& value) const { return {value, bits_}; }

  double magnitude(const Element& a) const { return std::fabs(a.to_double()); }
  double add_error() const { return std::ldexp(1.0, -static_cast<int>(bits_)); }
  double mul_error() const { return add_error(); }
  double sum_error(std::uint64_t terms) const { return 2 * add_error() * static_cast<double>(terms); }
  void store(const Accumulator& sum, Ball& ball) const { store_part(sum, ball.re, ball.error); }
  void store_part(const Accumulator& sum, BigFloat& into, BigFloat& error) const;

 private:
  mpfr_prec_t bits_;
};

}  // namespace countpm
