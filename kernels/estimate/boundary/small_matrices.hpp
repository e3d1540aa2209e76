#pragma once
// Factorisations of small dense matrices, as matrix-product states need them: every operation in the same
// order on every machine.
#include <cstddef>
#include <vector>

namespace countpm {

/// Row by row.
struct RealMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> value;

  RealMatrix() = default;
  RealMatrix(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), value(row_count * column_count, 0.0) {}
  double* row(std::size_t i) { return value.data() + i * columns; }
  const double* row(std::size_t i) const { return value.data() + i * columns; }
};

/// sum x_i y_i, i < size.
float dot(const float* x, const float* y, std::size_t size);

/// A row of so many numbers times a matrix (rows x columns, row by row), and such a matrix times a column.
void row_times(const float* row, const float* matrix, std::size_t rows, std::size_t columns, float* result);
void times_column(const float* matrix, const float* column, std::size_t rows, std::size_t columns,
                  float* result);

RealMatrix transposed(const RealMatrix& matrix);
RealMatrix product(const RealMatrix& a, const RealMatrix& b);

/// matrix = left * right, the rows of `right` orthonormal: as many as the rank, at least one.
struct MatrixFactors {
  RealMatrix left;
  RealMatrix right;
  double lost = 0;  // where the product is no more than near: the share of the sum of all squares
  double work = 0;  // about how many multiplications it took
};

/// By Gram and Schmidt's process, done twice. O(rows^2 * columns).
MatrixFactors orthonormal_rows(const RealMatrix& matrix);

/// The `most` largest singular values, and of these none below `least` times the largest: the nearest matrix
/// of that rank. By Hestenes' one-sided Jacobi rotations. O(rows^2 * columns) a sweep. M. R. Hestenes,
/// Inversion of matrices by biorthogonalization and related results, J. SIAM 6 (1958).
MatrixFactors nearest_of_rank(const RealMatrix& matrix, std::size_t most, double least);

}  // namespace countpm
