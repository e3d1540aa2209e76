#pragma once
// A GPU's sums as GMP numbers.
#include <gmpxx.h>

#include <utility>
#include <vector>

#include "kernels/subsets/gpu/numbers.hpp"

namespace countpm::gray {

/// 0 <= number < 2^bits, as two's complement.
inline mpz_class from_twos_complement(mpz_class number, unsigned bits) {
  if (mpz_tstbit(number.get_mpz_t(), bits - 1) == 0) return number;
  mpz_class modulus;
  mpz_setbit(modulus.get_mpz_t(), bits);
  return number - modulus;
}

template <unsigned W>
mpz_class value_of(const Words<W>& total) {
  mpz_class result;
  mpz_import(result.get_mpz_t(), W, -1, sizeof(std::uint64_t), 0, 0, total.word);
  return from_twos_complement(std::move(result), 64 * W);
}
template <unsigned W>
mpz_class sum_of(const std::vector<Words<W>>& parts) {
  Words<W> total;
  for (const Words<W>& part : parts) total.add(part, false);
  return value_of(total);
}

}  // namespace countpm::gray
