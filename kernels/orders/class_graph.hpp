#pragma once
// A block as a graph whose vertices are classes of twins: what is eliminated vertex by vertex.
#include <cstdint>
#include <span>
#include <vector>

#include "matching/block.hpp"

namespace countpm {

/// The vertices are classes of twins: equal neighbours with equal values. Of a matrix: the classes of equal
/// rows are 0 .. row_classes - 1, those of equal columns follow, and every edge joins a row class to a column
/// class. Of a general block: row_classes is 0, edges go anywhere, and the members of a class may be adjacent
/// to each other, all of them and by one value (matching/general_twins.hpp): such a class has an inner edge,
/// which is not among its neighbours. Of a block with monomers the members of a class have equal loops, too,
/// or none: a member with a loop may take itself. Both directions of every edge are stored: the
/// neighbours of class v are neighbour[start[v]] .. neighbour[start[v + 1] - 1], ascending; entry[k] is the
/// place in the block's matrix.value of one entry that has the edge's value.
/// Of a block with tiles the classes are the vertices that are no tiles, each by itself, and all vertices of
/// a tile are neighbours of each other; entry[k] is no_entry where only tiles make them so. Tile i covers
/// tile_member[tile_start[i]] .. tile_member[tile_start[i + 1] - 1], ascending, and tile_entry[i] has its
/// value; those at class v are tile_at[tiles_at_start[v]] .. tile_at[tiles_at_start[v + 1] - 1].
struct ClassGraph {
  bool general = false;
  Index row_classes = 0;
  std::vector<Index> multiplicity;  // >= 1
  std::vector<std::uint64_t> start{0};
  std::vector<Index> neighbour;
  std::vector<std::uint64_t> entry;
  std::vector<std::uint64_t>
      inner;              // of every class, that of the inner edge or no_entry; empty: there is none
  bool monomers = false;  // members may stay alone:
  std::vector<std::uint64_t> loop;  // of every class, that of its members' loops or no_entry; empty likewise
  std::vector<std::uint64_t> tile_start{0};
  std::vector<Index> tile_member;
  std::vector<std::uint64_t> tile_entry;
  std::vector<std::uint64_t> tiles_at_start;  // empty: there are no tiles
  std::vector<Index> tile_at;
  Index most_taken = 1;  // how many others a vertex takes at most when it is eliminated
  static constexpr std::uint64_t no_entry = ~std::uint64_t{0};

  Index classes() const { return static_cast<Index>(multiplicity.size()); }
  Index degree(Index v) const { return static_cast<Index>(start[v + std::uint64_t{1}] - start[v]); }
  bool is_row(Index v) const { return v < row_classes; }
  bool has_inner(Index v) const { return !inner.empty() && inner[v] != no_entry; }
  bool has_loop(Index v) const { return !loop.empty() && loop[v] != no_entry; }
  /// Whether members may be matched without a neighbour, in v's own step: it is not closed before.
  bool has_own(Index v) const { return has_inner(v) || has_loop(v); }
  /// What keeps v from being closed: its neighbours, and v's own step where it has one.
  Index open_ends(Index v) const { return degree(v) + (has_own(v) ? 1 : 0); }
  Index tiles() const { return static_cast<Index>(tile_entry.size()); }
  std::span<const Index> members_of(Index tile) const {
    return std::span(tile_member)
        .subspan(tile_start[tile], tile_start[tile + std::uint64_t{1}] - tile_start[tile]);
  }
  std::span<const Index> tiles_at(Index v) const {
    if (tiles_at_start.empty()) return {};
    return std::span(tile_at).subspan(tiles_at_start[v],
                                      tiles_at_start[v + std::uint64_t{1}] - tiles_at_start[v]);
  }
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
