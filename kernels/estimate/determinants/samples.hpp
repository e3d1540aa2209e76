#pragma once
// Samples of a permanent that are squared determinants of random matrices.
//
// b_ij = w_ij sqrt(a_ij) with independent units w_ij of mean 0 gives E[|det B|^2] = per(A): in the product of
// two terms of the determinant every entry of one that is not in the other leaves a factor E[w] = 0. With w =
// +-1 the second moment is at most 3^(n/2) times the squared mean, with the fourth roots of unity, for which
// E[w^2] = 0, too, 2^(n/2), and with quaternions +-1, +-i, +-j, +-k and Dieudonne's determinant (3/2)^(n/2)
// times: more exactly 3^c, 2^c, (3/2)^c averaged over pairs of terms, c the cycles of more than two entries
// in their union.
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/estimate/samples/sample_matrix.hpp"
#include "kernels/method.hpp"

namespace countpm {

enum class UnitKind { real = 1, complex = 2, quaternion = 4 };

/// Sampling is O(n^3) with 2/3, 8/3 or 32/3 n^3 operations, in doubles. Before, rows and columns are scaled
/// by powers of two so that they add up to about 1 (Sinkhorn's scaling, rounded); these factors leave the
/// permanent exactly.
///
/// Rounding. What is computed is the determinant of B + E exactly, but for relative 2n roundings, with |e_ij|
/// below some n 2^-52 g, g the growth of entries in partial pivoting (N. J. Higham, Accuracy and Stability of
/// Numerical Algorithms, theorem 9.3; seldom above n^(2/3)). As B's minors are uncorrelated, the expected
/// square of what E changes is about the sum of e_ij^2 per(A_ij) over the minors A_ij, which for entries of A
/// add up to n per(A): a relative error of the mean of about n^2 2^-52 g, 10^-8 for 1000 rows and never near
/// a sampling error that can be reached. A sample whose pivots fall below n 2^-48 counts as 0: it is one of a
/// singular matrix within E.
///
/// Sources: C. D. Godsil, I. Gutman, On the matching polynomial of a graph (1981); N. Karmarkar, R. Karp, R.
/// Lipton, L. Lovasz, M. Luby, A Monte-Carlo algorithm for estimating the permanent, SIAM J. Comput. 22
/// (1993); S. Chien, L. Rasmussen, A. Sinclair, Clifford algebras and approximating the permanent, J. Comput.
/// Syst. Sci. 67 (2003).
class DeterminantSamples {
 public:
  static constexpr std::uint32_t most_rows = 1024;

  /// Throws UnableError above most_rows, and where no scaling by powers of two balances the weights.
  DeterminantSamples(const SampleMatrix& matrix, UnitKind kind);

  // What kernels for GPUs need: entry k of pattern() is a random unit times roots()[k].
  UnitKind kind() const { return kind_; }
  const SparsePattern& pattern() const { return rows_; }
  const std::vector<double>& roots() const { return root_; }
  std::int64_t exponent() const { return exponent_; }  // of the factors of the scaling: a sample's
  double least_square() const;                         // of a pivot; those below make a sample 0

  /// What a thread needs: size^2 numbers of 1, 2 or 4 doubles.
  struct Workspace {
    std::vector<double> values;
    std::vector<std::uint32_t> order;
  };
  Workspace workspace() const;

  /// One sample, with the factors of the scaling taken out: its mean is the permanent of `matrix` (without
  /// SampleMatrix::exponent). Throws Stopped.
  Scaled sample(CounterRandom& random, Workspace& workspace, const StopSignal& stop) const;

 private:
  template <unsigned D>
  Scaled sample(CounterRandom& random, Workspace& workspace, const StopSignal& stop) const;
  void balance(const SampleMatrix& matrix);

  UnitKind kind_;
  SparsePattern rows_;
  std::vector<double> root_;  // of the scaled weights, beside rows_.column
  std::int64_t exponent_ = 0;
};

}  // namespace countpm
