#include "matching/workspace.hpp"

#include <tuple>

#include "graph/stop_poll.hpp"

namespace countpm {

template <class Value>
Workspace<Value>::Workspace(const SparseMatrix<Value>& matrix) : value_(matrix.value), size_(matrix.rows) {
  for (const Side side : {Side::rows, Side::columns}) {
    first_[index_of(side)].assign(matrix.rows, no_index);
    degree_[index_of(side)].assign(matrix.rows, 0);
    alive_[index_of(side)].assign(matrix.rows, true);
  }
  node_.resize(matrix.column.size());
  for (Index i = matrix.rows; i-- > 0;) {  // backwards, so that lists run forwards through memory
    for (std::uint64_t k = matrix.row_start[i + std::uint64_t{1}]; k-- > matrix.row_start[i];) {
      link(static_cast<Index>(k), Side::rows, i);
      link(static_cast<Index>(k), Side::columns, matrix.column[k]);
    }
  }
  entries_ = node_.size();
  enqueue_all();
}

template <class Value>
void Workspace<Value>::enqueue_all() {
  for (const Side side : {Side::columns, Side::rows}) {
    for (Index line = lines(); line-- > 0;) {
      if (!alive(side, line)) continue;
      look_at(side, line);
      zero_ = zero_ || degree(side, line) == 0;
    }
  }
}

template <class Value>
bool Workspace<Value>::next_line(Side& side, Index& line) {
  while (!waiting_.empty()) {
    std::tie(side, line) = waiting_.back();
    waiting_.pop_back();
    if (alive(side, line)) return true;
  }
  return false;
}

template <class Value>
void Workspace<Value>::link(Index node, Side side, Index line) {
  const std::size_t s = index_of(side);
  Node& at = node_[node];
  at.line[s] = line;
  at.previous[s] = no_index;
  at.next[s] = first_[s][line];
  if (at.next[s] != no_index) node_[at.next[s]].previous[s] = node;
  first_[s][line] = node;
  ++degree_[s][line];
  if (in_index(at)) index_[key(at)] = node;
}

template <class Value>
void Workspace<Value>::unlink(Index node, Side side) {
  const std::size_t s = index_of(side);
  const Node& at = node_[node];
  if (in_index(at)) index_.erase(key(at));
  if (at.previous[s] == no_index) {
    first_[s][at.line[s]] = at.next[s];
  } else {
    node_[at.previous[s]].next[s] = at.next[s];
  }
  if (at.next[s] != no_index) node_[at.next[s]].previous[s] = at.previous[s];
  if (--degree_[s][at.line[s]] == 0 && alive_[s][at.line[s]]) zero_ = true;
  look_at(side, at.line[s]);
}

template <class Value>
Index Workspace<Value>::find(Side side, Index line, Index cross) const {
  const Side shorter = degree(side, line) <= degree(other(side), cross) ? side : other(side);
  const std::size_t s = index_of(shorter);
  const std::size_t t = index_of(other(shorter));
  const Index wanted = shorter == side ? cross : line;
  Index k = first_[s][shorter == side ? line : cross];
  while (k != no_index && node_[k].line[t] != wanted) k = node_[k].next[s];
  return k;
}

template <class Value>
Index Workspace<Value>::find_and_index(Side side, Index line, Index cross) {
  constexpr Index long_line = 64;
  const Side shorter = degree(side, line) <= degree(other(side), cross) ? side : other(side);
  const Index short_line = shorter == side ? line : cross;
  if (degree(shorter, short_line) <= long_line) return find(side, line, cross);
  std::vector<bool>& indexed = indexed_[index_of(shorter)];
  if (indexed.empty()) indexed.assign(lines(), false);
  Node wanted{};
  wanted.line[index_of(side)] = line;
  wanted.line[index_of(other(side))] = cross;
  if (!in_index(wanted)) {  // once a line: as long as one walk along it
    indexed[short_line] = true;
    const std::size_t s = index_of(shorter);
    for (Index k = first_[s][short_line]; k != no_index; k = node_[k].next[s]) index_[key(node_[k])] = k;
  }
  const auto found = index_.find(key(wanted));
  return found == index_.end() ? no_index : found->second;
}

template <class Value>
void Workspace<Value>::clear_line(Side side, Index line) {
  const std::size_t s = index_of(side);
  alive_[s][line] = false;
  if (side == Side::rows) --size_;
  while (first_[s][line] != no_index) remove(first_[s][line]);
}

template <class Value>
void Workspace<Value>::erase_pair(Side side, Index line, Index cross) {
  alive_[index_of(other(side))][cross] =
      false;  // before its last entry goes, or it would look like an empty line
  clear_line(side, line);
  clear_line(other(side), cross);
}

template <class Value>
bool Workspace<Value>::merge(Side side, Index into, Index from, const Value& a, const Value& b,
                             Index without) {
  const std::size_t s = index_of(side);
  const std::size_t t = index_of(other(side));
  // Compute everything first: where something does not fit, nothing may have changed.
  staged_.clear();
  scaled_.clear();
  bool fits = true;
  if (!is_one(a)) {
    for (Index k = first_[s][into]; k != no_index && fits; k = node_[k].next[s]) {
      if (node_[k].line[t] == without) continue;
      Value product{};
      fits = multiply_entries(a, value_[k], product);
      scaled_.emplace_back(k, std::move(product));
    }
  }
  StopPoll poll;
  for (Index k = first_[s][from]; k != no_index && fits; k = node_[k].next[s]) {
    if (node_[k].line[t] == without) continue;
    poll.step();
    Staged staged{k, find_and_index(side, into, node_[k].line[t]), Value{}};
    fits = multiply_entries(b, value_[k], staged.value);
    if (fits && staged.mate != no_index) {
      Value scaled{};
      fits =
          multiply_entries(a, value_[staged.mate], scaled) && add_entries(scaled, staged.value, staged.value);
    }
    staged_.push_back(std::move(staged));
  }
  if (!fits) {
    overflow_ = true;
    return false;
  }

  alive_[s][from] = false;
  alive_[s][into] = false;  // it may be empty for a moment
  clear_line(other(side), without);
  if (side == Side::rows) --size_;
  for (auto& [node, value] : scaled_) value_[node] = std::move(value);
  for (Staged& staged : staged_) {
    if (staged.mate == no_index) {
      value_[staged.node] = std::move(staged.value);
      unlink(staged.node, side);
      link(staged.node, side, into);
      continue;
    }
    if (countpm::is_zero(staged.value)) {
      vanished_ = true;
      remove(staged.mate);
    } else {
      value_[staged.mate] = std::move(staged.value);
    }
    remove(staged.node);
  }
  alive_[s][into] = true;
  zero_ = zero_ || degree_[s][into] == 0;
  look_at(side, into);
  return true;
}

template <class Value>
SparseMatrix<Value> Workspace<Value>::compact() const {
  SparseMatrix<Value> result;
  std::vector<Index> new_row(lines(), no_index);
  for (Index i = 0; i < lines(); ++i) {
    if (!alive(Side::rows, i)) continue;
    new_row[i] = result.rows++;
    result.row_start.push_back(result.row_start.back() + degree(Side::rows, i));
  }
  result.column.resize(entries_);
  result.value.resize(entries_);
  std::vector<std::uint64_t> at(result.row_start.begin(), result.row_start.end() - 1);
  for (Index j = 0; j < lines(); ++j) {
    if (!alive(Side::columns, j)) continue;
    for_each(Side::columns, j, [&](Index row, const Value& value) {
      const std::uint64_t k = at[new_row[row]]++;
      result.column[k] = result.columns;
      result.value[k] = value;
    });
    ++result.columns;
  }
  return result;
}

template class Workspace<std::int64_t>;
template class Workspace<mpq_class>;
template class Workspace<ComplexRational>;

}  // namespace countpm
