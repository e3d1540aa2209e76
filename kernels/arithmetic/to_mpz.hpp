#pragma once
// Machine integers as GMP ones.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/wide_integer.hpp"

namespace countpm {

mpz_class to_mpz(uint128 value);
mpz_class to_mpz(int128 value);

/// The number that is computed modulo.
mpz_class to_mpz(const Modulus& modulus);

/// The number of these words, least significant first; in two's complement where is_signed. count >= 1.
mpz_class to_mpz(const std::uint64_t* words, std::size_t count, bool is_signed);
/// 0 <= number < 2^bits, as two's complement.
mpz_class from_twos_complement(mpz_class number, unsigned bits);

/// Signed.
template <unsigned W>
mpz_class to_mpz(const WideInteger<W>& number) {
  return to_mpz(number.word, W, true);
}
/// Their sum, modulo 2^(64 W) as they are.
template <unsigned W>
mpz_class sum_as_mpz(const std::vector<WideInteger<W>>& parts) {
  WideInteger<W> total;
  for (const WideInteger<W>& part : parts) total.add(part);
  return to_mpz(total);
}

}  // namespace countpm
