#pragma once
// Bound first: the bound fixes the bits, the bits fix the residues.
#include <memory>
#include <string>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/method.hpp"
#include "matching/block.hpp"
#include "src/api/entries.hpp"

namespace countpm {

/// Blocks of so few rows are counted in microseconds by any method: looking for the best would take longer.
inline constexpr std::uint64_t tiny_rows = 10;

/// What decides how many residues a block's count needs; the same for every method.
struct BlockBound {
  double log2_bound = 0;      // of |per(block) * denominator|
  mpz_class denominator = 1;  // per(block) * denominator is an integer
  bool is_signed = false;     // the count may be negative
};
BlockBound bound_of(const AnyBlock& block);

class PointResidues;  // src/number/point_residues.hpp

/// The arithmetic for a block and a method, and how its result becomes a number again.
struct ArithmeticChoice {
  Arithmetic arithmetic;
  mpz_class denominator = 1;
  bool is_signed = false;
  bool given = false;  // the moduli are those that were asked for, and no more is known
  std::shared_ptr<const PointResidues> points = {};  // where the moduli are points of a packed polynomial

  /// For the report: Arithmetic::name(), how many primes and points, or the moduli given.
  std::string name() const;
};

/// Exact weights: enough residues that their moduli's product exceeds the number of integers within the
/// bound. Where `method` takes them, 2^64 or 2^128 (which cost less); primes otherwise. `skip_primes` leaves
/// out the first primes of the list, so that a recount can use fresh ones (and no power of two). Complex
/// weights, and real ones where counts_decimals_exactly() does not hold: the floating point that the options
/// ask for.
ArithmeticChoice choose_arithmetic(const AnyBlock& block, const BlockBound& bound, const Method& method,
                                   WeightKind weight_kind, const CountOptions& options,
                                   unsigned skip_primes = 0);

/// Whether a method counts a block of real (decimal) weights as the exact fractions that they spell: those
/// that divide and have no floating point, all in blocks of so many rows that the sum may leave the range of
/// doubles, and in tiny blocks those that `auto` takes, where few residues are enough.
bool counts_decimals_exactly(const AnyBlock& block, const BlockBound& bound, const Method& method,
                             const CountOptions& options);

/// The same choice in primes of another size, as many as the bound asks for: of 29 to 61 bits.
ArithmeticChoice with_prime_bits(const ArithmeticChoice& choice, double log2_bound, unsigned size,
                                 unsigned skip_primes = 0);

/// The floating point for real and complex weights.
Arithmetic floating_arithmetic(const CountOptions& options);

}  // namespace countpm
