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
// The error is a bound of what all roundings come to, weighed by the inverse of K K^T that was eliminated
// (log_elimination.hpp); it would fail only if 32 pseudo-random vectors were all nearly orthogonal to it,
// with a probability below 10^-9. Where doubles leave it above 10^-10 a row (10^-9 in all), the same is done
// with pairs of doubles, then with MPFR numbers of as many bits as it takes: K K^T squares the condition of
// K, and frozen regions or weights far apart make that grow exponentially. O(n^1.5) time, O(n log n) memory.
#include <cstdint>

#include "kernels/method.hpp"
#include "kernels/planar/orientation/signed_matrix.hpp"

namespace countpm::planar {

struct LogDeterminant {
  double ln = 0;     // of the absolute value
  double error = 0;  // at most, absolute; infinity where rounding leaves nothing, or the determinant is 0
};

struct LogDeterminantLimits {
  int threads = 1;  // of log_condensation(): two do both eliminations side by side
  std::uint64_t memory_bytes = ~std::uint64_t{0};

  /// Throws UnableError where an elimination takes more.
  void refuse_beyond(double bytes) const;
};

/// Precondition: the graph has a perfect matching. Throws Stopped, and UnableError where the memory does not
/// suffice.
LogDeterminant log_determinant(const SignedMatrix& matrix, const LogDeterminantLimits& limits,
                               const StopSignal& stop);

}  // namespace countpm::planar
