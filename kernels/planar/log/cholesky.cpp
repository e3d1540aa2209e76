#include "kernels/planar/log/cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace countpm::planar {
namespace {

constexpr std::size_t panel_columns = cholesky_panel;
constexpr std::size_t tile_rows = 4;
constexpr std::size_t tile_columns = 8;
constexpr std::size_t strip_columns = 256;  // of the transposed panel, 96 KiB, stay in the second-level cache

/// target[i][j] -= sum over t of left[i][t] right[t][j] for one tile.
template <std::size_t Rows>
void update_tile(double* target, std::size_t stride, const double* left, std::size_t left_stride,
                 const double* right, std::size_t right_stride, std::size_t depth) {
  double sum[Rows][tile_columns] = {};
  for (std::size_t t = 0; t < depth; ++t) {
    const double* const r = right + t * right_stride;
    for (std::size_t i = 0; i < Rows; ++i) {
      const double l = left[i * left_stride + t];
      for (std::size_t j = 0; j < tile_columns; ++j) sum[i][j] += l * r[j];
    }
  }
  for (std::size_t i = 0; i < Rows; ++i) {
    for (std::size_t j = 0; j < tile_columns; ++j) target[i * stride + j] -= sum[i][j];
  }
}

class LowerElimination {
 public:
  LowerElimination(LowerFront& front, std::size_t pivots) : front_(front), pivots_(pivots) {}

  bool run(double* pivot) {
    for (std::size_t first = 0; first < pivots_; first += panel_columns) {
      const std::size_t last = std::min(first + panel_columns, pivots_);
      if (!panel(first, last, pivot)) return false;
      update(first, last);
    }
    return true;
  }

 private:
  bool panel(std::size_t first, std::size_t last, double* pivot) {
    for (std::size_t i = first; i < front_.size; ++i) {
      double* const row = front_.row(i);
      for (std::size_t j = first; j < std::min(i + 1, last); ++j) {
        const double* const other = front_.row(j);
        double rest = row[j];
        for (std::size_t t = first; t < j; ++t) rest -= row[t] * other[t];
        if (j < i) {
          row[j] = rest / other[j];
        } else {
          if (!(rest > 0)) return false;
          pivot[i] = rest;
          row[j] = std::sqrt(rest);
        }
      }
    }
    return true;
  }

  /// What lies beyond the panel, lower triangle; tiles that reach over the diagonal write above it, where
  /// nothing is read.
  void update(std::size_t first, std::size_t last) {
    const std::size_t n = front_.size;
    const std::size_t depth = last - first;
    for (std::size_t from = last; from < n; from += strip_columns) {
      const std::size_t to = std::min(from + strip_columns, n);
      const std::size_t stride = (to - from + tile_columns - 1) / tile_columns * tile_columns;
      transposed_.assign(depth * stride, 0);
      for (std::size_t j = from; j < to; ++j) {
        for (std::size_t t = 0; t < depth; ++t) transposed_[t * stride + j - from] = front_.row(j)[first + t];
      }
      std::size_t i = from;
      for (; i + tile_rows <= n; i += tile_rows) update_rows<tile_rows>(i, first, from, to, stride, depth);
      for (; i < n; ++i) update_rows<1>(i, first, from, to, stride, depth);
    }
  }

  template <std::size_t Rows>
  void update_rows(std::size_t i, std::size_t first, std::size_t from, std::size_t to, std::size_t stride,
                   std::size_t depth) {
    const std::size_t end = std::min(to, i + Rows);
    std::size_t j = from;
    for (; j < end && j + tile_columns <= front_.size; j += tile_columns) {
      update_tile<Rows>(front_.row(i) + j, front_.size, front_.row(i) + first, front_.size,
                        transposed_.data() + (j - from), stride, depth);
    }
    for (; j < end; ++j) {
      for (std::size_t r = 0; r < Rows; ++r) {
        double sum = 0;
        for (std::size_t t = 0; t < depth; ++t)
          sum += front_.row(i + r)[first + t] * front_.row(j)[first + t];
        front_.row(i + r)[j] -= sum;
      }
    }
  }

  LowerFront& front_;
  std::size_t pivots_;
  std::vector<double> transposed_;  // a strip of the panel: [panel's column][row]
};

}  // namespace

bool eliminate_lower_front(LowerFront& front, std::size_t pivots, double* pivot) {
  return LowerElimination(front, pivots).run(pivot);
}

}  // namespace countpm::planar
