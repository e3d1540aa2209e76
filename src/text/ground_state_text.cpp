#include "src/text/ground_state_text.hpp"

#include <cstdint>

namespace countpm {
namespace {

/// Whether some power of 10 is a multiple of the denominator.
bool has_finite_decimals(mpz_class denominator) {
  for (const std::uint64_t prime : {std::uint64_t{2}, std::uint64_t{5}}) {
    const mpz_class factor(prime);
    mpz_remove(denominator.get_mpz_t(), denominator.get_mpz_t(), factor.get_mpz_t());
  }
  return denominator == 1;
}

std::string decimals(const mpq_class& value) {
  mpz_class scaled = abs(value.get_num());
  mpz_class power = 1;
  std::size_t places = 0;
  for (; !mpz_divisible_p(power.get_mpz_t(), value.get_den_mpz_t()); ++places) power *= 10;
  scaled *= power / value.get_den();
  std::string digits = scaled.get_str();
  if (places > 0) {
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, 1, '.');
  }
  return (value < 0 ? "-" : "") + digits;
}

}  // namespace

std::string weight_text(const GroundStates& states) {
  if (!states.weight) return "none";
  const mpq_class& weight = *states.weight;
  return states.decimal && has_finite_decimals(weight.get_den()) ? decimals(weight) : weight.get_str();
}

}  // namespace countpm
