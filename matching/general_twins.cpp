// Closed twins by a hash that adds up over a vertex's entries: h_i less the share of (j, a_ij) equals h_j
// less the share of (i, a_ij). Candidates are compared entry by entry.
#include "matching/general_twins.hpp"

#include <algorithm>
#include <unordered_map>

#include "matching/rule_twins.hpp"
#include "matching/value_hash.hpp"

namespace countpm {
namespace {

template <class Value>
class ClosedTwins {
 public:
  explicit ClosedTwins(const SparseMatrix<Value>& matrix) : matrix_(matrix), hash_(matrix.rows, 0) {
    for (Index i = 0; i < matrix.rows; ++i) {
      for (std::uint64_t k = begin(i); k < end(i); ++k) hash_[i] += share(matrix.column[k], matrix.value[k]);
    }
  }

  /// Whether i and the vertex of its entry k are.
  bool are(Index i, std::uint64_t k) const {
    const Index j = matrix_.column[k];
    if (matrix_.row_degree(i) != matrix_.row_degree(j)) return false;
    if (hash_[i] - share(j, matrix_.value[k]) != hash_[j] - share(i, matrix_.value[k])) return false;
    std::uint64_t a = begin(i);
    std::uint64_t b = begin(j);
    while (true) {
      if (a < end(i) && matrix_.column[a] == j) ++a;
      if (b < end(j) && matrix_.column[b] == i) ++b;
      if (a == end(i) || b == end(j)) return a == end(i) && b == end(j);
      if (matrix_.column[a] != matrix_.column[b] || !(matrix_.value[a] == matrix_.value[b])) return false;
      ++a;
      ++b;
    }
  }

  std::uint64_t begin(Index i) const { return matrix_.row_start[i]; }
  std::uint64_t end(Index i) const { return matrix_.row_start[i + std::uint64_t{1}]; }

 private:
  static std::uint64_t share(Index vertex, const Value& value) {
    return value_hash::mixed(value_hash::mixed(vertex + std::uint64_t{1}) + value_hash::hash_of(value));
  }

  const SparseMatrix<Value>& matrix_;
  std::vector<std::uint64_t> hash_;
};

/// The entry (row, column), or no_entry.
template <class Value>
std::uint64_t entry_at(const SparseMatrix<Value>& matrix, Index row, Index column) {
  const auto first = matrix.column.begin() + static_cast<std::ptrdiff_t>(matrix.row_start[row]);
  const auto last =
      matrix.column.begin() + static_cast<std::ptrdiff_t>(matrix.row_start[row + std::uint64_t{1}]);
  const auto at = std::lower_bound(first, last, column);
  if (at == last || *at != column) return GeneralTwins::no_entry;
  return static_cast<std::uint64_t>(at - matrix.column.begin());
}

template <class Value>
SparseMatrix<Value> without_loops(const SparseMatrix<Value>& symmetric) {
  SparseMatrix<Value> result;
  result.rows = symmetric.rows;
  result.columns = symmetric.columns;
  for (Index v = 0; v < symmetric.rows; ++v) {
    for (std::uint64_t k = symmetric.row_start[v]; k < symmetric.row_start[v + std::uint64_t{1}]; ++k) {
      if (symmetric.column[k] == v) continue;
      result.column.push_back(symmetric.column[k]);
      result.value.push_back(symmetric.value[k]);
    }
    result.row_start.push_back(result.column.size());
  }
  return result;
}

}  // namespace

template <class Value>
GeneralTwins general_twins_with_loops(const SparseMatrix<Value>& symmetric) {
  const GeneralTwins plain = general_twins(without_loops(symmetric));
  GeneralTwins twins;
  twins.class_of.reserve(symmetric.rows);
  std::vector<Index> first;                                       // vertex of each class
  std::unordered_map<std::uint64_t, std::vector<Index>> classes;  // by a hash of the plain class and the loop
  for (Index v = 0; v < symmetric.rows; ++v) {
    const std::uint64_t loop = entry_at(symmetric, v, v);
    const auto equal_loop = [&](Index w) {
      const std::uint64_t other = entry_at(symmetric, w, w);
      if (loop == GeneralTwins::no_entry || other == GeneralTwins::no_entry) return loop == other;
      return symmetric.value[loop] == symmetric.value[other];
    };
    const std::uint64_t hash =
        value_hash::mixed(plain.class_of[v] + std::uint64_t{1}) +
        (loop == GeneralTwins::no_entry ? 0 : value_hash::hash_of(symmetric.value[loop]));
    std::vector<Index>& alike = classes[hash];
    const auto own = std::find_if(alike.begin(), alike.end(), [&](Index one) {
      return plain.class_of[first[one]] == plain.class_of[v] && equal_loop(first[one]);
    });
    if (own == alike.end()) {
      alike.push_back(twins.classes);
      twins.class_of.push_back(twins.classes++);
      first.push_back(v);
      twins.inside.push_back(GeneralTwins::no_entry);
      continue;
    }
    twins.class_of.push_back(*own);
    // Not there where they are open twins.
    std::uint64_t& inside = twins.inside[*own];
    if (inside == GeneralTwins::no_entry) inside = entry_at(symmetric, first[*own], v);
  }
  return twins;
}

template GeneralTwins general_twins_with_loops(const SparseMatrix<std::int64_t>&);
template GeneralTwins general_twins_with_loops(const SparseMatrix<mpq_class>&);
template GeneralTwins general_twins_with_loops(const SparseMatrix<ComplexRational>&);

template <class Value>
GeneralTwins general_twins(const SparseMatrix<Value>& symmetric) {
  Index open_classes = 0;
  const std::vector<Index> open = rule_twins::column_classes(symmetric, open_classes);
  const ClosedTwins<Value> closed(symmetric);
  GeneralTwins twins;
  twins.class_of.assign(symmetric.rows, no_index);
  std::vector<Index> number(open_classes, no_index);  // of the class that an open class is
  for (Index i = 0; i < symmetric.rows; ++i) {
    if (twins.class_of[i] != no_index) continue;  // with its first closed twin
    Index& own = number[open[i]];
    if (own == no_index) {
      own = twins.classes++;
      twins.inside.push_back(GeneralTwins::no_entry);
      // All closed twins of i are its neighbours, and come later.
      for (std::uint64_t k = closed.begin(i); k < closed.end(i); ++k) {
        const Index j = symmetric.column[k];
        if (j < i || twins.class_of[j] != no_index || !closed.are(i, k)) continue;
        twins.class_of[j] = own;
        if (twins.inside[own] == GeneralTwins::no_entry) twins.inside[own] = k;
      }
    }
    twins.class_of[i] = own;
  }
  return twins;
}

template GeneralTwins general_twins(const SparseMatrix<std::int64_t>&);
template GeneralTwins general_twins(const SparseMatrix<mpq_class>&);
template GeneralTwins general_twins(const SparseMatrix<ComplexRational>&);

}  // namespace countpm
