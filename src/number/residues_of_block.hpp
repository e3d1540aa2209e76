#pragma once
// A block's weights as residues, for checks that share neither a clearing of denominators nor a bound with
// what they check.
#include <gmpxx.h>

#include <optional>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "matching/block.hpp"

namespace countpm {

/// The denominators of its weights that are not 1, each once.
std::vector<mpz_class> denominators_in(const AnyBlock& block);

/// As many primes, the largest below 2^bits that divide none of the denominators and are none of `others`.
std::vector<Modulus> primes_beside(const std::vector<Modulus>& others, unsigned count, unsigned bits,
                                   const std::vector<mpz_class>& denominators);

mpz_class product_of(const std::vector<Modulus>& primes);

/// The block with integers above 0 in place of its weights, the same modulo `modulus`; weights that are
/// integers of 64 bits stay as they are. Its count is the block's modulo that. Precondition: no denominator
/// has a factor in common with the modulus, and no weight is complex.
AnyBlock block_modulo(const AnyBlock& block, const mpz_class& modulus);

/// From 0 to modulus - 1; empty where the denominator has no inverse.
std::optional<mpz_class> residue_of(const mpq_class& number, const mpz_class& modulus);

}  // namespace countpm
