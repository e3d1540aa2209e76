#pragma once
// Values as whole numbers, in place of residues modulo many primes.
//
// A state's value starts as 1 and ends with all the bits of the count, having gained a few at every step; its
// residues have all of them from the first step on. Where a count takes many primes, numbers that grow are
// half the words, and adding a multiple of one to another (GMP's mpn_addmul_1) costs less per word than a
// product modulo a prime: 0.6 ns to 2.7 (AMD EPYC, one core, 2026-11-25). Their weights are those of
// integer_weights(); the residues of the result are its own, divided by the weights' scale.
#include <memory>

#include "kernels/frontier/tables/value_column.hpp"

namespace countpm {

/// Where numbers that grow are the better values for a run of one table after the other in this arithmetic
/// (many residues, no complex weights, and no denominators that make the numbers much longer): the words of a
/// weight on average, 1 at least. 0 where they are not. O(entries).
double words_of_integer_weights(const AnyBlock& block, const Arithmetic& arithmetic);

/// The words of the largest value.
unsigned integer_words(const Arithmetic& arithmetic);

/// One column. Precondition: words_of_integer_weights() is not 0.
std::unique_ptr<ValueColumns> make_integer_columns(const AnyBlock& block, const Arithmetic& arithmetic);

}  // namespace countpm
