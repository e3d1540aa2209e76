#pragma once
// What walks on a matrix read and write: the matrix as they see it, and their arrays.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/estimate/samples/sample_matrix.hpp"
#include "kernels/estimate/walks/bit_rows.hpp"
#include "kernels/estimate/walks/walk.hpp"

namespace countpm {

/// The matrix outlives it.
inline WalkMatrix walk_matrix_of(const SampleMatrix& matrix) {
  WalkMatrix view;
  view.size = matrix.rows.rows;
  view.row_start = matrix.rows.row_start.data();
  view.column = matrix.rows.column.data();
  view.weight = matrix.weight.empty() ? nullptr : matrix.weight.data();
  view.column_start = matrix.columns.row_start.data();
  view.row = matrix.columns.column.data();
  return view;
}

/// What a walk on n rows writes to.
struct WalkArrays {
  explicit WalkArrays(std::uint32_t n) : indices(4 * std::size_t{n} + 2), factors(3 * std::size_t{n}) {
    state.order = indices.data();
    state.position = state.order + n;
    state.degree = state.position + n;
    state.bin_start = state.degree + n;
    state.row_factor = factors.data();
    state.column_factor = state.row_factor + n;
    state.column_sum = state.column_factor + n;
  }
  std::vector<std::uint32_t> indices;
  std::vector<double> factors;
  WalkState state;
};

/// A 0-1 matrix as bit sets.
template <unsigned Words>
struct BitMatrixOf {
  explicit BitMatrixOf(const SampleMatrix& matrix)
      : rows(bit_rows<Words>(matrix.rows)),
        columns(bit_rows<Words>(matrix.columns)),
        degrees(degree_planes<Words>(matrix.rows)) {}
  BitMatrix<Words> view() const {
    return {rows.data(), columns.data(), degrees, static_cast<std::uint32_t>(rows.size())};
  }
  std::vector<BitSet<Words>> rows;
  std::vector<BitSet<Words>> columns;
  DegreePlanes<Words> degrees;
};

}  // namespace countpm
