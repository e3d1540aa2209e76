#include "kernels/estimate/boundary/small_matrices.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace countpm {
namespace {

constexpr double rank_tolerance = 1e-13;
constexpr double angle_tolerance = 1e-11;
constexpr int most_rotation_sweeps = 30;
// Rows whose squares are so far below the largest are rounding.
constexpr double negligible_square = 1e-30;

// Sums in lanes, which any SIMD unit adds up in the same order.
template <class Real>
Real sum_of_products(const Real* x, const Real* y, std::size_t size) {
  constexpr std::size_t lanes = 8;
  Real sum[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sum[lane] += x[i + lane] * y[i + lane];
  }
  for (std::size_t lane = 0; i < size; ++i, ++lane) sum[lane] += x[i] * y[i];
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

void add_multiple(double factor, const double* x, double* to, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) to[i] += factor * x[i];
}

/// Turns both rows by an angle so that they become orthogonal; false where they are.
bool rotate(double* x, double* y, std::size_t size, double negligible) {
  const double a = dot(x, x, size);
  const double b = dot(y, y, size);
  if (a <= negligible || b <= negligible) return false;
  const double both = dot(x, y, size);
  if (std::abs(both) <= angle_tolerance * std::sqrt(a * b)) return false;
  const double zeta = (b - a) / (2 * both);
  const double tangent = (zeta >= 0 ? 1 : -1) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
  const double cosine = 1 / std::sqrt(1 + tangent * tangent);
  const double sine = cosine * tangent;
  for (std::size_t i = 0; i < size; ++i) {
    const double old = x[i];
    x[i] = cosine * old - sine * y[i];
    y[i] = sine * old + cosine * y[i];
  }
  return true;
}

}  // namespace

double dot(const double* x, const double* y, std::size_t size) {
  return sum_of_products(x, y, size);
}
float dot(const float* x, const float* y, std::size_t size) {
  return sum_of_products(x, y, size);
}

SmallMatrix transposed(const SmallMatrix& matrix) {
  SmallMatrix result(matrix.columns, matrix.rows);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < matrix.columns; ++j) result.row(j)[i] = matrix.row(i)[j];
  }
  return result;
}

SmallMatrix product(const SmallMatrix& a, const SmallMatrix& b) {
  SmallMatrix result(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t k = 0; k < a.columns; ++k) {
      if (a.row(i)[k] != 0) add_multiple(a.row(i)[k], b.row(k), result.row(i), b.columns);
    }
  }
  return result;
}

MatrixFactors orthonormal_rows(const SmallMatrix& matrix) {
  const std::size_t columns = matrix.columns;
  double largest = 0;
  for (std::size_t i = 0; i < matrix.rows; ++i)
    largest = std::max(largest, std::sqrt(dot(matrix.row(i), matrix.row(i), columns)));
  MatrixFactors result;
  SmallMatrix& right = result.right;
  right.columns = columns;
  const std::size_t most = std::min(matrix.rows, columns);
  SmallMatrix left(matrix.rows, most);
  std::vector<double> rest(columns);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    rest.assign(matrix.row(i), matrix.row(i) + columns);
    for (int time = 0; time < 2; ++time) {
      for (std::size_t k = 0; k < right.rows; ++k) {
        const double part = dot(right.row(k), rest.data(), columns);
        left.row(i)[k] += part;
        add_multiple(-part, right.row(k), rest.data(), columns);
      }
    }
    const double norm = std::sqrt(dot(rest.data(), rest.data(), columns));
    if (right.rows == most || !(norm > rank_tolerance * largest)) continue;
    left.row(i)[right.rows] = norm;
    for (double& x : rest) x /= norm;
    right.value.insert(right.value.end(), rest.begin(), rest.end());
    ++right.rows;
  }
  if (right.rows == 0) {  // of zeros
    right = SmallMatrix(1, columns);
    right.value.front() = 1;
  }
  result.left = SmallMatrix(matrix.rows, right.rows);
  for (std::size_t i = 0; i < matrix.rows; ++i)
    std::copy_n(left.row(i), std::min(right.rows, most), result.left.row(i));
  return result;
}

MatrixFactors nearest_of_rank(const SmallMatrix& matrix, std::size_t most, double least) {
  SmallMatrix turned = matrix;
  const std::size_t rows = matrix.rows;
  const std::size_t columns = matrix.columns;
  std::vector<double> square(rows);
  double work = 0;
  for (int sweep = 0; sweep < most_rotation_sweeps; ++sweep) {
    double largest = 0;
    for (std::size_t i = 0; i < rows; ++i)
      largest = std::max(largest, dot(turned.row(i), turned.row(i), columns));
    bool turning = false;
    work += 2.0 * static_cast<double>(rows * rows * columns);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = i + 1; k < rows; ++k)
        turning = rotate(turned.row(i), turned.row(k), columns, negligible_square * largest) || turning;
    }
    if (!turning) break;
  }
  for (std::size_t i = 0; i < rows; ++i) square[i] = dot(turned.row(i), turned.row(i), columns);
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
  result.right = SmallMatrix(kept, columns);
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
