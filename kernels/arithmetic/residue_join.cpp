#include "kernels/arithmetic/residue_join.hpp"

#include <cstdint>

#include "kernels/arithmetic/prime_ring.hpp"

namespace countpm {

ResidueJoin::ResidueJoin(std::vector<std::uint64_t> primes) : primes_(std::move(primes)) {
  for (const std::uint64_t p : primes_) product_ *= static_cast<std::uint64_t>(p);
  for (const std::uint64_t p : primes_) {
    mpz_class cofactor;
    mpz_divexact_ui(cofactor.get_mpz_t(), product_.get_mpz_t(), p);
    const mpz_class prime(static_cast<std::uint64_t>(p));
    mpz_class inverse = cofactor % prime;
    mpz_invert(inverse.get_mpz_t(), inverse.get_mpz_t(), prime.get_mpz_t());
    inverse_.push_back(inverse.get_ui());
    cofactor_.push_back(std::move(cofactor));
  }
}

mpz_class ResidueJoin::join(const std::uint64_t* residues) const {
  mpz_class sum;
  for (std::size_t i = 0; i < primes_.size(); ++i) {
    const auto digit =
        static_cast<std::uint64_t>(static_cast<uint128>(residues[i]) * inverse_[i] % primes_[i]);
    mpz_addmul_ui(sum.get_mpz_t(), cofactor_[i].get_mpz_t(), digit);
  }
  mpz_fdiv_r(sum.get_mpz_t(), sum.get_mpz_t(), product_.get_mpz_t());
  return sum;
}

mpz_class ResidueJoin::join_signed(const std::uint64_t* residues) const {
  mpz_class value = join(residues);
  if (2 * value > product_) value -= product_;
  return value;
}

}  // namespace countpm
