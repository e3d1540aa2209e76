#pragma once
// A matrix as a constant a row minus a sparse remainder, the remainder as a graph: what `rook` eliminates. Of
// a general block, a graph with odd cycles, as one constant minus a remainder.
#include <gmpxx.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "matching/block.hpp"

namespace countpm {

/// factor * a_ij = row_base[i] - b_ij in integers, row_base[i] being the value that row i has most often (0
/// counts) and factor a product of row scales. The graph has a vertex for every row (0 .. n - 1) and every
/// column (n .. 2n - 1, equal columns written out) and an edge of weight b_ij for every b_ij != 0, stored in
/// both directions: those of v are start[v] .. start[v + 1] - 1, by ascending neighbour.
/// general: factor^(1 / (n / 2)) * a_uv = base - b_uv for u != v, the value that most pairs of vertices have
/// (not 0) being base; the graph has a vertex for every vertex, and no rows. Its rooks are matchings.
struct ComplementGraph {
  Index size = 0;
  std::vector<mpz_class> row_base;
  std::vector<std::uint64_t> start{0};
  std::vector<Index> neighbour;
  std::vector<mpz_class> weight;
  mpq_class factor = 1;  // per(block) = factor * per(row_base - b), or of hafnians
  bool general = false;
  mpz_class base = 1;  // general

  Index vertices() const { return general ? size : 2 * size; }
  bool is_row(Index v) const { return !general && v < size; }
  /// Rooks that can stand on so many rows and columns, or vertices.
  std::uint64_t most_rooks(std::uint64_t rows, std::uint64_t columns) const {
    return general ? (rows + columns) / 2 : std::min(rows, columns);
  }
  std::uint64_t degree(Index v) const { return start[v + std::uint64_t{1}] - start[v]; }
  /// B has 0/1 entries, and so have the bases of rows: no multiplications.
  bool plain = true;
};

/// Precondition: no complex values, no monomers. O((entries + edges) log entries), and O(n + edges) memory.
ComplementGraph complement_graph(const AnyBlock& block);

/// Rows with a nonzero value in more than half of their columns. O(entries log entries).
Index dense_rows(const AnyBlock& block);

/// Whether more than half of the pairs of a general block's vertices have one nonzero value. O(entries log
/// entries).
bool is_dense_graph(const AnyBlock& block);

}  // namespace countpm
