#pragma once
// Rows as whole numbers: decimals and fractions of a row have a common denominator, and often one so small
// that floating sums of the row's entries are exact.
#include <gmpxx.h>

#include <optional>

#include "matching/block.hpp"

namespace countpm {

/// permanent of the block given = factor * permanent of `block`, whose entries are whole (of complex ones
/// both parts).
struct RowUnits {
  AnyBlock block;
  mpq_class factor = 1;
};

/// Each row divided by the largest number that leaves it whole. Empty unless, in every row, twice the sum of
/// the entries' |re| + |im|, a column of multiplicity m counted m times, is at most 2^bits: then all sums of
/// entries, and of halves of them, are exact in numbers of `bits` bits. O(entries) operations on numbers of
/// some `bits` bits. Precondition: not a general block.
std::optional<RowUnits> in_row_units(const AnyBlock& block, unsigned bits);

}  // namespace countpm
