#pragma once
// A matrix with its equal rows taken together, as its equal columns are.
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/weight.hpp"
#include "matching/block.hpp"

namespace countpm {

/// A matrix without its equal lines: row i stands power[i] times, and column j copies[j] times.
struct FactorMatrix {
  bool complex = false;
  std::vector<Index> power;
  std::vector<Index> copies;
  std::vector<ComplexRational> value;  // row by row

  Index rows() const { return static_cast<Index>(power.size()); }
  Index columns() const { return static_cast<Index>(copies.size()); }
  const ComplexRational& at(Index row, Index column) const {
    return value[std::size_t{row} * copies.size() + column];
  }
};
/// Of a block that is not general; equal rows together. O(entries log rows).
FactorMatrix factor_matrix(const AnyBlock& block);

/// A row's weights, of each column re and im, in whole multiples of one unit.
struct WholeRow {
  std::vector<double> part;
  std::int64_t unit = 0;  // log2
  bool exact = true;      // nothing was rounded
  double reach = 0;       // sum_reach() of the parts
  double rounding = 0;    // and of what was rounded away, from above
};

/// In the smallest unit, or twice that, in which the magnitudes of the row's parts, of all copies, add up to
/// at most 2^sum_bits, also when rounded. Empty for an empty row.
std::optional<WholeRow> whole_row(const FactorMatrix& matrix, Index row, int sum_bits);

/// How large |sum over j of c_j v_j| is at most, |c_j| <= copies[j], from above by a few thousandths; v_j has
/// parts 2 j and 2 j + 1. The sum's part in its own direction is that large, and one of 16 directions is
/// within pi/32 of that.
double sum_reach(const std::vector<double>& parts, const std::vector<Index>& copies, bool complex);

}  // namespace countpm
