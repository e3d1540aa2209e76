#pragma once
// The matrix while rules work on it: entries are nodes that hang in a list of their row and a list of their
// column, so that removing one and moving one from a line to another is O(1) and no memory is taken after the
// start but for values that grow; a removed entry's value is freed at once. 32 bytes an entry and its value.
// Lines of degree 2 or less wait in a list for the rules. Members common to Workspace and SmallWorkspace are
// what rules may use.
#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "matching/entry_ops.hpp"
#include "matching/side.hpp"

namespace countpm {

/// An entry as seen from a line: where it crosses, and its value.
template <class Value>
struct LineEntry {
  Index cross;
  Value value;
};

template <class ValueType>
class Workspace {
 public:
  using Value = ValueType;
  using Entry = LineEntry<Value>;

  /// Square matrix with fewer than no_index entries. O(rows + entries).
  explicit Workspace(const SparseMatrix<Value>& matrix);

  Index degree(Side side, Index line) const { return degree_[index_of(side)][line]; }
  bool alive(Side side, Index line) const { return alive_[index_of(side)][line]; }
  Index lines() const { return static_cast<Index>(degree_[0].size()); }  // alive or not, on each side
  Index size() const { return size_; }                                   // alive rows
  std::uint64_t entries() const { return entries_; }
  /// A line has no entry left: the permanent is 0.
  bool is_zero() const { return zero_; }
  /// Two merged entries have cancelled: blocks may have fallen apart.
  bool vanished() const { return vanished_; }
  bool overflow() const { return overflow_; }
  FactorProduct<Value>& factor() { return factor_; }

  /// The next line of degree 1 or 2 that is waiting; false where there is none.
  bool next_line(Side& side, Index& line);
  void enqueue_all();

  /// visit(cross, value) for every entry of the line.
  template <class Visit>
  void for_each(Side side, Index line, Visit&& visit) const {
    for (Index k = first_[index_of(side)][line]; k != no_index; k = node_[k].next[index_of(side)]) {
      visit(node_[k].line[index_of(other(side))], value_[k]);
    }
  }
  bool has(Side side, Index line, Index cross) const { return find(side, line, cross) != no_index; }

  void erase_entry(Side side, Index line, Index cross) { remove(find(side, line, cross)); }
  /// Both lines go.
  void erase_pair(Side side, Index line, Index cross);
  /// into := a * into + b * from on all crossing lines but `without`; `from` goes, and so does `without`.
  /// False, and nothing has changed but overflow(), where an entry would not fit. O(degree of from + (a != 1)
  /// * degree of into) look-ups, each the shorter of two lines.
  bool merge(Side side, Index into, Index from, const Value& a, const Value& b, Index without);

  /// What is left, renumbered in the old order. O(rows + columns + entries).
  SparseMatrix<Value> compact() const;

 private:
  struct Node {
    std::array<Index, 2> line;
    std::array<Index, 2> previous;
    std::array<Index, 2> next;
  };
  struct Staged {
    Index node;
    Index mate;  // the entry of `into` on the same crossing line, or no_index
    Value value;
  };

  Index find(Side side, Index line, Index cross) const;
  Index find_and_index(Side side, Index line, Index cross);
  void clear_line(Side side, Index line);
  bool in_index(const Node& node) const {
    return (!indexed_[0].empty() && indexed_[0][node.line[0]]) ||
           (!indexed_[1].empty() && indexed_[1][node.line[1]]);
  }
  static std::uint64_t key(const Node& node) { return (std::uint64_t{node.line[0]} << 32) | node.line[1]; }
  void link(Index node, Side side, Index line);
  void unlink(Index node, Side side);
  void remove(Index node) {
    unlink(node, Side::rows);
    unlink(node, Side::columns);
    // Rationals of a long ladder would otherwise pile up: O(n) bits each, O(n^2) in all.
    value_[node] = Value{};
    --entries_;
  }
  void look_at(Side side, Index line) {
    if (degree_[index_of(side)][line] <= 2) waiting_.emplace_back(side, line);
  }

  std::vector<Node> node_;
  std::vector<Value> value_;
  std::array<std::vector<Index>, 2> first_;
  std::array<std::vector<Index>, 2> degree_;
  std::array<std::vector<bool>, 2> alive_;
  // Entries of long lines that were looked up among other long lines, by place: so a star's hub is not walked
  // at every step. Empty at first.
  std::unordered_map<std::uint64_t, Index> index_;
  std::array<std::vector<bool>, 2> indexed_;
  std::vector<std::pair<Side, Index>> waiting_;
  std::vector<Staged> staged_;
  std::vector<std::pair<Index, Value>> scaled_;
  FactorProduct<Value> factor_;
  std::uint64_t entries_ = 0;
  Index size_ = 0;
  bool zero_ = false;
  bool vanished_ = false;
  bool overflow_ = false;
};

extern template class Workspace<std::int64_t>;
extern template class Workspace<mpq_class>;
extern template class Workspace<ComplexRational>;

}  // namespace countpm
