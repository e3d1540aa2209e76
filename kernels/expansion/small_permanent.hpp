#pragma once
// The permanent of a small sparse matrix, exactly, for the leaves of an expansion: row by row over sets of
// used columns.
//
//   f(S) = sum over j in S of a_{|S| - 1, j} f(S \ {j}),   f({}) = 1,   per(A) = f(all)
//
// Sets in ascending order as numbers: every S comes after its subsets. At most 2^(n-1) n products, fewer
// where sets are out of reach; no subtraction. Sums of integers are kept in 64 or 128 bits where the product
// of the rows' absolute sums shows that they fit.
#include <gmpxx.h>

#include <vector>

#include "graph/sparse_matrix.hpp"
#include "graph/weight.hpp"
#include "kernels/arithmetic/arithmetic.hpp"

namespace countpm {

/// Keeps its tables between calls; one a thread.
class SmallPermanent {
 public:
  static constexpr Index most_rows = 16;

  /// Square, rows <= most_rows.
  mpq_class operator()(const SparseMatrix<std::int64_t>& matrix);
  mpq_class operator()(const SparseMatrix<mpq_class>& matrix);
  ComplexRational operator()(const SparseMatrix<ComplexRational>& matrix);

 private:
  std::vector<std::int64_t> words_;
  std::vector<int128> double_words_;
};

}  // namespace countpm
