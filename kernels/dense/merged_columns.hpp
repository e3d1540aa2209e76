#pragma once
// Which columns `merged` decides last, and what the rows look like on them.
#include <cstdint>
#include <vector>

#include "kernels/dense/merged_layout.hpp"
#include "kernels/exact/integer_columns.hpp"
#include "kernels/exact/subset_plan.hpp"

namespace countpm {

/// Columns without a twin on which every row has one value or zero: to be merged.
struct MergedChoice {
  std::vector<Index> columns;  // the last decided first; empty where no column will do
  bool lanes = false;          // three columns that some MergedLayout fits
};

/// Looks at some hundred triples for the cheapest layout; where none fits, takes up to five columns in turn.
/// Deterministic. shift: what row sums are bounded by (row_divisors).
MergedChoice choose_merged_columns(const IntegerColumns<std::int64_t>& columns, Shift shift);

/// What every sum of row i along a walk is a multiple of (1 for a row of zeros): per(columns) is the product
/// of these times that of the divided rows.
std::vector<std::int64_t> row_divisors(const IntegerColumns<std::int64_t>& columns, Shift shift);

}  // namespace countpm
