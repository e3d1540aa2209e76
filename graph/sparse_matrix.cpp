#include "graph/sparse_matrix.hpp"

#include "graph/stop_poll.hpp"

namespace countpm {

SparsePattern transpose(const SparsePattern& pattern) {
  SparsePattern result;
  result.rows = pattern.columns;
  result.columns = pattern.rows;
  result.row_start.assign(pattern.columns + std::uint64_t{1}, 0);
  for (const Index j : pattern.column) ++result.row_start[j + std::uint64_t{1}];
  for (Index j = 0; j < pattern.columns; ++j) result.row_start[j + std::uint64_t{1}] += result.row_start[j];
  result.column.resize(pattern.column.size());
  std::vector<std::uint64_t> next(result.row_start.begin(), result.row_start.end() - 1);
  StopPoll poll;
  for (Index i = 0; i < pattern.rows; ++i) {
    poll.steps(pattern.row_degree(i));
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k) {
      result.column[next[pattern.column[k]]++] = i;
    }
  }
  return result;
}

}  // namespace countpm
