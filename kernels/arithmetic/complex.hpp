#pragma once
// Complex numbers over any of the floating rings.
#include <gmpxx.h>

#include <cmath>
#include <cstdint>

#include "graph/weight.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/complex_number.hpp"
#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// Errors: a sum rounds each part by at most e_add of itself, so the whole by at most e_add |a + b|. A
/// product's real part is a difference of two rounded products: it errs by (e_mul + e_add)(1 + e) (|a.re
/// b.re| + |a.im b.im|) <= (e_mul + e_add)(1 + e) |a| |b| by Cauchy-Schwarz, the imaginary part likewise,
/// together sqrt(2) times that: 1.5 covers sqrt(2) (1 + e).
template <class Real>
class ComplexRing {
 public:
  using Part = typename Real::Element;
  using PartSum = typename Real::Accumulator;
  using Element = Complex<Part>;
  using Accumulator = Complex<PartSum>;
  static constexpr bool exact = false;
  static constexpr bool complex = true;

  COUNTPM_HD explicit ComplexRing(Real real) : real_(real) {}

  COUNTPM_HD Element zero() const { return {real_.zero(), real_.zero()}; }
  COUNTPM_HD Element one() const { return {real_.one(), real_.zero()}; }
  COUNTPM_HD bool is_zero(const Element& a) const { return real_.is_zero(a.re) && real_.is_zero(a.im); }
  COUNTPM_HD Element add(const Element& a, const Element& b) const {
    return {real_.add(a.re, b.re), real_.add(a.im, b.im)};
  }
  COUNTPM_HD Element sub(const Element& a, const Element& b) const {
    return {real_.sub(a.re, b.re), real_.sub(a.im, b.im)};
  }
  COUNTPM_HD Element neg(const Element& a) const { return {real_.neg(a.re), real_.neg(a.im)}; }
  COUNTPM_HD Element mul(const Element& a, const Element& b) const {
    return {real_.sub(real_.mul(a.re, b.re), real_.mul(a.im, b.im)),
            real_.add(real_.mul(a.re, b.im), real_.mul(a.im, b.re))};
  }
  COUNTPM_HD void add_to(Element& a, const Element& b) const {
    real_.add_to(a.re, b.re), real_.add_to(a.im, b.im);
  }
  COUNTPM_HD void sub_to(Element& a, const Element& b) const {
    real_.sub_to(a.re, b.re), real_.sub_to(a.im, b.im);
  }
  COUNTPM_HD void mul_to(Element& a, const Element& b) const { a = mul(a, b); }
  COUNTPM_HD Accumulator empty_sum() const { return {real_.empty_sum(), real_.empty_sum()}; }
  COUNTPM_HD void accumulate(Accumulator& sum, const Element& a) const {
    real_.accumulate(sum.re, a.re), real_.accumulate(sum.im, a.im);
  }

  Element from_int64(std::int64_t value) const { return {real_.from_int64(value), real_.zero()}; }
  Element from_mpq(const mpq_class& value) const { return {real_.from_mpq(value), real_.zero()}; }
  Element from_complex(const ComplexRational& value) const {
    return {real_.from_mpq(value.re), real_.from_mpq(value.im)};
  }

  COUNTPM_HD double magnitude(const Element& a) const {
    const double re = real_.magnitude(a.re);
    const double im = real_.magnitude(a.im);
    const double fast = std::sqrt(re * re + im * im);
    // Squares of small numbers underflow, and those of large ones overflow.
    return fast > 0x1p-400 && fast < 0x1p511 ? fast : std::hypot(re, im);
  }
  double add_error() const { return real_.add_error(); }
  double mul_error() const { return 1.5 * (real_.add_error() + real_.mul_error()); }
  /// Each part's bound is a multiple of the sum of |parts|; Minkowski's inequality joins the two without a
  /// further factor.
  double sum_error(std::uint64_t terms) const { return real_.sum_error(terms); }
  void store(const Accumulator& sum, Ball& ball) const {
    real_.store_part(sum.re, ball.re, ball.error);
    real_.store_part(sum.im, ball.im, ball.error);
  }

 private:
  Real real_;
};

}  // namespace countpm
