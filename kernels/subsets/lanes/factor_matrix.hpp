#pragma once
// A matrix with its equal rows taken together, as its equal columns are.
#include <cstdint>
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

}  // namespace countpm
