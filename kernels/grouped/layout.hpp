#pragma once
// Which rows of a node are multiplied with which: the factors of grouped/simd.hpp.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/grouped/simd.hpp"

namespace countpm {

/// A row as the last three columns see it: |sum| <= bound; pattern: bit c for column c of the three.
struct GroupedRow {
  std::int64_t bound = 0;
  unsigned pattern = 0;
};

/// Rows in the order of the tables; `sign_row` stands for the row of +-1 that carries the subsets' signs.
struct GroupedLayout {
  static constexpr std::size_t sign_row = ~std::size_t{0};

  unsigned low_factors = 1;
  unsigned high_factors = 1;
  std::vector<grouped_lanes::Factor> factors;  // of types 00, 01, 10, 11
  std::vector<std::size_t> rows;               // and the sign row, the first of all

  /// Vector operations a node, by count: what layouts are compared by.
  double cost() const;
};

/// First fit by falling bound. Empty where the rows do not fit: a bound beyond 15 bits, or more factors than
/// there may be. `top`, `one`, `two`: which columns of the pattern are the third, and the last two. O(rows
/// log rows).
std::optional<GroupedLayout> lay_out_rows(const std::vector<GroupedRow>& rows, unsigned top = 2,
                                          unsigned one = 0, unsigned two = 1);

}  // namespace countpm
