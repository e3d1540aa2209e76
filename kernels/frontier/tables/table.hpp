#pragma once
// A table: states and their values in every column.
#include <memory>
#include <vector>

#include "kernels/frontier/tables/state_set.hpp"
#include "kernels/frontier/tables/value_column.hpp"

namespace countpm {

template <unsigned Words>
struct Table {
  StateSet<Words> set;
  std::vector<std::unique_ptr<ColumnValues>> values;  // one a column

  explicit Table(const ValueColumns& columns) {
    for (const auto& column : columns.columns()) values.push_back(column->make_values());
  }
  std::uint64_t bytes() const {
    std::uint64_t sum = set.bytes();
    for (const auto& column : values) sum += column->bytes();
    return sum;
  }
  /// What growing to that many takes more than is held.
  std::uint64_t bytes_to_grow(std::uint64_t blocks, std::uint64_t states, const ValueColumns& columns) const {
    std::uint64_t needed = 0;
    if (blocks > set.heads.capacity()) needed += blocks * StateSet<Words>::bytes_per_block - set.bytes();
    for (std::size_t c = 0; c < values.size(); ++c) {
      const std::uint64_t full = states * columns.columns()[c]->bytes_per_state();
      if (full > values[c]->bytes()) needed += full - values[c]->bytes();
    }
    return needed;
  }
  void ensure(std::uint64_t blocks, std::uint64_t states) {
    set.ensure(blocks);
    for (const auto& column : values) column->ensure(states);
  }
  void release() {
    set.release();
    for (const auto& column : values) column->release();
  }
};

}  // namespace countpm
