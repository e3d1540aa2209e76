#pragma once
// Dense Cholesky elimination of the first rows of a front in doubles.
#include <cstddef>
#include <vector>

namespace countpm::planar {

/// So many columns are eliminated at a time: sums of that many terms are subtracted at once.
inline constexpr std::size_t cholesky_panel = 48;

/// The lower triangle of a symmetric matrix, row by row in a square.
struct LowerFront {
  std::vector<double> value;
  std::size_t size = 0;

  double* row(std::size_t i) { return value.data() + i * size; }
};

/// Eliminates rows and columns 0 .. pivots - 1: their squared pivots d_k (det of the leading part is their
/// product) go to `pivot`, the rest of the front becomes the Schur complement. False where a pivot is not
/// positive. In panels; O(pivots size^2).
bool eliminate_lower_front(LowerFront& front, std::size_t pivots, double* pivot);

}  // namespace countpm::planar
