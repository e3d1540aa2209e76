#pragma once
// A block as a graph whose vertices are classes of twins: what is eliminated vertex by vertex.
#include <cstdint>
#include <vector>

#include "matching/block.hpp"

namespace countpm {

/// The vertices are classes of twins: equal neighbours with equal values. Of a matrix: the classes of equal
/// rows are 0 .. row_classes - 1, those of equal columns follow, and every edge joins a row class to a column
/// class. Of a general block: row_classes is 0, edges go anywhere, and the members of a class may be adjacent
/// to each other, all of them and by one value (matching/general_twins.hpp): such a class has an inner edge,
/// which is not among its neighbours. Both directions of every edge are stored: the neighbours of class v are
/// neighbour[start[v]] .. neighbour[start[v + 1] - 1], ascending; entry[k] is the place in the block's
/// matrix.value of one entry that has the edge's value.
struct ClassGraph {
  bool general = false;
  Index row_classes = 0;
  std::vector<Index> multiplicity;  // >= 1
  std::vector<std::uint64_t> start{0};
  std::vector<Index> neighbour;
  std::vector<std::uint64_t> entry;
  std::vector<std::uint64_t>
      inner;  // of every class, that of the inner edge or no_entry; empty: there is none
  static constexpr std::uint64_t no_entry = ~std::uint64_t{0};

  Index classes() const { return static_cast<Index>(multiplicity.size()); }
  Index degree(Index v) const { return static_cast<Index>(start[v + std::uint64_t{1}] - start[v]); }
  bool is_row(Index v) const { return v < row_classes; }
  bool has_inner(Index v) const { return !inner.empty() && inner[v] != no_entry; }
  /// What keeps v from being closed: its neighbours, and an inner edge, up to v's own step.
  Index open_ends(Index v) const { return degree(v) + (has_inner(v) ? 1 : 0); }
};

/// The class of every row and column of the matrix; of a general block, `row` has that of every vertex.
struct ClassLines {
  std::vector<Index> row;
  std::vector<Index> column;
};

/// O(entries log entries). merge_twins = false leaves every row by itself (and columns as the block has
/// them).
ClassGraph class_graph(const AnyBlock& block, bool merge_twins = true, ClassLines* lines = nullptr);

}  // namespace countpm
