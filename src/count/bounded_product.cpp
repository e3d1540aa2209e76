#include "src/count/bounded_product.hpp"

#include "kernels/arithmetic/ball.hpp"

namespace countpm {
namespace {

constexpr mpfr_prec_t interval_bits = 192;
constexpr int shown_digits = 6;
// Integers below this are shown with all their digits.
constexpr double most_in_full = 1e15;

void add_log2_of(BigFloat& sum, BigFloat& value, mpfr_rnd_t round) {
  mpfr_log2(value.get(), value.get(), round);
  mpfr_add(sum.get(), sum.get(), value.get(), round);
}

double log10_from(const BigFloat& log2, mpfr_rnd_t round) {
  // The smaller factor for what is to be below, but of a negative logarithm the larger one.
  const bool smaller = (round == MPFR_RNDD) == (mpfr_sgn(log2.get()) >= 0);
  BigFloat factor(2.0, interval_bits);
  mpfr_log10(factor.get(), factor.get(), smaller ? MPFR_RNDD : MPFR_RNDU);
  mpfr_mul(factor.get(), factor.get(), log2.get(), round);
  return factor.to_double(round);
}

std::string interval_text(const BigFloat& log2, bool whole, mpfr_rnd_t round) {
  BigFloat value(interval_bits);
  mpfr_exp2(value.get(), log2.get(), round);
  if (!whole || mpfr_cmp_d(value.get(), most_in_full) >= 0) return value.to_string(shown_digits, round);
  // The next integer inwards: no other is between.
  mpz_class integer;
  mpfr_get_z(integer.get_mpz_t(), value.get(), round == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD);
  return integer.get_str();
}

}  // namespace

BoundedProduct::BoundedProduct() : lower_(interval_bits), upper_(interval_bits) {}

void BoundedProduct::multiply(const Number& factor) {
  BigFloat below(interval_bits);
  BigFloat above(interval_bits);
  if (const auto* exact = std::get_if<mpq_class>(&factor)) {
    mpfr_set_q(below.get(), exact->get_mpq_t(), MPFR_RNDD);
    mpfr_set_q(above.get(), exact->get_mpq_t(), MPFR_RNDU);
  } else {
    const auto& ball = std::get<Ball>(factor);
    mpfr_sub(below.get(), ball.re.get(), ball.error.get(), MPFR_RNDD);
    mpfr_add(above.get(), ball.re.get(), ball.error.get(), MPFR_RNDU);
    if (mpfr_sgn(below.get()) < 0) mpfr_set_zero(below.get(), 1);
  }
  add_log2_of(lower_, below, MPFR_RNDD);
  add_log2_of(upper_, above, MPFR_RNDU);
}

void BoundedProduct::multiply(double log2_lower, double log2_upper) {
  mpfr_add_d(lower_.get(), lower_.get(), log2_lower, MPFR_RNDD);
  mpfr_add_d(upper_.get(), upper_.get(), log2_upper, MPFR_RNDU);
}

double BoundedProduct::log10_lower() const {
  return log10_from(lower_, MPFR_RNDD);
}

double BoundedProduct::log10_upper() const {
  return log10_from(upper_, MPFR_RNDU);
}

std::string BoundedProduct::lower_text(bool whole) const {
  return interval_text(lower_, whole, MPFR_RNDD);
}

std::string BoundedProduct::upper_text(bool whole) const {
  return interval_text(upper_, whole, MPFR_RNDU);
}

}  // namespace countpm
