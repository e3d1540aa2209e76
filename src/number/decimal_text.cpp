#include "src/number/decimal_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "kernels/arithmetic/big_float.hpp"

namespace countpm {
namespace {

// Longer ones have more digits than anybody reads, or a hopeless exponent.
constexpr std::size_t most_bits_written_out = 8192;

std::string exponent_text(std::int64_t exponent) {
  return fmt::format("e{}{:02}", exponent < 0 ? '-' : '+', exponent < 0 ? -exponent : exponent);
}

// A number 0.DIGITS times 10^(top + 1).
std::string placed(const std::string& digits, std::int64_t top, int most_digits) {
  const auto size = static_cast<std::int64_t>(digits.size());
  constexpr std::int64_t zeros_in_front = 5;
  if (top >= most_digits || top < -zeros_in_front) {
    const std::string mantissa = size == 1 ? digits : digits.substr(0, 1) + '.' + digits.substr(1);
    return mantissa + exponent_text(top);
  }
  if (top < 0) return "0." + std::string(static_cast<std::size_t>(-top - 1), '0') + digits;
  if (top + 1 >= size) return digits + std::string(static_cast<std::size_t>(top + 1 - size), '0');
  const auto whole = static_cast<std::size_t>(top + 1);
  return digits.substr(0, whole) + '.' + digits.substr(whole);
}

// Where the expansion ends within so many digits.
std::optional<std::string> whole_decimal(const mpq_class& value, int most_digits) {
  if (value == 0) return "0";
  if (mpz_sizeinbase(value.get_num_mpz_t(), 2) > most_bits_written_out ||
      mpz_sizeinbase(value.get_den_mpz_t(), 2) > most_bits_written_out)
    return std::nullopt;
  mpz_class rest = value.get_den();
  const mpz_class five = 5;
  const std::uint64_t fives = mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), five.get_mpz_t());
  const std::uint64_t twos = mpz_scan1(rest.get_mpz_t(), 0);
  if (mpz_sizeinbase(rest.get_mpz_t(), 2) != twos + 1)
    return std::nullopt;  // 1/3, in a sum of parallel edges
  const std::uint64_t places = std::max(fives, twos);
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, places);
  std::string digits = mpz_class(abs(value.get_num()) * (power / value.get_den())).get_str();
  const std::int64_t top = static_cast<std::int64_t>(digits.size()) - 1 - static_cast<std::int64_t>(places);
  digits.resize(digits.find_last_not_of('0') + 1);
  if (digits.size() > static_cast<std::size_t>(most_digits)) return std::nullopt;
  return (value < 0 ? "-" : "") + placed(digits, top, most_digits);
}

}  // namespace

DecimalText decimal_text(const mpq_class& value, int most_digits) {
  if (std::optional<std::string> whole = whole_decimal(value, most_digits)) return {*std::move(whole), ""};
  constexpr double bits_a_digit = 3.33;
  constexpr int guard_bits = 64;
  BigFloat nearest(static_cast<mpfr_prec_t>(bits_a_digit * most_digits) + guard_bits);
  mpfr_set_q(nearest.get(), value.get_mpq_t(), MPFR_RNDN);
  DecimalText text;
  text.digits = without_end_zeros(nearest.to_string(most_digits));
  // Half a unit of the last digit, and what is lost on the way, which is far below a fiftieth of that.
  const std::int64_t top = std::stoll(text.digits.substr(text.digits.find('e') + 1));
  text.error = "5.1" + exponent_text(top - most_digits);
  return text;
}

std::string without_end_zeros(std::string text) {
  const std::size_t end = text.find('e');
  if (end == std::string::npos || text.find('.') == std::string::npos) return text;
  std::size_t last = text.find_last_not_of('0', end - 1);
  if (text[last] == '.') --last;
  return text.erase(last + 1, end - last - 1);
}

int decimal_digits(unsigned precision_bits) {
  constexpr int digits_of_doubles = 17;
  constexpr double digits_a_bit = 0.30102999566398120;
  if (precision_bits == 0) return digits_of_doubles;
  return std::max(2, static_cast<int>(digits_a_bit * precision_bits));
}

}  // namespace countpm
