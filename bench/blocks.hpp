#pragma once
// What the benchmarks count: files, lattices and random matrices as one block, nothing cut or reduced.
#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "graph/instance.hpp"
#include "graph/read.hpp"
#include "matching/block.hpp"

namespace countpm::bench {

/// The nonzero pattern of a file or of a lattice (lattice:square:8x8), every entry 1. Throws InputError.
inline Block<std::int64_t> read_block(const std::string& source) {
  Instance instance = to_instance(read_graph(Source::from_argument(source)).graph);
  Block<std::int64_t> block;
  static_cast<SparsePattern&>(block.matrix) = std::move(instance.pattern);
  block.matrix.value.assign(block.matrix.column.size(), 1);
  block.general = instance.problem == Problem::general_perfect_matchings;
  return block;
}

/// n x n; value(i, j) is called row by row, and zeros are left out.
template <class ValueOf>
Block<std::int64_t> block_of_cells(Index n, const ValueOf& value) {
  Block<std::int64_t> block;
  block.matrix.rows = block.matrix.columns = n;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const std::int64_t entry = value(i, j);
      if (entry == 0) continue;
      block.matrix.column.push_back(j);
      block.matrix.value.push_back(entry);
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

/// True with probability `chance`, the same everywhere.
inline bool drawn(std::mt19937_64& random, double chance) {
  return static_cast<double>(random() >> 11) * 0x1p-53 < chance;
}

/// n x n, each entry present with probability `density`, then 1 .. largest. n seeds it.
inline Block<std::int64_t> random_block(Index n, double density, std::int64_t largest = 1) {
  std::mt19937_64 random(n);
  return block_of_cells(n, [&](Index, Index) -> std::int64_t {
    if (!drawn(random, density)) return 0;
    return largest == 1 ? 1 : 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(largest));
  });
}

}  // namespace countpm::bench
