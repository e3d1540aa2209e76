#pragma once
// The prime factors of a number of up to 64 bits.
#include <cstdint>
#include <vector>

namespace countpm {

struct PrimePower {
  std::uint64_t prime = 2;
  unsigned exponent = 1;
};

/// By prime, the least first; none of 1. Trial division up to 211, then Pollard's rho with Brent's cycles, in
/// O(sqrt(p)) products for the second largest prime factor p: 2^16 at most. Precondition: number > 0.
/// R. P. Brent, An improved Monte Carlo factorization algorithm, BIT 20 (1980) 176.
std::vector<PrimePower> factor_word(std::uint64_t number);

}  // namespace countpm
