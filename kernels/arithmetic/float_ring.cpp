#include "kernels/arithmetic/float_ring.hpp"

#include <cmath>
#include <cstddef>
#include <optional>

#include "kernels/arithmetic/mpfr_ring.hpp"
#include "kernels/arithmetic/triple_ring.hpp"

namespace countpm {

namespace {

/// error += the most that one rounding of `value` to nearest can have cost.
void add_rounding(BigFloat& error, const BigFloat& value) {
  if (value.is_zero()) return;
  BigFloat half_unit(1.0, error.bits());
  mpfr_set_ui_2exp(half_unit.get(), 1, mpfr_get_exp(value.get()) - value.bits() - 1, MPFR_RNDU);
  mpfr_add(error.get(), error.get(), half_unit.get(), MPFR_RNDU);
}

/// The double that the value is, as doubles read into rationals are; nothing where it is none, or one near
/// the ends of their range. Without a division or new numbers.
std::optional<double> as_double(const mpq_class& value) {
  const mpz_srcptr numerator = value.get_num_mpz_t();
  const mpz_srcptr denominator = value.get_den_mpz_t();
  constexpr std::size_t most_bits = 53;
  constexpr std::size_t far_from_the_ends = 900;
  if (mpz_sizeinbase(numerator, 2) > most_bits) return std::nullopt;
  const std::size_t shift = mpz_sizeinbase(denominator, 2) - 1;
  if (shift > far_from_the_ends || mpz_scan1(denominator, 0) != shift) return std::nullopt;
  return std::ldexp(mpz_get_d(numerator), -static_cast<int>(shift));
}

}  // namespace

double nearest_double(const mpq_class& value) {
  if (const auto exact = as_double(value)) return *exact;
  return BigFloat(value, 53).to_double();
}

DoubleDouble nearest_double_double(const mpq_class& value) {
  if (const auto exact = as_double(value)) return {*exact, 0};
  const double high = nearest_double(value);
  if (!std::isfinite(high)) return {high, 0};
  const mpq_class rest = value - mpq_class(high);
  return {high, nearest_double(rest)};
}

TripleDouble nearest_triple_double(const mpq_class& value) {
  if (const auto exact = as_double(value)) return {*exact, 0, 0};
  const double high = nearest_double(value);
  if (!std::isfinite(high)) return {high, 0, 0};
  const DoubleDouble rest = nearest_double_double(value - mpq_class(high));
  return {high, rest.high, rest.low};
}

void add_exactly(BigFloat& into, double value, BigFloat& error) {
  if (mpfr_add_d(into.get(), into.get(), value, MPFR_RNDN) != 0) add_rounding(error, into);
}

void MpfrRing::store_part(const Accumulator& sum, BigFloat& into, BigFloat& error) const {
  if (mpfr_add(into.get(), into.get(), sum.get(), MPFR_RNDN) != 0) add_rounding(error, into);
}

}  // namespace countpm
