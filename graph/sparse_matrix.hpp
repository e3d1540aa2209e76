#pragma once
// Compressed sparse rows: the one matrix type that every layer shares.
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace countpm {

using Index = std::uint32_t;
inline constexpr Index no_index = std::numeric_limits<Index>::max();

/// Where the entries of a rows x columns matrix stand. Row i has columns column[row_start[i]] ..
/// column[row_start[i + 1] - 1], strictly ascending. rows, columns < no_index. Memory: 8 (rows + 1) + 4
/// entries bytes.
struct SparsePattern {
  Index rows = 0;
  Index columns = 0;
  std::vector<std::uint64_t> row_start{0};
  std::vector<Index> column;

  std::uint64_t entries() const { return column.size(); }
  Index row_degree(Index row) const { return static_cast<Index>(row_start[row + 1] - row_start[row]); }
  bool operator==(const SparsePattern&) const = default;
};

/// A pattern with a value an entry; value[k] belongs to column[k]. No stored value is zero.
template <class Value>
struct SparseMatrix : SparsePattern {
  std::vector<Value> value;

  bool operator==(const SparseMatrix&) const = default;
};

/// The transposed pattern, by counting sort: O(rows + columns + entries).
SparsePattern transpose(const SparsePattern& pattern);

/// The transposed matrix, by counting sort: O(rows + columns + entries).
template <class Value>
SparseMatrix<Value> transpose(const SparseMatrix<Value>& matrix) {
  SparseMatrix<Value> result;
  result.rows = matrix.columns;
  result.columns = matrix.rows;
  result.row_start.assign(matrix.columns + std::uint64_t{1}, 0);
  for (const Index j : matrix.column) ++result.row_start[j + std::uint64_t{1}];
  for (Index j = 0; j < matrix.columns; ++j) result.row_start[j + std::uint64_t{1}] += result.row_start[j];
  result.column.resize(matrix.column.size());
  result.value.resize(matrix.value.size());
  std::vector<std::uint64_t> next(result.row_start.begin(), result.row_start.end() - 1);
  for (Index i = 0; i < matrix.rows; ++i) {
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const std::uint64_t at = next[matrix.column[k]]++;
      result.column[at] = i;
      result.value[at] = matrix.value[k];
    }
  }
  return result;
}

/// The submatrix of the given rows and columns, renumbered in the order given. new_column[j] is the new
/// number of column j, or no_index where it is left out; it must be ascending over the columns kept.
/// O(entries of those rows).
template <class Value>
SparseMatrix<Value> submatrix(const SparseMatrix<Value>& matrix, const std::vector<Index>& rows,
                              const std::vector<Index>& new_column, Index new_columns) {
  SparseMatrix<Value> result;
  result.rows = static_cast<Index>(rows.size());
  result.columns = new_columns;
  result.row_start.reserve(rows.size() + 1);
  for (const Index i : rows) {
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const Index j = new_column[matrix.column[k]];
      if (j == no_index) continue;
      result.column.push_back(j);
      result.value.push_back(matrix.value[k]);
    }
    result.row_start.push_back(result.column.size());
  }
  return result;
}

}  // namespace countpm
