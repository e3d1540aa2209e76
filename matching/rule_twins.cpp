#include "matching/rule_twins.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/stop_poll.hpp"
#include "matching/value_hash.hpp"

namespace countpm::rule_twins {
namespace {

using value_hash::hash_of;
using value_hash::mixed;

/// Each class keeps its first column. Tally and multiplicities are the caller's.
template <class Value>
Block<Value> merged(const SparseMatrix<Value>& matrix, const std::vector<Index>& classes_of, Index classes) {
  Block<Value> block;
  block.multiplicity.assign(classes, 0);
  std::vector<Index> new_column(matrix.columns, no_index);
  std::vector<Index> rows(matrix.rows);
  std::iota(rows.begin(), rows.end(), Index{0});
  for (Index j = 0; j < matrix.columns; ++j) {
    if (block.multiplicity[classes_of[j]]++ == 0) new_column[j] = classes_of[j];
  }
  block.matrix = submatrix(matrix, rows, new_column, classes);
  return block;
}

/// log2 of the product of (multiplicity + 1): what counting has to tell apart.
double log2_states(const std::vector<Index>& classes_of, Index classes) {
  std::vector<Index> multiplicity(classes, 0);
  for (const Index c : classes_of) ++multiplicity[c];
  double sum = 0;
  for (const Index m : multiplicity) sum += std::log2(m + 1.0);
  return sum;
}

}  // namespace

template <class Value>
std::vector<Index> column_classes(const SparseMatrix<Value>& matrix, Index& classes) {
  std::vector<std::uint64_t> hash(matrix.columns, 0);
  StopPoll poll;
  for (const Index column : matrix.column) ++hash[column];
  for (Index i = 0; i < matrix.rows; ++i) {
    poll.steps(matrix.row_degree(i));
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      std::uint64_t& own = hash[matrix.column[k]];
      own = mixed(own + i) + hash_of(matrix.value[k]);
    }
  }
  std::vector<Index> order(matrix.columns);
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return hash[a] != hash[b] ? hash[a] < hash[b] : a < b; });
  const auto alike = [&](Index a, Index b) { return hash[a] == hash[b]; };
  if (std::adjacent_find(order.begin(), order.end(), alike) == order.end()) {
    classes = matrix.columns;
    std::iota(order.begin(), order.end(), Index{0});
    return order;
  }
  const SparseMatrix<Value> lines = transpose(matrix);
  const auto same = [&](Index a, Index b) {
    if (lines.row_degree(a) != lines.row_degree(b)) return false;
    for (std::uint64_t k = lines.row_start[a], m = lines.row_start[b];
         k < lines.row_start[a + std::uint64_t{1}]; ++k, ++m) {
      if (lines.column[k] != lines.column[m] || !(lines.value[k] == lines.value[m])) return false;
    }
    return true;
  };

  std::vector<Index> first(lines.rows, no_index);  // the first column identical to this one
  std::vector<Index> firsts;                       // distinct columns with the hash at hand
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Index j = order[k];
    poll.steps(firsts.size());
    if (k > 0 && hash[j] != hash[order[k - 1]]) firsts.clear();
    const auto found = std::find_if(firsts.begin(), firsts.end(), [&](Index f) { return same(f, j); });
    first[j] = found == firsts.end() ? j : *found;
    if (found == firsts.end()) firsts.push_back(j);
  }
  classes = 0;
  std::vector<Index> class_of(lines.rows);
  for (Index j = 0; j < lines.rows; ++j) class_of[j] = first[j] == j ? classes++ : class_of[first[j]];
  return class_of;
}

template <class Value>
Block<Value> apply(SparseMatrix<Value> matrix, RuleTally& tally) {
  Index column_count = 0;
  Index row_count = 0;
  const std::vector<Index> by_column = column_classes(matrix, column_count);
  SparseMatrix<Value> transposed = transpose(matrix);
  const std::vector<Index> by_row = column_classes(transposed, row_count);
  if (column_count == matrix.columns && row_count == matrix.rows) return {std::move(matrix), {}};

  const bool turn = log2_states(by_row, row_count) < log2_states(by_column, column_count);
  const Index classes = turn ? row_count : column_count;
  Block<Value> block = turn ? merged(transposed, by_row, row_count) : merged(matrix, by_column, column_count);
  tally[Rule::twins].applied += static_cast<std::uint64_t>(
      std::count_if(block.multiplicity.begin(), block.multiplicity.end(), [](Index m) { return m > 1; }));
  tally[Rule::twins].removed += matrix.rows - classes;
  return block;
}

template std::vector<Index> column_classes(const SparseMatrix<std::int64_t>&, Index&);
template std::vector<Index> column_classes(const SparseMatrix<mpq_class>&, Index&);
template std::vector<Index> column_classes(const SparseMatrix<ComplexRational>&, Index&);
template Block<std::int64_t> apply(SparseMatrix<std::int64_t>, RuleTally&);
template Block<mpq_class> apply(SparseMatrix<mpq_class>, RuleTally&);
template Block<ComplexRational> apply(SparseMatrix<ComplexRational>, RuleTally&);

}  // namespace countpm::rule_twins
