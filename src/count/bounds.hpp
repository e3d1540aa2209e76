#pragma once
// Certified bounds: between which numbers a count is for certain, with no count made.
#include <gmpxx.h>

#include "kernels/estimate/bounds/certified_bounds.hpp"
#include "matching/block.hpp"
#include "src/api/entries.hpp"
#include "src/count/bounded_result.hpp"
#include "src/structure/blocks.hpp"

namespace countpm {

/// Of a block without negative or complex weights; certified_bounds
/// (kernels/estimate/bounds/certified_bounds.hpp) as logarithms to the base 10.
BoundsReport bounds_of(const AnyBlock& block, int threads = 1);

/// As logarithms to the base 10.
BoundsReport report_of(const CertifiedBounds& bounds);

/// Throws UnableError: the weights are negative or complex.
[[noreturn]] void refuse_to_bound();
/// The factor of a count without negative or complex weights. Refuses others, as refuse_negative()
/// does.
mpq_class positive(const Factor& factor);
void refuse_negative(const AnyBlock& block);

/// Of a whole count: structure and reductions, whose factors are exact, then every block that is left.
/// lower_by, upper_by: the theorems for the block with the largest upper bound; "reductions" where none is
/// left. 0, and -infinity as logarithms, by "structure", where the count is 0. Throws as count() does, and
/// UnableError for negative and complex weights.
CertainBounds bounds(const Source& source, const ReadOptions& read_options, const CountOptions& options);
/// The same of what has been read, or is in memory.
CertainBounds bounds(ReadResult read, const CountOptions& options);

}  // namespace countpm
