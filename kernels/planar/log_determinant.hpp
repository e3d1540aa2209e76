#pragma once
// ln |det|, or ln |Pf|, of an oriented planar graph's matrix in doubles: ln Z without the digits of Z.
//
//   2 ln |det K| = ln det(K K^T),   4 ln |Pf K| = ln det(K K^T)
//
// K K^T is symmetric and positive definite, so that its Cholesky elimination is stable in whatever order:
// nested dissection, front by front (front_tree.hpp), with no pivots to look for (N. J. Higham, Accuracy and
// Stability of Numerical Algorithms, section 10.1). The rows are scaled by powers of two first. K K^T joins
// rows that share a column; on the square lattice it is the Laplacian of two lattices of half the vertices
// (R. Kenyon, Ann. Inst. H. Poincare 33 (1997) 591).
//
// The error is an estimate, no bound: the elimination is done twice, the second time with K^T in place of K,
// every line scaled by another factor between 1 and 2 (their logarithms taken off again), and another
// elimination order, so that no rounding is the same; four times the difference of the two results, and what
// 64 roundings of the result come to, is what is told. O(n^1.5) time, O(n log n) memory.
#include <cstdint>
#include <functional>

#include "kernels/method.hpp"
#include "kernels/planar/signed_matrix.hpp"

namespace countpm::planar {

struct LogDeterminant {
  double ln = 0;     // of the absolute value
  double error = 0;  // estimated, absolute; infinity where a pivot was not positive: rounding leaves nothing
};

struct LogDeterminantLimits {
  int threads = 1;  // two do both eliminations side by side
  std::uint64_t memory_bytes = ~std::uint64_t{0};

  /// Throws UnableError where so many for each elimination are too many.
  void refuse_beyond(double doubles) const;
};

/// Of a logarithm that is computed twice, so that no rounding is the same: the first, with the error that the
/// difference suggests. Not a number: an elimination that came to no end.
LogDeterminant log_of_two(const LogDeterminantLimits& limits, const StopSignal& stop,
                          const std::function<double(bool second)>& eliminate);

/// Precondition: the graph has a perfect matching. Throws Stopped, and UnableError where the memory does not
/// suffice.
LogDeterminant log_determinant(const SignedMatrix& matrix, const LogDeterminantLimits& limits,
                               const StopSignal& stop);

}  // namespace countpm::planar
