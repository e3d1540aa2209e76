#pragma once
// Loops over vectors of doubles and floats, compiled three times (baseline, AVX2, AVX-512): sums are added up
// in 8 lanes and products never contracted, so that all three give the same bits. Plain data only and no
// standard library: an inline function of the library compiled here with -mavx512f could be the copy that the
// linker keeps for everyone.
#include <cstdint>

namespace countpm::boundary_vectors {

using Size = std::uint64_t;

/// Matrices are row by row.
struct Code {
  /// sum x_i y_i, i < size.
  double (*dot)(const double* x, const double* y, Size size);
  float (*dot_of_floats)(const float* x, const float* y, Size size);
  /// a (rows x between) b (between x columns), added to `result`.
  void (*add_product)(const double* a, const double* b, Size rows, Size between, Size columns,
                      double* result);
  /// Takes from `rest` what lies along each of the orthonormal rows, and adds how much that is to `part`.
  void (*take_out)(const double* row, Size rows, Size columns, double* rest, double* part);
  /// Turns every two rows by an angle so that they become orthogonal; false where all are, up to `tolerance`
  /// times their lengths or where one is negligible. square: of every row the sum of squares, kept up to
  /// date, but for rounding.
  bool (*rotate_all)(double* value, Size rows, Size columns, double* square, double negligible,
                     double tolerance);
  /// row (rows) matrix (rows x columns), and matrix column.
  void (*row_times)(const float* row, const float* matrix, Size rows, Size columns, float* result);
  void (*times_column)(const float* matrix, const float* column, Size rows, Size columns, float* result);
};

namespace baseline {
extern const Code code;
}
namespace avx2 {
extern const Code code;
}
namespace avx512 {
extern const Code code;
}

}  // namespace countpm::boundary_vectors
