#pragma once
// The loops of a fit (count_fit.hpp, fit_guess.hpp) over vectors of floats, doubles and integers, compiled
// three times (baseline, AVX2, AVX-512): every sum is added up in the same order, and products are never
// contracted, so that all three give the same bits. Plain data only and no standard library: an inline
// function of the library compiled here with -mavx512f could be the copy that the linker keeps for everyone.
#include <cstdint>

namespace countpm::fit_loops {

using Size = std::uint64_t;
using Word = std::uint64_t;

/// So many states go together, and rows of floats are as long as a multiple of so many.
inline constexpr Size lanes = 64;
inline constexpr Size row_unit = 16;

/// A number of every state.
struct Lanes {
  int lane[lanes];
};

/// Of states that have all three columns; a column may be named more than once.
struct Term {
  unsigned column[3];
  int exponent;
};

struct Code {
  /// mask[k] = -1 where a bit of the k-th of `lanes` words is set, else 0.
  void (*expand)(const Word* word, unsigned bit, int* mask);
  /// Adds each term's exponent to the sums of those of the states that have its columns: mask[c] is -1 for
  /// those that have column c, else 0.
  void (*add_terms)(const Term* terms, Size count, const Lanes* mask, int* sums);
  /// matrix[f][..f] += row[..f] for the f of a list, as far as a multiple of row_unit beyond f; rows of the
  /// matrix are `stride` long.
  void (*add_rows)(const unsigned* list, Size count, const float* row, Size stride, float* matrix);
  /// sum x_i y_i, i < size, a multiple of row_unit.
  float (*dot)(const float* x, const float* y, Size size);
  /// to_i += factor x_i.
  void (*add_multiple)(float factor, const float* x, Size size, float* to);
  /// e^x_i, |x_i| <= 200, to 1e-15 or so.
  void (*exponentials)(const double* x, Size size, double* result);
  /// A = U^T U, A symmetric, of which the upper half is given; U takes its place. False where A is not
  /// positive definite.
  bool (*factorise)(double* matrix, Size size, Size stride);
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

}  // namespace countpm::fit_loops
