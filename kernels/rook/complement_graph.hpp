#pragma once
// A matrix as a constant a row minus a sparse remainder, the remainder as a graph: what `rook`
// eliminates.
#include <gmpxx.h>

#include <cstdint>
#include <vector>

#include "matching/block.hpp"

namespace countpm {

/// factor * a_ij = row_base[i] - b_ij in integers, row_base[i] being the value that row i has most often (0
/// counts) and factor a product of row scales. The graph has a vertex for every row (0 .. n - 1) and every
/// column (n .. 2n - 1, equal columns written out) and an edge of weight b_ij for every b_ij != 0, stored in
/// both directions: those of v are start[v] .. start[v + 1] - 1, by ascending neighbour.
struct ComplementGraph {
  Index size = 0;
  std::vector<mpz_class> row_base;
  std::vector<std::uint64_t> start{0};
  std::vector<Index> neighbour;
  std::vector<mpz_class> weight;
  mpq_class factor = 1;  // per(block) = factor * per(row_base - b)

  Index vertices() const { return 2 * size; }
  bool is_row(Index v) const { return v < size; }
  std::uint64_t degree(Index v) const { return start[v + std::uint64_t{1}] - start[v]; }
  /// Nothing but J - B with 0/1 entries: no multiplications.
  bool plain = true;
};

/// Precondition: no complex values, not general. O(entries log entries), and O(n + edges) memory.
ComplementGraph complement_graph(const AnyBlock& block);

/// Rows with a nonzero value in more than half of their columns. O(entries log entries).
Index dense_rows(const AnyBlock& block);

}  // namespace countpm
