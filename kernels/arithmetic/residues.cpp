// Primes to compute with, and the way back from residues to an integer (Chinese remainder theorem).
#include <algorithm>
#include <stdexcept>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/to_mpz.hpp"

namespace countpm {

std::vector<Modulus> choose_primes(unsigned count, const std::vector<mpz_class>& skip, unsigned prime_bits) {
  std::vector<Modulus> result;
  result.reserve(count);
  // Downwards over odd numbers; 2^61 - 1 is itself prime. About one in 21 is prime: far from running out.
  for (std::uint64_t candidate = (std::uint64_t{1} << prime_bits) - 1; result.size() < count;
       candidate -= 2) {
    const mpz_class number(static_cast<unsigned long>(candidate));
    // GMP runs Baillie-PSW, which has no counterexample below 2^64 (checked exhaustively: J. Feitsma, W.
    // Galway), so "probably" is "surely".
    if (mpz_probab_prime_p(number.get_mpz_t(), 25) == 0) continue;
    const bool divides = std::any_of(skip.begin(), skip.end(), [&](const mpz_class& value) {
      return mpz_divisible_ui_p(value.get_mpz_t(), static_cast<unsigned long>(candidate)) != 0;
    });
    if (!divides) result.push_back({candidate, 0});
  }
  return result;
}

mpz_class join_residues(const Residues& residues, const std::vector<Modulus>& moduli, bool is_signed) {
  if (residues.residue.size() != moduli.size())
    throw std::invalid_argument("join_residues: as many residues as moduli are needed");
  // Garner's way, one modulus at a time: value is right modulo `product`; the next digit makes it right
  // modulo product * m too.
  mpz_class value = 0;
  mpz_class product = 1;
  for (std::size_t k = 0; k < moduli.size(); ++k) {
    const mpz_class m = to_mpz(moduli[k]);
    mpz_class inverse;
    if (mpz_invert(inverse.get_mpz_t(), mpz_class(product % m).get_mpz_t(), m.get_mpz_t()) == 0 &&
        product != 1) {
      throw std::invalid_argument("join_residues: the moduli are not pairwise coprime");
    }
    mpz_class digit = (to_mpz(residues.residue[k]) - value) * (product == 1 ? mpz_class(1) : inverse);
    mpz_fdiv_r(digit.get_mpz_t(), digit.get_mpz_t(), m.get_mpz_t());
    value += product * digit;
    product *= m;
  }
  if (is_signed && 2 * value > product) value -= product;
  return value;
}

}  // namespace countpm
