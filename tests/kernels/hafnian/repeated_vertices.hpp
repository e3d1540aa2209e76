#pragma once
// Blocks with twins.
#include <cstdint>
#include <vector>

#include "matching/block.hpp"

namespace countpm::testing_support {

/// `given` with its vertices repeated, `copies` of each: those of one vertex have its loop between them.
template <class Value>
Block<Value> repeated(const Block<Value>& given, const std::vector<Index>& copies) {
  std::vector<Index> original;
  for (Index v = 0; v < given.matrix.rows; ++v) original.insert(original.end(), copies[v], v);
  const auto n = static_cast<Index>(original.size());
  Block<Value> block;
  block.general = true;
  block.monomers = given.monomers;
  block.matrix.rows = block.matrix.columns = n;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      for (std::uint64_t k = given.matrix.row_start[original[i]]; k < given.matrix.row_start[original[i] + 1];
           ++k) {
        if (given.matrix.column[k] != original[j] || (i == j && !block.monomers)) continue;
        block.matrix.column.push_back(j);
        block.matrix.value.push_back(given.matrix.value[k]);
      }
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

}  // namespace countpm::testing_support
