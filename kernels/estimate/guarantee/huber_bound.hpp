#pragma once
// An upper bound on a permanent that nests: what rejection sampling with a guarantee stands on.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/guarantee/fitted_potentials.hpp"
#include "kernels/estimate/samples/sample_matrix.hpp"

namespace countpm {

/// Columns are eliminated in a fixed order, column j scaled by c_j > 0: x_ij = a_ij c_j. Row i has potentials
/// f_i(0) >= f_i(1) >= ... >= f_i(n) = 0, f_i(k) for the columns that come at step k or later:
///
///   f_i(k) = T(f_i(k+1), x_ij),  T(f, x) = x where x >= e f, else f exp(x / (e f)),  j the column of step k,
///
/// and U(R, k) = product of f_i(k) over the rows i in R. Then for every set R of rows
///
///   sum over i in R of x_ij U(R - i, k+1)  <=  U(R, k)                                        (nesting)
///
/// so that per(x) <= U(all rows, 0), and per(A) <= U / product of c. Proof. Let b_i = x_ij / f_i(k+1). With
/// two rows of f(k+1) = 0 in R the left side is 0; with one, i, it is x_ij U(R - i, k+1), and f_i(k) = x_ij.
/// Else divide by U(R, k+1): sum b_i <= product of m(b_i), m(b) = b for b >= e, else exp(b / e). Let s be the
/// sum of the b below e: without others s <= exp(s / e); with others their product is at least their sum B
/// >= e (all are at least 2), and B + s <= B (1 + s / e) <= B exp(s / e). No bound on the entries is needed.
/// T increases in f, so rounding f_i(k) up keeps every step valid.
///
/// For 0-1 entries and c = 1 this is Huber's bound in its sharpest form, with g(r) = g(r-1) exp(1 / g(r-1)),
/// g = e f, in place of an upper estimate of it; for other entries it depends on the order where the extended
/// bound sorts each row. log U - sum log c is convex in log c, so that descent finds the best scaling; the
/// order that puts columns of large c first is then the best that we found (sorted again until that holds).
/// On random matrices of density 0.2 and 50 rows U / per falls from 20,000 to 80. M. Huber, Exact sampling
/// from perfect matchings of dense regular bipartite graphs, Algorithmica 44 (2006); M. Huber, J. Law, Fast
/// approximation of the permanent for very dense problems, SODA 2008; J. Harviainen, M. Koivisto, A faster
/// practical approximation scheme for the permanent, AAAI 2023.
class HuberBound {
 public:
  /// 2048: the tables take 16 bytes for each pair of a row and a column.
  static constexpr std::uint32_t most_rows = 2048;

  /// Of the matrix or of its transpose, whichever has the smaller bound. Throws UnableError beyond most_rows.
  /// O(entries) a sweep, at most some thousand sweeps; O(size^2) memory.
  explicit HuberBound(const SampleMatrix& matrix);

  /// The same with potentials made for this matrix (fitted_potentials.hpp), which nest for all sets that a
  /// trial can have left, not for every set of rows; of the matrix or of its transpose. None where both have
  /// longer columns than that takes. `attempts` to improve the order; the same numbers lead to the same
  /// bound, on any number of threads. Some tenths of a second, and about a millisecond an attempt, of one
  /// thread. Throws Stopped.
  static std::optional<HuberBound> fitted(const SampleMatrix& matrix, std::uint64_t attempts,
                                          const StopSignal& stop, int threads = 1);
  /// What fitted() makes with so many attempts, from what it made without any. Precondition: of this matrix.
  HuberBound improved(const SampleMatrix& matrix, std::uint64_t attempts, const StopSignal& stop,
                      int threads = 1) const;

  std::uint32_t size() const { return size_; }
  /// Whether rows here are the matrix's columns.
  bool transposed() const { return transposed_; }
  /// The matrix's column (row, where transposed) that step k eliminates.
  std::uint32_t column_at(std::uint32_t step) const { return order_[step]; }
  /// x_ij for the column j of a step, exactly as the nesting holds for it; 0: no entry.
  double entry(std::uint32_t step, std::uint32_t row) const { return entry_[at(step, row)]; }
  /// f_row(step), 0 <= step <= size.
  double potential(std::uint32_t step, std::uint32_t row) const { return potential_[at(step, row)]; }
  /// The product of all c_j, to within size * 2^-52 of itself.
  const Scaled& scale() const { return scale_; }
  /// U(all rows, 0), likewise.
  Scaled product() const;
  /// log2 of a number above the permanent of the matrix, without its exponent.
  double log2_upper() const;

 private:
  /// From fitted potentials.
  HuberBound(const SampleMatrix& matrix, bool transposed, FittedPotentials fitted);
  std::size_t at(std::uint32_t step, std::uint32_t row) const { return std::size_t{step} * size_ + row; }
  void fill(const SparsePattern& rows, const std::vector<double>& weight,
            const std::vector<double>& log_scale);
  void fill(const SparsePattern& rows, const std::vector<double>& weight, const FittedPotentials& fitted);
  /// The largest share of nesting that a set of rows a trial can have at a step takes, of entries of the step
  /// not yet scaled.
  double most_excess(std::uint32_t step) const;
  /// Whether the row has no entry before that step. Precondition: it has one there.
  bool begins_at(std::uint32_t step, std::uint32_t row) const;

  std::uint32_t size_ = 0;
  bool transposed_ = false;
  std::vector<std::uint32_t> order_;
  std::vector<double> entry_;
  std::vector<double> potential_;
  Scaled scale_;
  std::optional<FittedPotentials> fitted_;  // where they were
};

}  // namespace countpm
