#pragma once
// What long weights add to every method's own work: the way into residues and back; primes that a journal
// has.
#include "matching/block.hpp"
#include "src/number/choose_arithmetic.hpp"

namespace countpm {

/// Seconds on one core for a count modulo all primes of the choice: entries are divided by each (or what a
/// method has in their place), so is the denominator of the whole on the way out, and the residues become one
/// fraction in lowest terms. O(entries). 0 for floating-point arithmetic, and for weights of 64 bits, which
/// the methods' own rates have.
double arithmetic_seconds(const AnyBlock& block, const ArithmeticChoice& choice);

/// Whether a journal's primes, which another machine chose (by its own bound, for its own GPUs), are primes
/// and enough for the bound here.
bool suffices(const Arithmetic& journaled, const ArithmeticChoice& choice, double log2_bound);

}  // namespace countpm
