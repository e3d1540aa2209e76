#include "kernels/subsets/prefixes.hpp"

#include <algorithm>
#include <cstdint>

#include "kernels/arithmetic/to_mpz.hpp"

namespace countpm {
namespace {

/// A value from 0 on, modulo 2^128.
uint128 to_residue(const mpz_class& value) {
  const mpz_class high = value >> 64;
  return uint128{high.get_ui()} << 64 | value.get_ui();
}

/// +- sum / divisor modulo the prime, which does not divide the divisor.
uint128 share_modulo(const mpz_class& sum, bool negate, const mpz_class& divisor, std::uint64_t prime) {
  uint128 value = mpz_fdiv_ui(sum.get_mpz_t(), prime);
  if (divisor != 1) {
    mpz_class inverse(static_cast<std::uint64_t>(mpz_fdiv_ui(divisor.get_mpz_t(), prime)));
    const mpz_class number(static_cast<std::uint64_t>(prime));
    mpz_invert(inverse.get_mpz_t(), inverse.get_mpz_t(), number.get_mpz_t());
    value = value * inverse.get_ui() % prime;
  }
  return negate && value != 0 ? prime - value : value;
}

}  // namespace

RyserForm ryser_form_for(const Arithmetic& arithmetic) {
  const bool divides = std::all_of(arithmetic.moduli.begin(), arithmetic.moduli.end(),
                                   [](const Modulus& m) { return m.prime != 0; });
  return divides ? RyserForm::halved : RyserForm::classic;
}

Partial share_of_permanent(const mpz_class& sum, Index rows, RyserForm form, const mpz_class& scale,
                           const Arithmetic& arithmetic) {
  const bool negate = form == RyserForm::halved ? rows % 2 == 0 : rows % 2 != 0;
  mpz_class divisor = scale;
  if (form == RyserForm::halved) divisor <<= rows - 1;
  Residues residues;
  for (const Modulus& modulus : arithmetic.moduli) {
    if (modulus.prime != 0) {
      // Remainders first: sums and scales may have thousands of words, and there are thousands of primes
      // then.
      residues.residue.push_back(share_modulo(sum, negate, divisor, modulus.prime));
      continue;
    }
    const mpz_class number = to_mpz(modulus);
    mpz_class value = negate ? mpz_class(-sum) : sum;
    if (divisor != 1) {
      mpz_class inverse;
      mpz_invert(inverse.get_mpz_t(), divisor.get_mpz_t(), number.get_mpz_t());
      value *= inverse;
    }
    mpz_fdiv_r(value.get_mpz_t(), value.get_mpz_t(), number.get_mpz_t());
    residues.residue.push_back(to_residue(value));
  }
  return residues;
}

}  // namespace countpm
