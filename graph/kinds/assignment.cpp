#include "graph/kinds/assignment.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

// Sums of as many costs as there are lines, and a few more, stay within 64 bits.
constexpr std::size_t most_bits_of_sums = 61;

/// With 64-bit or long integers. Precondition: every row and every column has an entry.
template <class Value>
class AssignmentSearch {
 public:
  AssignmentSearch(const SparsePattern& pattern, std::vector<Value> cost)
      : pattern_(pattern),
        cost_(std::move(cost)),
        row_(pattern.rows),
        column_(pattern.columns),
        column_of_(pattern.rows, no_index),
        row_of_(pattern.columns, no_index),
        distance_(pattern.columns),
        state_(pattern.columns, State::unseen),
        reached_from_(pattern.columns, no_index) {}

  bool run() {
    take_least_costs();
    for (Index row = 0; row < pattern_.rows; ++row) {
      if (column_of_[row] == no_index && !assign(row)) return false;
    }
    return true;
  }

  /// Throws CheckError unless the potentials prove the matching to be one of least weight.
  LeastAssignment proved() {
    LeastAssignment result;
    result.tight.resize(cost_.size());
    Index matched = 0;
    StopPoll poll;
    for (Index i = 0; i < pattern_.rows; ++i) {
      for (std::uint64_t k = begin(i); k < end(i); ++k) {
        poll.step();
        const Value slack = reduced(i, k);
        if (slack < 0)
          throw CheckError("an assignment: the potentials leave an entry a negative reduced weight");
        result.tight[k] = slack == 0;
        if (pattern_.column[k] != column_of_[i] || row_of_[pattern_.column[k]] != i) continue;
        ++matched;
        if (slack != 0) throw CheckError("an assignment: an entry of the matching is not tight");
        result.weight += long_integer(cost_[k]);
      }
    }
    if (matched != pattern_.rows || matched != pattern_.columns)
      throw CheckError("an assignment: the matching is not perfect");
    for (const Value& one : row_) result.row.push_back(long_integer(one));
    for (const Value& one : column_) result.column.push_back(long_integer(one));
    return result;
  }

 private:
  enum class State : std::uint8_t { unseen, reached, done };

  static mpz_class long_integer(const Value& value) {
    if constexpr (std::is_same_v<Value, mpz_class>) {
      return value;
    } else {
      return mpz_class(static_cast<std::int64_t>(value));
    }
  }

  std::uint64_t begin(Index row) const { return pattern_.row_start[row]; }
  std::uint64_t end(Index row) const { return pattern_.row_start[row + std::uint64_t{1}]; }
  Value reduced(Index row, std::uint64_t entry) const {
    return Value(cost_[entry] - row_[row] - column_[pattern_.column[entry]]);
  }

  /// Each column's potential is its least cost, then each row's its least reduced one; then rows take free
  /// columns where that is tight.
  void take_least_costs() {
    std::vector<bool> seen(pattern_.columns, false);
    for (std::uint64_t k = 0; k < cost_.size(); ++k) {
      const Index j = pattern_.column[k];
      if (!seen[j] || cost_[k] < column_[j]) column_[j] = cost_[k];
      seen[j] = true;
    }
    for (Index i = 0; i < pattern_.rows; ++i) {
      Value least = reduced(i, begin(i));
      for (std::uint64_t k = begin(i) + 1; k < end(i); ++k) least = std::min(least, reduced(i, k));
      row_[i] = least;
      for (std::uint64_t k = begin(i); k < end(i); ++k) {
        const Index j = pattern_.column[k];
        if (row_of_[j] != no_index || reduced(i, k) != 0) continue;
        row_of_[j] = i;
        column_of_[i] = j;
        break;
      }
    }
  }

  /// Dijkstra's algorithm from a free row to the nearest free column; then the potentials of what is nearer
  /// change so that the path is tight, and the matching along the path.
  bool assign(Index root) {
    touched_.clear();
    heap_.clear();
    Index row = root;
    Value base(0);
    Index last = no_index;
    while (true) {
      scan(row, base);
      last = nearest();
      if (last == no_index) break;
      state_[last] = State::done;
      base = distance_[last];
      if (row_of_[last] == no_index) break;
      row = row_of_[last];
    }
    if (last != no_index) {
      update(root, base);
      augment(root, last);
    }
    for (const Index j : touched_) state_[j] = State::unseen;
    return last != no_index;
  }

  void scan(Index row, const Value& base) {
    for (std::uint64_t k = begin(row); k < end(row); ++k) {
      poll_.step();
      const Index j = pattern_.column[k];
      if (state_[j] == State::done) continue;
      const Value distance = Value(base + reduced(row, k));
      if (state_[j] == State::reached && distance >= distance_[j]) continue;
      if (state_[j] == State::unseen) touched_.push_back(j);
      state_[j] = State::reached;
      distance_[j] = distance;
      reached_from_[j] = row;
      heap_.emplace_back(distance, j);
      std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
  }

  Index nearest() {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      const Index j = heap_.back().second;
      heap_.pop_back();
      if (state_[j] != State::done) return j;
    }
    return no_index;
  }

  void update(Index root, const Value& length) {
    row_[root] += length;
    for (const Index j : touched_) {
      if (state_[j] != State::done || row_of_[j] == no_index) continue;
      const Value nearer = Value(length - distance_[j]);
      column_[j] -= nearer;
      row_[row_of_[j]] += nearer;
    }
  }

  void augment(Index root, Index column) {
    while (true) {
      const Index row = reached_from_[column];
      const Index next = column_of_[row];
      column_of_[row] = column;
      row_of_[column] = row;
      if (row == root) return;
      column = next;
    }
  }

  const SparsePattern& pattern_;
  std::vector<Value> cost_;
  std::vector<Value> row_;  // potentials
  std::vector<Value> column_;
  std::vector<Index> column_of_;
  std::vector<Index> row_of_;
  std::vector<Value> distance_;  // of columns, from the row that is to be assigned
  std::vector<State> state_;
  std::vector<Index> reached_from_;
  std::vector<Index> touched_;
  std::vector<std::pair<Value, Index>> heap_;
  StopPoll poll_;
};

template <class Value>
std::optional<LeastAssignment> search(const SparsePattern& pattern, std::vector<Value> cost) {
  AssignmentSearch<Value> search(pattern, std::move(cost));
  if (!search.run()) return std::nullopt;
  return search.proved();
}

bool has_empty_line(const SparsePattern& pattern) {
  std::vector<bool> used(pattern.columns, false);
  for (const Index j : pattern.column) used[j] = true;
  if (std::find(used.begin(), used.end(), false) != used.end()) return true;
  for (Index i = 0; i < pattern.rows; ++i) {
    if (pattern.row_degree(i) == 0) return true;
  }
  return false;
}

}  // namespace

std::optional<LeastAssignment> least_assignment(const SparsePattern& pattern,
                                                const std::vector<mpz_class>& cost) {
  if (pattern.rows != pattern.columns || has_empty_line(pattern)) return std::nullopt;
  mpz_class largest = 0;
  for (const mpz_class& one : cost) largest = std::max(largest, mpz_class(abs(one)));
  largest *= 4 * (mpz_class(static_cast<std::uint64_t>(pattern.rows)) + 1);
  if (mpz_sizeinbase(largest.get_mpz_t(), 2) > most_bits_of_sums) return search(pattern, cost);
  std::vector<std::int64_t> small;
  small.reserve(cost.size());
  for (const mpz_class& one : cost) small.push_back(one.get_si());
  return search(pattern, std::move(small));
}

}  // namespace countpm
