#pragma once
// A block's weights as integers, for sums that must be exact.
#include <gmpxx.h>

#include <vector>

#include "matching/block.hpp"

namespace countpm {

/// Rows (of a general block: vertices) are scaled by the least common multiples of their denominators: the
/// block's sums are `scale` times as large, and their ratios the same as before.
struct IntegerWeights {
  std::vector<mpz_class> value;  // beside the matrix's values
  mpz_class scale = 1;
  bool negative = false;  // some value is
  double log2_bound = 0;  // of the sum of |products| over all perfect matchings
};

/// Throws std::invalid_argument for complex values. O(entries).
IntegerWeights integer_weights(const AnyBlock& block);

}  // namespace countpm
