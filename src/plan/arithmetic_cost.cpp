#include "src/plan/arithmetic_cost.hpp"

#include <gmpxx.h>

#include <cmath>
#include <cstdint>
#include <variant>

namespace countpm {
namespace {

// One core of an AMD EPYC (Zen 4) beside other work, GMP 6.2, 2026-11-24: an entry's remainder, its words a
// modulus, an inverse modulo a prime; joining n residues and reducing the fraction (n log^2 n).
constexpr double seconds_an_entry = 40e-9;
constexpr double seconds_an_inverse = 800e-9;
constexpr double seconds_a_word = 1.3e-9;
constexpr double seconds_joined = 100e-9;

struct Sizes {
  double entries = 0;
  double fractions = 0;
  double words = 0;
};

Sizes sizes_of(const Block<mpq_class>& block) {
  Sizes sizes;
  sizes.entries = static_cast<double>(block.matrix.value.size());
  for (const mpq_class& value : block.matrix.value) {
    sizes.words += static_cast<double>(mpz_size(value.get_num_mpz_t()));
    if (value.get_den() == 1) continue;
    sizes.words += static_cast<double>(mpz_size(value.get_den_mpz_t()));
    sizes.fractions += 1;
  }
  return sizes;
}

}  // namespace

double arithmetic_seconds(const AnyBlock& block, const ArithmeticChoice& choice) {
  const Arithmetic& arithmetic = choice.arithmetic;
  const auto moduli = static_cast<double>(arithmetic.moduli.size());
  if (arithmetic.kind != Arithmetic::Kind::residues || moduli < 2) return 0;
  const auto* long_weights = std::get_if<Block<mpq_class>>(&block);
  if (long_weights == nullptr) return 0;
  const Sizes sizes = sizes_of(*long_weights);
  const double into =
      sizes.entries * seconds_an_entry + sizes.fractions * seconds_an_inverse + sizes.words * seconds_a_word;
  const auto denominator = static_cast<double>(mpz_size(choice.denominator.get_mpz_t()));
  const double out = seconds_a_word * (denominator > 1 ? denominator : 0);
  const double levels = std::log2(moduli) + 1;
  return moduli * (into + out + seconds_joined * levels * levels);
}

bool suffices(const Arithmetic& journaled, const ArithmeticChoice& choice, double log2_bound) {
  if (journaled.kind != Arithmetic::Kind::residues || choice.arithmetic.kind != journaled.kind) return false;
  // As many values as choose_arithmetic() makes room for.
  const double bits = std::floor(log2_bound) + 1 + (choice.is_signed ? 1 : 0);
  // None smaller is ever chosen: a list of more than that was made up, and would take its time.
  constexpr double fewest_bits = 16;
  if (static_cast<double>(journaled.moduli.size()) > bits / fewest_bits + 1) return false;
  mpz_class product = 1;
  for (const Modulus& modulus : journaled.moduli) {
    const mpz_class prime = static_cast<std::uint64_t>(modulus.prime);
    constexpr int rounds = 25;
    if (mpz_probab_prime_p(prime.get_mpz_t(), rounds) == 0 || gcd(prime, product) != 1 ||
        gcd(prime, choice.denominator) != 1)
      return false;
    product *= prime;
  }
  return static_cast<double>(mpz_sizeinbase(product.get_mpz_t(), 2)) - 1 >= bits;
}

}  // namespace countpm
