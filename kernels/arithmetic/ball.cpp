#include "kernels/arithmetic/ball.hpp"

#include <algorithm>

namespace countpm {

namespace {

/// Where the operation that made `value` was inexact (`ternary`), error += half a unit in the last place of
/// `value`.
void note_rounding(int ternary, const BigFloat& value, BigFloat& error) {
  if (ternary == 0) return;
  BigFloat half_unit(error.bits());
  // value is not zero: an inexact result that underflowed would be, and the exponent range is 2^62.
  mpfr_set_ui_2exp(half_unit.get(), 1, mpfr_get_exp(value.get()) - value.bits() - 1, MPFR_RNDU);
  mpfr_add(error.get(), error.get(), half_unit.get(), MPFR_RNDU);
}

/// An upper bound on |re + i im|.
BigFloat magnitude(const Ball& ball) {
  BigFloat result(ball.error.bits());
  mpfr_hypot(result.get(), ball.re.get(), ball.im.get(), MPFR_RNDU);
  return result;
}

/// a b - c d or a b + c d in one rounding.
BigFloat combine(const BigFloat& a, const BigFloat& b, const BigFloat& c, const BigFloat& d, bool minus,
                 BigFloat& error) {
  BigFloat result(a.bits());
  const int ternary = minus ? mpfr_fmms(result.get(), a.get(), b.get(), c.get(), d.get(), MPFR_RNDN)
                            : mpfr_fmma(result.get(), a.get(), b.get(), c.get(), d.get(), MPFR_RNDN);
  note_rounding(ternary, result, error);
  return result;
}

}  // namespace

mpfr_prec_t ball_bits(const Arithmetic& arithmetic) {
  if (arithmetic.precision != Precision::mpfr) return 192;
  return std::max<mpfr_prec_t>(128, static_cast<mpfr_prec_t>(arithmetic.bits) + 64);
}

Ball zero_ball(mpfr_prec_t bits) {
  return {BigFloat(bits), BigFloat(bits), BigFloat(mpfr_prec_t{64})};
}

Ball ball_from(const mpq_class& value, mpfr_prec_t bits) {
  return ball_from(ComplexRational{value, 0}, bits);
}

Ball ball_from(const ComplexRational& value, mpfr_prec_t bits) {
  Ball ball = zero_ball(bits);
  note_rounding(mpfr_set_q(ball.re.get(), value.re.get_mpq_t(), MPFR_RNDN), ball.re, ball.error);
  note_rounding(mpfr_set_q(ball.im.get(), value.im.get_mpq_t(), MPFR_RNDN), ball.im, ball.error);
  return ball;
}

void add(Ball& into, const Ball& term) {
  mpfr_add(into.error.get(), into.error.get(), term.error.get(), MPFR_RNDU);
  note_rounding(mpfr_add(into.re.get(), into.re.get(), term.re.get(), MPFR_RNDN), into.re, into.error);
  note_rounding(mpfr_add(into.im.get(), into.im.get(), term.im.get(), MPFR_RNDN), into.im, into.error);
}

void multiply(Ball& into, const Ball& factor) {
  // |x y - a b| <= |a| e_b + (|b| + e_b) e_a for |x - a| <= e_a, |y - b| <= e_b.
  BigFloat from_into = magnitude(into);
  mpfr_mul(from_into.get(), from_into.get(), factor.error.get(), MPFR_RNDU);
  BigFloat from_factor = magnitude(factor);
  mpfr_add(from_factor.get(), from_factor.get(), factor.error.get(), MPFR_RNDU);
  mpfr_mul(from_factor.get(), from_factor.get(), into.error.get(), MPFR_RNDU);
  mpfr_add(into.error.get(), from_into.get(), from_factor.get(), MPFR_RNDU);

  if (into.im.is_zero() && factor.im.is_zero()) {
    note_rounding(mpfr_mul(into.re.get(), into.re.get(), factor.re.get(), MPFR_RNDN), into.re, into.error);
    return;
  }
  BigFloat re = combine(into.re, factor.re, into.im, factor.im, true, into.error);
  into.im = combine(into.re, factor.im, into.im, factor.re, false, into.error);
  into.re = std::move(re);
}

bool balls_meet(const Ball& a, const Ball& b) {
  BigFloat re(a.re.bits());
  BigFloat im(a.re.bits());
  mpfr_sub(re.get(), a.re.get(), b.re.get(), MPFR_RNDA);
  mpfr_sub(im.get(), a.im.get(), b.im.get(), MPFR_RNDA);
  mpfr_hypot(re.get(), re.get(), im.get(), MPFR_RNDU);
  mpfr_sub(re.get(), re.get(), a.error.get(), MPFR_RNDD);
  return mpfr_lessequal_p(re.get(), b.error.get()) != 0;
}

void scale_by_power_of_two(Ball& ball, std::int64_t exponent) {
  for (BigFloat* part : {&ball.re, &ball.im, &ball.error})
    mpfr_mul_2si(part->get(), part->get(), exponent, MPFR_RNDU);
}

}  // namespace countpm
