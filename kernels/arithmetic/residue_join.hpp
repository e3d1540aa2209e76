#pragma once
// From residues to integers, many times over for the same primes (Chinese remainder theorem).
#include <gmpxx.h>

#include <cstdint>
#include <vector>

namespace countpm {

/// x = sum over i of (x_i (M / p_i)^-1 mod p_i) M / p_i  modulo M, the product of the primes. The cofactors
/// M / p_i are kept: O(k^2) words of memory and time, for k primes; a join is O(k^2) again, but one pass.
class ResidueJoin {
 public:
  /// Different primes.
  explicit ResidueJoin(std::vector<std::uint64_t> primes);

  const std::vector<std::uint64_t>& primes() const { return primes_; }
  const mpz_class& product() const { return product_; }
  /// In 0 .. product - 1; residues[i] < primes[i].
  mpz_class join(const std::uint64_t* residues) const;
  /// In (-product/2, product/2].
  mpz_class join_signed(const std::uint64_t* residues) const;

 private:
  std::vector<std::uint64_t> primes_;
  std::vector<std::uint64_t> inverse_;  // of the cofactor modulo the prime
  std::vector<mpz_class> cofactor_;
  mpz_class product_ = 1;
};

}  // namespace countpm
