#pragma once
// A GPU's sums as GMP numbers.
#include <gmpxx.h>

#include "kernels/exact/ryser_numbers.hpp"

namespace countpm::gray {

/// Two's complement.
template <unsigned W>
mpz_class value_of(const Words<W>& total) {
  mpz_class result;
  mpz_import(result.get_mpz_t(), W, -1, sizeof(std::uint64_t), 0, 0, total.word);
  if (mpz_tstbit(result.get_mpz_t(), 64 * W - 1) != 0) {
    mpz_class modulus;
    mpz_setbit(modulus.get_mpz_t(), 64 * W);
    result -= modulus;
  }
  return result;
}

}  // namespace countpm::gray
