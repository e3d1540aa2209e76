#pragma once
// The jump of SkipPer. While a row sum is zero no product counts, and it stays zero until a column of that
// row flips: the next Gray index that matters is the largest, over the rows that are zero, of the next index
// at which a column of the row flips.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "kernels/subsets/gray_index.hpp"
#include "kernels/support/work_meter.hpp"

namespace countpm {

/// Where the rows meet the inner columns, by position (0 flips most often).
class SkipRows {
 public:
  static constexpr unsigned none = std::numeric_limits<unsigned>::max();

  /// row_positions[i]: the positions of row i's inner columns, in any order.
  SkipRows(const std::vector<std::vector<unsigned>>& row_positions, unsigned positions);

  /// Rows from the highest lowest position down: the first zero row found jumps (almost) furthest.
  const std::vector<Index>& order() const { return order_; }
  /// The lowest position of row i's columns; none where it has no inner column.
  unsigned lowest(Index row) const { return lowest_[row]; }
  bool has(Index row, unsigned position) const {
    return (bits_[row * words_ + position / 64] >> (position % 64) & 1) != 0;
  }

 private:
  std::vector<Index> order_;
  std::vector<unsigned> lowest_;
  std::vector<std::uint64_t> bits_;
  std::size_t words_;
};

/// Walks 2^positions subsets from the state with no inner column in. State: flip(position, in), zeros() (how
/// many rows are zero), is_zero(row), add_term(odd) for a subset without zeros. The meter
/// counts the visited subsets; the walk ends early where it calls time.
template <class Words, class State>
void skip_walk_in(Words zero, unsigned positions, const SkipRows& rows, State& state, WorkMeter& meter) {
  GrayIndex<Words> at(std::move(zero), positions);
  GrayIndex<Words> best = at;
  GrayIndex<Words> candidate = at;
  for (;;) {
    if (meter.spend(1) && !meter.look()) return;
    best = at;
    if (state.zeros() == 0) {
      state.add_term(at.odd());
      best.round_up(0);
    } else {
      unsigned reach = 0;
      bool found = false;
      for (const Index row : rows.order()) {
        const unsigned lowest = rows.lowest(row);
        // The rows still to come end at the latest 2^lowest after the multiple of 2^reach that was found:
        // hardly further, and a jump that is too short costs a visit, never a term.
        if (found && lowest + 1 < reach) break;
        if (!state.is_zero(row)) continue;
        if (lowest == SkipRows::none) return;  // zero to the end
        candidate = at;
        candidate.round_up(lowest);
        // Multiples of 2^lowest flip columns at or above `lowest`; odd multiples flip `lowest` itself, which
        // is in the row.
        if (candidate.at_end()) return;
        if (!rows.has(row, candidate.trailing_zeros())) candidate.add(lowest);
        if (!found || best < candidate) best = candidate;
        reach = std::max(reach, lowest);
        found = true;
      }
    }
    if (best.at_end()) return;
    for (std::size_t word = 0; word < at.size(); ++word) {
      const std::uint64_t target = best.code(word);
      for (std::uint64_t difference = at.code(word) ^ target; difference != 0; difference &= difference - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(difference));
        state.flip(static_cast<unsigned>(64 * word) + bit, (target >> bit & 1) != 0);
      }
    }
    std::swap(at, best);
  }
}

/// The same, choosing the width.
template <class State>
void skip_walk(unsigned positions, const SkipRows& rows, State& state, WorkMeter& meter) {
  if (positions < 64) return skip_walk_in(std::array<std::uint64_t, 1>{}, positions, rows, state, meter);
  if (positions < 128) return skip_walk_in(std::array<std::uint64_t, 2>{}, positions, rows, state, meter);
  if (positions < 256) return skip_walk_in(std::array<std::uint64_t, 4>{}, positions, rows, state, meter);
  return skip_walk_in(std::vector<std::uint64_t>(positions / 64 + 1), positions, rows, state, meter);
}

}  // namespace countpm
