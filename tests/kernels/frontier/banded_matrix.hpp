#pragma once
// Matrices along whose diagonal tables are as large as is wished.
#include "tests/kernels/frontier/frontier_testing.hpp"

namespace countpm::testing {

/// A matrix with entries up to `reach` from its diagonal, eliminated along it: large tables.
struct Band {
  Block<std::int64_t> block;
  ClassGraph graph;
  Elimination elimination;
};
inline Band make_band(Index n, Index reach, bool general) {
  std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if ((i > j ? i - j : j - i) <= reach && (!general || i != j)) rows[i][j] = 1;
    }
  }
  Band band;
  band.block = dense_block(rows, n);
  band.block.general = general;
  band.graph = class_graph(band.block);
  band.elimination = rows_in_order(band.graph);
  return band;
}

}  // namespace countpm::testing
