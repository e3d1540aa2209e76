#include "src/text/format_probability.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace countpm {
namespace {

mpz_class power_of_ten(std::uint64_t exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
  return power;
}

// The integer nearest to numerator * 10^shift / denominator, half to even; all positive.
mpz_class rounded(mpz_class numerator, mpz_class denominator, std::int64_t shift) {
  if (shift >= 0) {
    numerator *= power_of_ten(static_cast<std::uint64_t>(shift));
  } else {
    denominator *= power_of_ten(static_cast<std::uint64_t>(-shift));
  }
  mpz_class quotient;
  mpz_class rest;
  mpz_fdiv_qr(quotient.get_mpz_t(), rest.get_mpz_t(), numerator.get_mpz_t(), denominator.get_mpz_t());
  const int half = cmp(mpz_class(2 * rest), denominator);
  if (half > 0 || (half == 0 && mpz_odd_p(quotient.get_mpz_t()) != 0)) ++quotient;
  return quotient;
}

}  // namespace

std::string format_fraction(const mpz_class& numerator, const mpz_class& denominator, unsigned digits) {
  if (numerator == 0) return "0";
  const std::string sign = sgn(numerator) * sgn(denominator) < 0 ? "-" : "";
  const mpz_class over = abs(numerator);
  const mpz_class under = abs(denominator);
  // 10^exponent <= the number < 10^(exponent + 1): guessed from the lengths, then put right.
  std::int64_t exponent = static_cast<std::int64_t>(mpz_sizeinbase(over.get_mpz_t(), 10)) -
                          static_cast<std::int64_t>(mpz_sizeinbase(under.get_mpz_t(), 10));
  const auto below = [&](std::int64_t power) {
    return power >= 0 ? over < under * power_of_ten(static_cast<std::uint64_t>(power))
                      : over * power_of_ten(static_cast<std::uint64_t>(-power)) < under;
  };
  while (below(exponent)) --exponent;
  while (!below(exponent + 1)) ++exponent;

  std::string text = rounded(over, under, static_cast<std::int64_t>(digits) - 1 - exponent).get_str();
  if (text.size() > digits) ++exponent;  // 9.99... became 10.0...
  text.resize(text.find_last_not_of('0') + 1);
  const auto length = static_cast<std::int64_t>(text.size());
  if (exponent < -5 || exponent >= static_cast<std::int64_t>(digits)) {
    if (length > 1) text.insert(1, 1, '.');
    return fmt::format("{}{}e{}{:02}", sign, text, exponent < 0 ? '-' : '+',
                       exponent < 0 ? -exponent : exponent);
  }
  if (exponent < 0)
    return fmt::format("{}0.{}{}", sign, std::string(static_cast<std::size_t>(-exponent - 1), '0'), text);
  if (length <= exponent + 1)
    return sign + text + std::string(static_cast<std::size_t>(exponent + 1 - length), '0');
  text.insert(static_cast<std::size_t>(exponent + 1), 1, '.');
  return sign + text;
}

}  // namespace countpm
