#pragma once
// The matrix while rules work on it, for at most 64 rows of int64: each line is a 64-bit set of the lines
// that it crosses, the values lie in a square array. The same members as Workspace, so the same rules run on
// it; made for being called millions of times (Forbert-Marx expansion). 33 KB, most of it never touched; no
// memory is taken. Also splits itself into Dulmage-Mendelsohn blocks.
#include <array>
#include <bit>
#include <cstdint>

#include "graph/sparse_matrix.hpp"
#include "matching/entry_ops.hpp"
#include "matching/side.hpp"

namespace countpm {

class SmallWorkspace {
 public:
  using Value = std::int64_t;
  static constexpr Index capacity = 64;

  SmallWorkspace() = default;  // uninitialised: load() first
  SmallWorkspace(const SmallWorkspace&) = delete;
  SmallWorkspace& operator=(const SmallWorkspace&) = delete;

  /// Square, rows <= capacity. O(rows + entries).
  void load(const SparseMatrix<Value>& matrix);
  /// An empty rows x rows matrix, to be filled by put(); then enqueue_all().
  void start(Index rows);
  void put(Index row, Index column, Value value) {
    mask_[0][row] |= bit(column);
    mask_[1][column] |= bit(row);
    value_[row * capacity + column] = value;
  }

  Index degree(Side side, Index line) const {
    return static_cast<Index>(std::popcount(mask_[index_of(side)][line]));
  }
  bool alive(Side side, Index line) const { return (alive_[index_of(side)] & bit(line)) != 0; }
  Index lines() const { return lines_; }
  Index size() const { return static_cast<Index>(std::popcount(alive_[0])); }
  std::uint64_t entries() const;
  bool is_zero() const { return zero_; }
  bool vanished() const { return vanished_; }
  bool overflow() const { return overflow_; }
  FactorProduct<Value>& factor() { return factor_; }

  bool next_line(Side& side, Index& line);
  void enqueue_all();

  template <class Visit>
  void for_each(Side side, Index line, Visit&& visit) const {
    for (std::uint64_t rest = mask_[index_of(side)][line]; rest != 0; rest &= rest - 1) {
      const auto cross = static_cast<Index>(std::countr_zero(rest));
      visit(cross, value_[place(side, line, cross)]);
    }
  }
  bool has(Side side, Index line, Index cross) const {
    return (mask_[index_of(side)][line] & bit(cross)) != 0;
  }
  Value at(Index row, Index column) const { return value_[row * capacity + column]; }
  std::uint64_t mask(Side side, Index line) const { return mask_[index_of(side)][line]; }
  std::uint64_t alive_mask(Side side) const { return alive_[index_of(side)]; }

  void erase_entry(Side side, Index line, Index cross);
  void erase_pair(Side side, Index line, Index cross);
  /// As Workspace::merge. O(degree of both).
  bool merge(Side side, Index into, Index from, Value a, Value b, Index without);

  /// Drops the entries that lie in no perfect matching; false where there is none. Afterwards vanished() is
  /// false, blocks() counts the blocks and block_rows(k), block_columns(k) are their lines. O(rows^2) steps
  /// of 64 bits each, at worst.
  bool split();
  Index blocks() const { return blocks_; }
  std::uint64_t block_rows(Index block) const { return block_[block][0] & alive_[0]; }
  std::uint64_t block_columns(Index block) const { return block_[block][1] & alive_[1]; }

  /// The submatrix of these lines, renumbered in their order.
  SparseMatrix<Value> compact(std::uint64_t rows, std::uint64_t columns) const;

 private:
  static constexpr std::uint64_t bit(Index line) { return std::uint64_t{1} << line; }
  static constexpr Index place(Side side, Index line, Index cross) {
    return side == Side::rows ? line * capacity + cross : cross * capacity + line;
  }
  void clear_line(Side side, Index line);
  bool match(std::array<std::uint8_t, 64>& column_of_row, std::array<std::uint8_t, 64>& row_of_column) const;

  std::array<std::array<std::uint64_t, 64>, 2> mask_;
  std::array<std::uint64_t, 2> alive_;
  std::array<std::uint64_t, 2> waiting_;
  std::array<std::array<std::uint64_t, 2>, 64> block_;
  FactorProduct<Value> factor_;
  Index lines_ = 0;
  Index blocks_ = 0;
  bool zero_ = false;
  bool vanished_ = false;
  bool overflow_ = false;
  std::array<Value, 64 * 64> value_;
};

}  // namespace countpm
