#pragma once
// The numbers of results, read back.
#include <gmpxx.h>

#include <cstdlib>
#include <string>

namespace countpm::testing {

/// "1.25e+03" as the exact number that it spells.
inline mpq_class parse_decimal(const std::string& text) {
  const std::size_t e = text.find('e');
  std::string digits = text.substr(0, e);
  long exponent = e == std::string::npos ? 0 : std::stol(text.substr(e + 1));
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<long>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::labs(exponent)));
  const mpq_class value{mpz_class(digits, 10)};
  return exponent < 0 ? mpq_class(value / power) : mpq_class(value * power);
}

}  // namespace countpm::testing
