#pragma once
// Matrices modulo a prime as products of two narrow ones, and symmetric ones likewise whatever is on their
// diagonal.
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "kernels/arithmetic/prime_ring.hpp"

namespace countpm::low_rank {

/// Elements of a PrimeRing, row by row.
struct DenseMatrix {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::uint64_t> value;

  DenseMatrix() = default;
  DenseMatrix(std::uint64_t row_count, std::uint64_t column_count)
      : rows(row_count), columns(column_count), value(row_count * column_count, 0) {}
  std::uint64_t& at(std::uint64_t i, std::uint64_t j) { return value[i * columns + j]; }
  std::uint64_t at(std::uint64_t i, std::uint64_t j) const { return value[i * columns + j]; }
  const std::uint64_t* row(std::uint64_t i) const { return value.data() + i * columns; }
};

/// matrix = left right, left of rank columns. The pivots' rows of `left` are unit vectors.
struct Decomposition {
  std::uint64_t rank = 0;
  DenseMatrix left;   // [row][letter]
  DenseMatrix right;  // [letter][column]
  std::vector<Index> pivot_rows;
};

/// Empty where the rank is above `most_rank`. O(rows columns rank).
std::optional<Decomposition> decompose(const PrimeRing& ring, const DenseMatrix& matrix,
                                       std::uint64_t most_rank);

/// Rows that are no combination of the others. O(rows rank).
std::vector<Index> own_rows(const Decomposition& decomposition);

/// A diagonal that makes the symmetric matrix's rank small: from each pair of disjoint sets of vertices I, J
/// with a regular A[I, J] as large as possible, the entry at a vertex v in neither is
/// A[v, J] A[I, J]^-1 A[I, v]. Zeros where that is of no use. Empty where the rank beside the diagonal is
/// above `most_rank`. `matrix`: its diagonal is not looked at. O(n^2 rank).
std::optional<std::vector<std::uint64_t>> small_rank_diagonal(const PrimeRing& ring,
                                                              const DenseMatrix& matrix,
                                                              std::uint64_t most_rank);

/// matrix = G D G^T, D diagonal.
struct SymmetricDecomposition {
  std::uint64_t rank = 0;
  DenseMatrix factor;                   // G: [vertex][letter]
  std::vector<std::uint64_t> diagonal;  // D
};

/// Of a symmetric matrix with its diagonal; empty where the rank is above `most_rank`. O(n^2 rank).
std::optional<SymmetricDecomposition> decompose_symmetric(const PrimeRing& ring, DenseMatrix matrix,
                                                          std::uint64_t most_rank);

}  // namespace countpm::low_rank
