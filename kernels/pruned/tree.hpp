#pragma once
// The search tree of free-shift inclusion-exclusion: for every vector x of integers
//
//   per(A) = (-1)^n sum over subsets S of the columns of (-1)^|S| prod_i (x_i + sum_{j in S} a_ij)
//
// (x changes the sum only by products that lack a column, which cancel). Columns are decided one level after
// the other; a row is complete once its last column is decided, and a prefix with a complete row of sum zero
// has no term other than zero below it. The last `tail` columns are not walked: below a prefix stands the set
// of the tail subsets that no row zeroes, 2^tail <= 512 bits, and a row whose last column before the tail is
// decided takes away those that would zero it. A prefix without any left is pruned too.
#include <gmpxx.h>

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/subsets/integer_columns.hpp"

namespace countpm {

inline constexpr unsigned most_tail_columns = 9;
inline constexpr unsigned tail_words = 8;  // 2^most_tail_columns bits
using TailSet = std::array<std::uint64_t, tail_words>;

/// Precondition: within int64.
inline std::int64_t narrow_index(std::int64_t value) {
  return value;
}
inline std::int64_t narrow_index(const mpz_class& value) {
  return value.get_si();
}

/// What a search decides: the columns in the order of their levels, x, and how many of the last columns, all
/// of them single, are the tail.
template <class Int>
struct PrunedPlan {
  std::vector<Index> order;
  std::vector<Int> shift;
  unsigned tail = 0;
};

/// The least and the largest sum of each row on any prefix or leaf, as the larger of their magnitudes.
std::vector<std::int64_t> largest_sums(const IntegerColumns<std::int64_t>& columns,
                                       const std::vector<std::int64_t>& shift);

template <class Int>
struct PruneTree {
  struct Entry {
    Index row;
    Int value;
  };
  struct Level {
    Index column = 0;
    Index copies = 1;            // 0 .. copies of them may be chosen, C(copies, t) ways
    std::vector<Entry> entries;  // of one copy
    std::vector<Index> tested;   // rows complete at this level: zero prunes
    std::vector<Index>
        masked;  // rows with tail columns whose other columns are all decided: they mask the tail set
  };
  /// masks[first + k] is the set of the tail subsets whose sum is not floor + k, for k < reach; that at
  /// `reach` holds all subsets: every other sum of the row leaves them alone.
  struct TailMasks {
    std::uint32_t first = 0;
    std::uint32_t reach = 0;
    std::int64_t floor = 0;
  };

  Index rows = 0;
  std::vector<Level> levels;  // before the tail
  std::vector<Index> tested_at_root;
  std::vector<Index> masked_at_root;
  std::vector<Level> tail;            // its columns: `tested` and `masked` are empty
  std::vector<TailMasks> tail_masks;  // of every row, where it is masked at a level
  std::vector<TailSet> masks;
  std::vector<Int> shift;

  /// Every subset of the tail.
  TailSet all_subsets() const;
  /// Whether the rows that level `level` completes (or the root: no_index) leave anything; takes what they
  /// zero out of `set`. O(rows of the level).
  bool survives(Index level, const std::vector<Int>& sums, TailSet& set) const;
  /// The same where sum_of(row) is the row's sum; asked of the level's rows only.
  template <class SumOf>
  bool survives_with(Index level, const SumOf& sum_of, TailSet& set) const;
};

template <class Int>
template <class SumOf>
bool PruneTree<Int>::survives_with(Index level, const SumOf& sum_of, TailSet& set) const {
  for (const Index i : level == no_index ? tested_at_root : levels[level].tested) {
    if (sum_of(i) == 0) return false;
  }
  const std::vector<Index>& masked = level == no_index ? masked_at_root : levels[level].masked;
  if (masked.empty()) return true;
  for (const Index i : masked) {
    const TailMasks& row = tail_masks[i];
    const Int above = -sum_of(i) - static_cast<std::int64_t>(row.floor);
    if (above < 0 || above >= static_cast<std::int64_t>(row.reach)) continue;
    const auto index = static_cast<std::size_t>(narrow_index(above));
    for (unsigned word = 0; word < tail_words; ++word) set[word] &= masks[row.first + index][word];
  }
  std::uint64_t left = 0;
  for (const std::uint64_t word : set) left |= word;
  return left != 0;
}

/// Preconditions: plan.order is a permutation of the columns, its last plan.tail <= 9 single.
/// O(entries + rows 2^tail) time.
template <class Int>
PruneTree<Int> make_prune_tree(const IntegerColumns<Int>& columns, const PrunedPlan<Int>& plan);

}  // namespace countpm
