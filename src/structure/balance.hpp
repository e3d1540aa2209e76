#pragma once
// Floating point counts best where no row and no column is much larger than another.
#include "src/structure/blocks.hpp"

namespace countpm {

/// Divides rows and columns of every reduced block by powers of two until the absolute values in each add up
/// to about 1, and puts the powers into the factor: exact, since values are rationals, and per(original) =
/// factor * product of per(reduced) still holds. Inclusion-exclusion loses about as many bits as the product
/// of the row sums has above the permanent; a column whose entries are all small would cost them in every
/// term. Sinkhorn's iteration in exponents: O(entries) a sweep, at most 64 sweeps. A
/// general block stays symmetric: a vertex has one power of two for its row and its column. A block with
/// tiles is left as it is.
void balance(ReducedBlock& block);

}  // namespace countpm
