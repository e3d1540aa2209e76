#pragma once
// 0-1 matrices made ready for bit_walk.hpp.
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "kernels/estimate/walks/bit_walk.hpp"

namespace countpm {

/// Precondition: at most 64 * Words columns.
template <unsigned Words>
std::vector<BitSet<Words>> bit_rows(const SparsePattern& pattern) {
  std::vector<BitSet<Words>> rows(pattern.rows);
  for (Index i = 0; i < pattern.rows; ++i) {
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k)
      rows[i].flip(pattern.column[k]);
  }
  return rows;
}

/// Precondition: at most 64 * Words rows and columns.
template <unsigned Words>
DegreePlanes<Words> degree_planes(const SparsePattern& pattern) {
  DegreePlanes<Words> degrees;
  for (Index i = 0; i < pattern.rows; ++i) {
    const std::uint64_t degree = pattern.row_start[i + std::uint64_t{1}] - pattern.row_start[i];
    for (unsigned p = 0; p < DegreePlanes<Words>::planes; ++p) {
      if ((degree >> p & 1) != 0) degrees.plane[p].flip(i);
    }
  }
  return degrees;
}

}  // namespace countpm
