#include "kernels/estimate/boundary/small_matrices.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "kernels/estimate/boundary/vectors.hpp"
#include "kernels/support/instruction_sets.hpp"

namespace countpm {
namespace {

constexpr double rank_tolerance = 1e-13;
constexpr double angle_tolerance = 1e-11;
constexpr int most_rotation_sweeps = 30;
// Rows whose squares are so far below the largest are rounding.
constexpr double negligible_square = 1e-30;

const boundary_vectors::Code& widest_vectors() {
#ifdef __x86_64__
  if (processor_has(InstructionSet::avx512)) return boundary_vectors::avx512::code;
  if (processor_has(InstructionSet::avx2)) return boundary_vectors::avx2::code;
#endif
  return boundary_vectors::baseline::code;
}

const boundary_vectors::Code& vectors() {
  static const boundary_vectors::Code& widest = widest_vectors();
  return widest;
}

double sum_of_squares(const double* x, std::size_t size) {
  return vectors().dot(x, x, size);
}

}  // namespace

float dot(const float* x, const float* y, std::size_t size) {
  return vectors().dot_of_floats(x, y, size);
}
void row_times(const float* row, const float* matrix, std::size_t rows, std::size_t columns, float* result) {
  vectors().row_times(row, matrix, rows, columns, result);
}
void times_column(const float* matrix, const float* column, std::size_t rows, std::size_t columns,
                  float* result) {
  vectors().times_column(matrix, column, rows, columns, result);
}

RealMatrix transposed(const RealMatrix& matrix) {
  RealMatrix result(matrix.columns, matrix.rows);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < matrix.columns; ++j) result.row(j)[i] = matrix.row(i)[j];
  }
  return result;
}

RealMatrix product(const RealMatrix& a, const RealMatrix& b) {
  RealMatrix result(a.rows, b.columns);
  vectors().add_product(a.value.data(), b.value.data(), a.rows, a.columns, b.columns, result.value.data());
  return result;
}

MatrixFactors orthonormal_rows(const RealMatrix& matrix) {
  const std::size_t columns = matrix.columns;
  double largest = 0;
  for (std::size_t i = 0; i < matrix.rows; ++i)
    largest = std::max(largest, std::sqrt(sum_of_squares(matrix.row(i), columns)));
  MatrixFactors result;
  RealMatrix& right = result.right;
  right.columns = columns;
  const std::size_t most = std::min(matrix.rows, columns);
  RealMatrix left(matrix.rows, most);
  std::vector<double> rest(columns);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    rest.assign(matrix.row(i), matrix.row(i) + columns);
    for (int time = 0; time < 2; ++time)
      vectors().take_out(right.value.data(), right.rows, columns, rest.data(), left.row(i));
    const double norm = std::sqrt(sum_of_squares(rest.data(), columns));
    if (right.rows == most || !(norm > rank_tolerance * largest)) continue;
    left.row(i)[right.rows] = norm;
    for (double& x : rest) x /= norm;
    right.value.insert(right.value.end(), rest.begin(), rest.end());
    ++right.rows;
  }
  if (right.rows == 0) {  // of zeros
    right = RealMatrix(1, columns);
    right.value.front() = 1;
  }
  result.left = RealMatrix(matrix.rows, right.rows);
  for (std::size_t i = 0; i < matrix.rows; ++i)
    std::copy_n(left.row(i), std::min(right.rows, most), result.left.row(i));
  return result;
}

MatrixFactors nearest_of_rank(const RealMatrix& matrix, std::size_t most, double least) {
  RealMatrix turned = matrix;
  const std::size_t rows = matrix.rows;
  const std::size_t columns = matrix.columns;
  std::vector<double> square(rows);
  double work = 0;
  for (int sweep = 0; sweep < most_rotation_sweeps; ++sweep) {
    for (std::size_t i = 0; i < rows; ++i) square[i] = sum_of_squares(turned.row(i), columns);
    const double largest = *std::max_element(square.begin(), square.end());
    work += 2.0 * static_cast<double>(rows * rows * columns);
    if (!vectors().rotate_all(turned.value.data(), rows, columns, square.data(), negligible_square * largest,
                              angle_tolerance))
      break;
  }
  for (std::size_t i = 0; i < rows; ++i) square[i] = sum_of_squares(turned.row(i), columns);
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return square[a] != square[b] ? square[a] > square[b] : a < b;
  });
  std::size_t kept = 1;
  while (kept < std::min({most, rows, columns}) && square[order[kept]] > least * least * square[order[0]])
    ++kept;
  MatrixFactors result;
  double whole = 0;
  for (std::size_t k = rows; k-- > 0;) {  // the small ones first
    if (k + 1 == kept) result.lost = whole;
    whole += square[order[k]];
  }
  result.work = work + static_cast<double>(rows * columns * kept);
  result.lost = whole > 0 ? result.lost / whole : 0;
  result.right = RealMatrix(kept, columns);
  for (std::size_t k = 0; k < kept; ++k) {
    const double norm = std::sqrt(square[order[k]]);
    if (!(norm > 0)) {  // of zeros
      result.right.row(k)[0] = 1;
      continue;
    }
    for (std::size_t j = 0; j < columns; ++j) result.right.row(k)[j] = turned.row(order[k])[j] / norm;
  }
  result.left = product(matrix, transposed(result.right));
  return result;
}

}  // namespace countpm
