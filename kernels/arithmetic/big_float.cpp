#include "kernels/arithmetic/big_float.hpp"

#include <algorithm>
#include <memory>
#include <string>

namespace countpm {

std::string BigFloat::to_string(int digits, mpfr_rnd_t round) const {
  if (mpfr_nan_p(value_)) return "nan";
  if (mpfr_inf_p(value_)) return mpfr_signbit(value_) ? "-inf" : "inf";
  if (mpfr_zero_p(value_)) return "0";
  mpfr_exp_t exponent = 0;
  // value = 0.DIGITS * 10^exponent; mpfr_get_str knows no locale.
  const std::unique_ptr<char, void (*)(char*)> text(
      mpfr_get_str(nullptr, &exponent, 10, static_cast<std::size_t>(std::max(digits, 1)), value_, round),
      mpfr_free_str);
  std::string mantissa = text.get();
  const bool negative = mantissa.front() == '-';
  if (negative) mantissa.erase(0, 1);
  if (mantissa.size() > 1) mantissa.insert(1, 1, '.');
  const long long power = static_cast<long long>(exponent) - 1;
  std::string power_digits = std::to_string(power < 0 ? -power : power);
  if (power_digits.size() < 2) power_digits.insert(0, 1, '0');
  return (negative ? "-" : "") + mantissa + (power < 0 ? "e-" : "e+") + power_digits;
}

}  // namespace countpm
