#pragma once
// The squared absolute value of a determinant of real numbers, complex numbers or quaternions, by Gaussian
// elimination with partial pivoting in doubles. Written once for the CPU and for CUDA: no allocation, no
// library call beyond arithmetic.
//
// Entries have D = 1, 2 or 4 components. Row i becomes row i - l row k with l = a_ik / a_kk from the left,
// which leaves Dieudonne's determinant of quaternions as it is: its square is the product of the squared
// absolute values of the pivots, and the determinant of the complex matrix of twice the size that the
// quaternions stand for. J. Dieudonne, Les determinants sur un corps non commutatif, Bull. Soc. Math. France
// 71 (1943); E. Study (1920).
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/arithmetic/scaled.hpp"

namespace countpm {

/// size x size; component c of row i begins at values + (order[i] * D + c) * size. Rows are exchanged in
/// `order`.
template <unsigned D>
struct DenseMatrix {
  double* values = nullptr;        // size * size * D
  std::uint32_t* order = nullptr;  // size
  std::uint32_t size = 0;

  COUNTPM_HD double* row(std::uint32_t i, unsigned c) const {
    return values + (static_cast<std::uint64_t>(order[i]) * D + c) * size;
  }
};

/// The sign of unit c's share in (unit c^e) * (unit e), of 1, i, j, k.
template <unsigned D>
COUNTPM_HD double unit_sign(unsigned c, unsigned e) {
  constexpr unsigned negative = 0x284eU;  // bit 4 c + e
  return (negative >> (4 * c + e) & 1U) != 0 ? -1.0 : 1.0;
}

/// `left` x as a matrix over the components of x.
template <unsigned D>
struct LeftFactor {
  double by[D][D];

  COUNTPM_HD explicit LeftFactor(const double (&left)[D]) {
    for (unsigned c = 0; c < D; ++c)
      for (unsigned e = 0; e < D; ++e) by[c][e] = unit_sign<D>(c, e) * left[c ^ e];
  }
};

/// The arithmetic of entries, in this order of operations everywhere: other kernels than the one below round
/// alike. -0 and +0 may differ, which no square tells.
template <unsigned D>
COUNTPM_HD double squared(const double (&entry)[D]) {
  double sum = 0;
  for (unsigned c = 0; c < D; ++c) sum += entry[c] * entry[c];
  return sum;
}
/// Precondition: square is squared(entry).
template <unsigned D>
COUNTPM_HD void invert(const double (&entry)[D], double square, double (&inverse)[D]) {
  for (unsigned c = 0; c < D; ++c) inverse[c] = (c == 0 ? 1 : -1) * entry[c] / square;
}
/// left times right.
template <unsigned D>
COUNTPM_HD void multiply(const double (&left)[D], const double (&right)[D], double (&product)[D]) {
  COUNTPM_UNROLL
  for (unsigned c = 0; c < D; ++c) {
    double sum = 0;
    COUNTPM_UNROLL
    for (unsigned e = 0; e < D; ++e) sum += unit_sign<D>(c, e) * left[c ^ e] * right[e];
    product[c] = sum;
  }
}
/// from - left times right.
template <unsigned D>
COUNTPM_HD void subtract_product(double (&from)[D], const double (&left)[D], const double (&right)[D]) {
  COUNTPM_UNROLL
  for (unsigned c = 0; c < D; ++c) {
    COUNTPM_UNROLL
    for (unsigned e = 0; e < D; ++e) from[c] -= unit_sign<D>(c, e) * left[c ^ e] * right[e];
  }
}

/// Row i - sum over the K columns k, ... of (entry i, k) * row k, from column `first` to `end`.
template <unsigned D, unsigned K>
COUNTPM_HD void subtract_rows(const DenseMatrix<D>& matrix, std::uint32_t i, std::uint32_t k,
                              std::uint32_t first, std::uint32_t end) {
  double by[K][D][D];
  const double* from[K][D];
  double* to[D];
  for (unsigned c = 0; c < D; ++c) to[c] = matrix.row(i, c);
  for (unsigned m = 0; m < K; ++m) {
    double left[D];
    for (unsigned c = 0; c < D; ++c) {
      left[c] = to[c][k + m];
      from[m][c] = matrix.row(k + m, c);
    }
    const LeftFactor<D> factor(left);
    for (unsigned c = 0; c < D; ++c)
      for (unsigned e = 0; e < D; ++e) by[m][c][e] = factor.by[c][e];
  }
  for (unsigned c = 0; c < D; ++c) {
    double* __restrict into = to[c];
    for (std::uint32_t j = first; j < end; ++j) {
      double sum = into[j];
      COUNTPM_UNROLL
      for (unsigned m = 0; m < K; ++m) {
        COUNTPM_UNROLL
        for (unsigned e = 0; e < D; ++e) sum -= by[m][c][e] * from[m][e][j];
      }
      into[j] = sum;
    }
  }
}

/// So many columns are eliminated together, and their rows taken from the others a tile of columns at a time:
/// both stay in the nearest cache.
constexpr std::uint32_t panel_columns = 32;
constexpr std::uint32_t tile_columns = 128;

/// Brings the largest entry of column k to row k, multiplies its squared absolute value into `product`, and
/// eliminates the column from the rows below, up to column `end`. False where the largest entry is at most
/// `least_square` squared: the column is a combination of those before.
template <unsigned D>
COUNTPM_HD bool eliminate_column(const DenseMatrix<D>& matrix, std::uint32_t k, std::uint32_t end,
                                 double least_square, Scaled& product) {
  const auto entry_of = [&](std::uint32_t i, double(&entry)[D]) {
    for (unsigned c = 0; c < D; ++c) entry[c] = matrix.row(i, c)[k];
  };
  const auto square = [&](std::uint32_t i) {
    double entry[D];
    entry_of(i, entry);
    return squared<D>(entry);
  };
  std::uint32_t best = k;
  double largest = square(k);
  for (std::uint32_t i = k + 1; i < matrix.size; ++i) {
    const double other = square(i);
    if (other > largest) largest = other, best = i;
  }
  if (!(largest > least_square)) return false;
  const std::uint32_t row = matrix.order[best];
  matrix.order[best] = matrix.order[k];
  matrix.order[k] = row;
  product.multiply(largest);
  double pivot[D];
  double inverse[D];
  entry_of(k, pivot);
  invert<D>(pivot, largest, inverse);
  for (std::uint32_t i = k + 1; i < matrix.size; ++i) {
    double entry[D];
    entry_of(i, entry);
    bool zero = true;
    for (unsigned c = 0; c < D; ++c) zero = zero && entry[c] == 0;
    if (zero) continue;
    double left[D];
    multiply<D>(entry, inverse, left);
    for (unsigned c = 0; c < D; ++c) matrix.row(i, c)[k] = left[c];
    subtract_rows<D, 1>(matrix, i, k, k + 1, end);
  }
  return true;
}

/// Columns first .. end - 1 are eliminated, and their rows taken from all rows below in the columns that
/// follow. look() is called at least once in size * panel_columns * D * D multiplications.
template <unsigned D, class Look>
COUNTPM_HD bool eliminate_panel(const DenseMatrix<D>& matrix, std::uint32_t first, std::uint32_t end,
                                double least_square, Scaled& product, const Look& look) {
  for (std::uint32_t k = first; k < end; ++k) {
    look();
    if (!eliminate_column(matrix, k, end, least_square, product)) return false;
  }
  constexpr unsigned together = 4 / D;
  for (std::uint32_t tile = end; tile < matrix.size; tile += tile_columns) {
    const std::uint32_t tile_end = tile + tile_columns < matrix.size ? tile + tile_columns : matrix.size;
    for (std::uint32_t i = first + 1; i < matrix.size; ++i) {
      look();
      const std::uint32_t above = i < end ? i : end;
      std::uint32_t k = first;
      for (; k + together <= above; k += together) subtract_rows<D, together>(matrix, i, k, tile, tile_end);
      for (; k < above; ++k) subtract_rows<D, 1>(matrix, i, k, tile, tile_end);
    }
  }
  return true;
}

}  // namespace countpm
