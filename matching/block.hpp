#pragma once
// What the reductions leave and the kernels count.
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "graph/rotations.hpp"
#include "graph/sparse_matrix.hpp"
#include "graph/weight.hpp"

namespace countpm {

/// A square matrix, written with its identical columns once: column j stands for multiplicity[j] >= 1 equal
/// columns, so that matrix.rows == sum of multiplicity. An empty `multiplicity` means all 1 (and then
/// matrix.rows == matrix.columns). Its count is the permanent.
/// general: the matrix is the symmetric adjacency matrix, with an empty diagonal, of an undirected graph of
/// matrix.rows vertices (multiplicity is empty); its count is the sum over the graph's perfect matchings, the
/// hafnian. E. R. Caianiello, On quantum field theory I, Nuovo Cimento 10 (1953).
/// monomers: general, and entry (v, v) of the diagonal, where there is one, is the weight of v as a vertex
/// that stays alone. Its count is the sum over all matchings that leave alone only such vertices: the loop
/// hafnian.
/// tiles: with monomers; the last so many rows are no vertices, but tiles: sets of two vertices or more
/// that are covered together. A tile has an entry at each of its vertices, all of its weight, and none at
/// other tiles. The count is the sum over all exact covers of the other vertices by edges, by loops and by
/// tiles.
/// rotations: not null where the block's graph is drawn on a surface that is no sphere: exactly its edges,
/// between vertices, or where it is not general between rows and columns, which come behind the rows.
template <class Value>
struct Block {
  SparseMatrix<Value> matrix;
  std::vector<Index> multiplicity;
  bool general = false;
  bool monomers = false;
  Index tiles = 0;
  std::shared_ptr<const Rotations> rotations = {};

  Index size() const { return matrix.rows; }
  Index multiplicity_of(Index column) const { return multiplicity.empty() ? 1 : multiplicity[column]; }
};

/// The value types that matrices come in. int64: checked for overflow before every operation; mpq_class:
/// rationals, integers beyond 64 bits and decimals, exact and unbounded; ComplexRational: likewise.
using AnyBlock = std::variant<Block<std::int64_t>, Block<mpq_class>, Block<ComplexRational>>;

inline bool is_general(const AnyBlock& block) {
  return std::visit([](const auto& b) { return b.general; }, block);
}

inline bool has_monomers(const AnyBlock& block) {
  return std::visit([](const auto& b) { return b.monomers; }, block);
}

/// Null: none are given.
inline const Rotations* rotations_of(const AnyBlock& block) {
  return std::visit([](const auto& b) { return b.rotations.get(); }, block);
}

inline Index tiles_of(const AnyBlock& block) {
  return std::visit([](const auto& b) { return b.tiles; }, block);
}

/// The block with every column written out (multiplicity empty).
template <class Value>
Block<Value> expanded(const Block<Value>& block) {
  if (block.multiplicity.empty()) return block;
  Block<Value> result;
  result.matrix.rows = block.matrix.rows;
  std::vector<Index> first(block.matrix.columns);
  for (Index j = 0; j < block.matrix.columns; ++j) {
    first[j] = result.matrix.columns;
    result.matrix.columns += block.multiplicity[j];
  }
  for (Index i = 0; i < block.matrix.rows; ++i) {
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const Index j = block.matrix.column[k];
      for (Index copy = 0; copy < block.multiplicity[j]; ++copy) {
        result.matrix.column.push_back(first[j] + copy);
        result.matrix.value.push_back(block.matrix.value[k]);
      }
    }
    result.matrix.row_start.push_back(result.matrix.column.size());
  }
  return result;
}

}  // namespace countpm
