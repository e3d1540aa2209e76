#pragma once
// A block made ready for drawing: rows and columns as lists, weights as doubles.
#include <cstdint>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "kernels/arithmetic/scaled.hpp"
#include "matching/block.hpp"

namespace countpm {

/// per(block) = 2^exponent * per(weights), each row scaled by a power of two so that its largest weight is in
/// [1/2, 1) (or weights left out: all 1). Weights are rounded to doubles: the permanent's relative error from
/// that is below 2^-53 a row, far below any sampling error.
struct SampleMatrix {
  SparsePattern rows;
  std::vector<double> weight;  // beside rows.column; empty: all 1
  SparsePattern columns;       // the transposed pattern
  std::int64_t exponent = 0;
  double ratio_bits = 0;  // the largest of log2(largest weight / smallest weight) of a row
};

/// A weight that is real and not negative, rounded to the mantissa's double.
Scaled scaled_weight(std::int64_t value);
Scaled scaled_weight(const mpq_class& value);
Scaled scaled_weight(const ComplexRational& value);

/// Throws UnableError for general blocks (graphs with odd cycles), for negative and complex weights, and for
/// rows whose weights differ by a factor beyond 2^300. O(entries).
SampleMatrix make_sample_matrix(const AnyBlock& block);

/// The entries of `columns`, as numbers of entries of `rows`. O(entries).
std::vector<std::uint64_t> entries_by_column(const SampleMatrix& matrix);

}  // namespace countpm
