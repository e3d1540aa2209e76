#pragma once
// Which columns `grouped` decides last, and what the rows look like on them.
#include <cstdint>
#include <vector>

#include "kernels/grouped/layout.hpp"
#include "kernels/subsets/integer_columns.hpp"
#include "kernels/subsets/subset_plan.hpp"

namespace countpm {

/// Columns without a twin on which every row has one value or zero: to be the last.
struct GroupedChoice {
  std::vector<Index> columns;  // the last decided first; empty where no column will do
  bool lanes = false;          // three columns that some GroupedLayout fits
};

/// Looks at some hundred triples for the cheapest layout; where none fits, takes up to five columns in turn.
/// Deterministic. form: what row sums are bounded by (row_divisors).
GroupedChoice choose_grouped_columns(const IntegerColumns<std::int64_t>& columns, RyserForm form);

/// What every sum of row i along a walk is a multiple of (1 for a row of zeros): per(columns) is the product
/// of these times that of the divided rows.
std::vector<std::int64_t> row_divisors(const IntegerColumns<std::int64_t>& columns, RyserForm form);

}  // namespace countpm
