#pragma once
// The permanent or hafnian of a small dense matrix in the caller's memory, without a graph or a plan: where
// those would take ten times as long as the sum.
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "kernels/doubles/small_sums.hpp"
#include "src/api/value.hpp"

namespace countpm {

enum class MatrixSum : std::uint8_t { permanent, hafnian, loop_hafnian };

/// rows x columns numbers, row by row. Complex ones are (re, im) after (re, im).
struct SmallMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool complex = false;  // of doubles
  std::variant<std::span<const std::int64_t>, std::span<const double>> entries;
};
/// Larger ones are for a plan.
inline constexpr std::size_t most_direct_rows = 32;

/// Of a square, or a permanent over the injections of the shorter side (src/count/small_rectangle.hpp).
/// Exact of integers, else with a proven bound on the error of at most 2^-50 of the sum. Counted twice, of
/// the transposed matrix, or with the lines backwards, but for doubles of more than 9 rows; throws CheckError
/// where the two differ.
/// Nothing where that is not to be had at once: of larger matrices, of hafnians of matrices that are not
/// symmetric, of entries that are not finite, where a sum of doubles is 0 or cancels, and on processors
/// without AVX2 but of rectangles.
std::optional<std::variant<mpz_class, SmallSum>> small_matrix_sum(const SmallMatrix& matrix, MatrixSum sum);

}  // namespace countpm
