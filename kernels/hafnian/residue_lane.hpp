#pragma once
// A coefficient modulo a prime below 2^29, in Montgomery form of 32 bits: what hafnian's GPU kernel computes
// with, and the constants of its SIMD lanes.
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm::pair_sets {

struct ResidueLane {
  using Value = std::uint32_t;
  using Accumulator = std::uint64_t;
  using Total = std::uint32_t;
  static constexpr unsigned blocks_per_multiprocessor = 5;  // on a GPU

  std::uint32_t prime = 3;
  std::uint32_t minus_inverse = 1;  // -1/prime mod 2^32
  std::uint32_t word_power = 1;     // 2^32 mod prime: 1 in Montgomery form
  std::uint32_t word_square = 1;    // 2^64 mod prime

  ResidueLane() = default;
  explicit ResidueLane(std::uint32_t modulus)
      : prime(modulus), word_power(static_cast<std::uint32_t>((std::uint64_t{1} << 32) % modulus)) {
    std::uint32_t inverse = prime;  // modulo 8, and each round doubles the bits
    for (int round = 0; round < 4; ++round) inverse *= 2 - prime * inverse;
    minus_inverse = 0 - inverse;
    word_square = static_cast<std::uint32_t>(std::uint64_t{word_power} * word_power % prime);
  }

  /// Of a sum of products that finish() adds the summand to.
  COUNTPM_HD Accumulator start(Value /*summand*/) const { return 0; }
  COUNTPM_HD_INLINE static void multiply_add(Accumulator& sum, Value a, Value b) {
    sum += std::uint64_t{a} * b;
  }
  /// products / 2^32 + summand; products: the sum of at most 62 products of residues, summand: a residue.
  COUNTPM_HD std::uint32_t finish(std::uint64_t products, std::uint32_t summand) const {
    // The upper half is below 62/64 of 2^32, so that all of this is below prime 2^32.
    const std::uint64_t folded = std::uint64_t{static_cast<std::uint32_t>(products >> 32)} * word_power +
                                 static_cast<std::uint32_t>(products);
    const std::uint32_t quotient = static_cast<std::uint32_t>(folded) * minus_inverse;
    const auto product = static_cast<std::uint32_t>((folded + std::uint64_t{quotient} * prime) >> 32);
    return once(once(product) + summand);
  }
  /// A sum of residues, out of Montgomery form: sum / 2^32.
  std::uint32_t out_of_words(std::uint64_t sum) const { return finish(sum % prime, 0); }
  /// total += weight products / 2^32, or -=.
  COUNTPM_HD void add(Total& total, Accumulator products, bool minus, std::uint32_t weight) const {
    std::uint32_t term = finish(products, 0);
    // weight word_square is below 2^32 prime, as finish() needs it
    if (weight != 1) term = finish(std::uint64_t{term} * finish(std::uint64_t{weight} * word_square, 0), 0);
    total = once(minus ? total + prime - term : total + term);
  }

 private:
  /// Of a number below 2 prime.
  COUNTPM_HD std::uint32_t once(std::uint32_t a) const { return a < prime ? a : a - prime; }
};

}  // namespace countpm::pair_sets
