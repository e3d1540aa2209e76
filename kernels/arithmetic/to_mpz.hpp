#pragma once
// Machine integers as GMP ones.
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/arithmetic.hpp"

namespace countpm {

mpz_class to_mpz(uint128 value);
mpz_class to_mpz(int128 value);

/// The number that is computed modulo.
mpz_class to_mpz(const Modulus& modulus);

/// The number of these words, least significant first; in two's complement where is_signed. count >= 1.
mpz_class to_mpz(const std::uint64_t* words, std::size_t count, bool is_signed);

}  // namespace countpm
