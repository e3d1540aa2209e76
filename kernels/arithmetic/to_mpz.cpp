#include "kernels/arithmetic/to_mpz.hpp"

#include <cstdint>

namespace countpm {

mpz_class to_mpz(uint128 value) {
  mpz_class result(static_cast<std::uint64_t>(value >> 64));
  result <<= 64;
  result += static_cast<std::uint64_t>(value);
  return result;
}

mpz_class to_mpz(int128 value) {
  if (value >= 0) return to_mpz(static_cast<uint128>(value));
  return -to_mpz(-static_cast<uint128>(value));  // unsigned, since -2^127 has no opposite
}

mpz_class to_mpz(const Modulus& modulus) {
  if (modulus.prime != 0) return mpz_class(static_cast<std::uint64_t>(modulus.prime));
  return mpz_class(1) << modulus.power_of_two;
}

mpz_class to_mpz(const std::uint64_t* words, std::size_t count, bool is_signed) {
  mpz_class result;
  mpz_import(result.get_mpz_t(), count, -1, sizeof(std::uint64_t), 0, 0, words);
  if (is_signed && words[count - 1] >> 63 != 0) result -= mpz_class(1) << (64 * count);
  return result;
}

mpz_class from_twos_complement(mpz_class number, unsigned bits) {
  if (mpz_tstbit(number.get_mpz_t(), bits - 1) != 0) number -= mpz_class(1) << bits;
  return number;
}

}  // namespace countpm
