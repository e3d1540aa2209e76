#pragma once
// ../exact_tail.hpp by a GPU's warp: the same states, and sums of the same terms in the same order
// (kernels/gpu/cpu_executor.hpp says how such code is written).
//
// Children of states meet in a table of slots, by the number of the child that came first; what a state is
// worth is then looked up entry by entry, so that neither depends on which lane was faster.
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/walks/gpu/tail_layout.hpp"
#include "kernels/gpu/atomic.hpp"

namespace countpm {

template <class Warp>
class WarpTail {
 public:
  COUNTPM_HD WarpTail(Warp& warp, const TailLayout& layout, std::byte* own)
      : warp_(warp), layout_(layout), own_(own) {}

  /// The permanent of the rows with rest.row(i), `left` of all rest.size(), and of as many columns with
  /// rest.column(j); rest.entries(i, f) calls f(j, weight) for the entries in these columns, in the CPU's
  /// order. As ExactTail::count.
  template <class Rest>
  COUNTPM_HD bool count(const Rest& rest, std::uint32_t left, Scaled& value) {
    if (!enter(rest, left)) {
      value = {0, 0};
      return true;
    }
    return finish(left, value);
  }

 private:
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;

  /// States after some rows, and the table that they are found by: number + 1; 0 where empty.
  struct Level {
    std::uint64_t* used;
    double* ways;
    std::uint32_t* table;
    std::uint32_t count;
    std::uint32_t mask;
  };
  struct Row {
    std::uint32_t first;  // of its entries
    std::uint32_t count;
    std::uint64_t finished;  // columns that it is the last of
  };

  template <class T>
  COUNTPM_HD T* array(std::size_t at) const {
    return reinterpret_cast<T*>(own_ + at);
  }
  COUNTPM_HD Level level(unsigned k) const {
    return {array<std::uint64_t>(layout_.used[k]), array<double>(layout_.ways[k]),
            array<std::uint32_t>(layout_.table[k]), 0, 0};
  }

  /// Rows and columns by their ranks. False: a column has no entry.
  template <class Rest>
  COUNTPM_HD bool enter(const Rest& rest, std::uint32_t left) const {
    auto* const number = array<std::uint32_t>(layout_.number);
    auto* const row_columns = array<std::uint64_t>(layout_.row_columns);
    auto* const row_first = array<std::uint32_t>(layout_.row_first);
    auto* const entry_column = array<std::uint32_t>(layout_.entry_column);
    auto* const entry_weight = array<double>(layout_.entry_weight);
    warp_.sync();
    std::uint32_t ranks = 0;
    for (std::uint32_t base = 0; base < rest.size(); base += 32) {
      const std::uint32_t some =
          warp_.ballot([&](unsigned lane) { return base + lane < rest.size() && rest.column(base + lane); });
      warp_.each([&](unsigned lane) {
        if ((some >> lane & 1) != 0) number[base + lane] = ranks + before(some, lane);
      });
      ranks += bit_count(some);
    }
    warp_.sync();
    std::uint32_t rows = 0;
    std::uint32_t entries = 0;
    PerLane<std::uint64_t> met;
    for (std::uint32_t base = 0; base < rest.size(); base += 32) {
      const std::uint32_t some =
          warp_.ballot([&](unsigned lane) { return base + lane < rest.size() && rest.row(base + lane); });
      if (some == 0) continue;
      PerLane<std::uint32_t> own;
      PerLane<std::uint32_t> end;
      warp_.each([&](unsigned lane) {
        own[lane] = 0;
        if ((some >> lane & 1) != 0) rest.entries(base + lane, [&](std::uint32_t, double) { ++own[lane]; });
        end[lane] = own[lane];
      });
      const std::uint32_t all = warp_.running_sum(end);
      warp_.each([&](unsigned lane) {
        if ((some >> lane & 1) == 0) return;
        const std::uint32_t row = rows + before(some, lane);
        std::uint32_t at = entries + end[lane] - own[lane];
        std::uint64_t columns = 0;
        row_first[row] = at;
        rest.entries(base + lane, [&](std::uint32_t column, double weight) {
          entry_column[at] = number[column];
          entry_weight[at++] = weight;
          columns |= std::uint64_t{1} << number[column];
        });
        row_columns[row] = columns;
        met[lane] |= columns;
      });
      rows += bit_count(some);
      entries += all;
    }
    warp_.once([&] { row_first[left] = entries; });
    warp_.sync();
    const std::uint64_t columns = either(met);
    return bit_count(columns) == left;
  }

  COUNTPM_HD static std::uint32_t before(std::uint32_t bits, unsigned lane) {
    return bit_count(bits & ((std::uint32_t{1} << lane) - 1));
  }
  COUNTPM_HD std::uint64_t either(const PerLane<std::uint64_t>& sets) const {
    return warp_.reduce(sets, [](std::uint64_t a, std::uint64_t b) { return a | b; });
  }

  /// As ExactTail's: of the rows to come the first with the fewest columns that none has had.
  COUNTPM_HD std::uint32_t cheapest_row(std::uint32_t left, std::uint64_t done, std::uint64_t touched) const {
    const auto* const row_columns = array<std::uint64_t>(layout_.row_columns);
    PerLane<std::uint32_t> best;
    warp_.each([&](unsigned lane) {
      best[lane] = ~std::uint32_t{0};
      for (std::uint32_t i = lane; i < left; i += 32) {
        if ((done >> i & 1) != 0) continue;
        const std::uint32_t price = bit_count(row_columns[i] & ~touched) * 64 + i;
        if (price < best[lane]) best[lane] = price;
      }
    });
    return warp_.reduce(best, [](std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }) % 64;
  }

  COUNTPM_HD bool finish(std::uint32_t left, Scaled& value) {
    const auto* const row_columns = array<std::uint64_t>(layout_.row_columns);
    const auto* const row_first = array<std::uint32_t>(layout_.row_first);
    Level from = level(0);
    Level to = level(1);
    // Not over layout_.table itself: of that nvcc makes other code, which was not measured.
    for (unsigned k = 0; k < 2; ++k) {  // NOLINT(modernize-loop-convert)
      auto* const table = array<std::uint32_t>(layout_.table[k]);
      warp_.each([&](unsigned lane) {
        for (std::uint32_t at = lane; at < layout_.slots; at += 32) table[at] = 0;
      });
    }
    warp_.sync();
    from.count = 1;
    warp_.once([&] {
      from.used[0] = 0;
      from.ways[0] = 1;
      from.table[0] = 1;
    });
    warp_.sync();
    std::uint64_t done = 0;
    std::uint64_t touched = 0;
    for (std::uint32_t k = 0; k < left; ++k) {
      const std::uint32_t i = cheapest_row(left, done, touched);
      done |= std::uint64_t{1} << i;
      touched |= row_columns[i];
      PerLane<std::uint64_t> coming;
      warp_.each([&](unsigned lane) {
        std::uint64_t columns = 0;
        for (std::uint32_t other = lane; other < left; other += 32) {
          if ((done >> other & 1) == 0) columns |= row_columns[other];
        }
        coming[lane] = columns;
      });
      const Row row{row_first[i], row_first[i + 1] - row_first[i], row_columns[i] & ~either(coming)};
      if (!step(row, from, to)) return false;
      if (to.count == 0) {
        value = {0, 0};
        return true;
      }
      const Level other = from;
      from = to;
      to = other;
    }
    int shift = 0;
    value.mantissa = std::frexp(from.ways[0], &shift);
    value.exponent = shift;
    return true;
  }

  /// A child: state number times the row's entries, plus the entry's number. False: there is none such, as a
  /// column would be used twice, or never.
  COUNTPM_HD bool child(const Row& row, const Level& from, std::uint32_t number, std::uint64_t& set) const {
    const std::uint64_t used = from.used[number / row.count];
    const std::uint64_t bit = std::uint64_t{1}
                              << array<std::uint32_t>(layout_.entry_column)[row.first + number % row.count];
    set = (used | bit) & ~row.finished;
    return (used & bit) == 0 && ((used | bit) & row.finished) == row.finished;
  }

  /// What comes of all states of `from`, whose table is empty then. False: that is too many.
  COUNTPM_HD bool step(const Row& row, const Level& from, Level& to) const {
    const std::uint32_t children = from.count * row.count;
    to.mask = 63;
    while (to.mask + 1 < 2 * (children < layout_.states ? children : layout_.states) + 64)
      to.mask = 2 * to.mask + 1;
    std::uint32_t found = 0;
    for (std::uint32_t base = 0; base < children; base += 32) {
      const std::uint32_t fresh = warp_.ballot(
          [&](unsigned lane) { return base + lane < children && add(row, from, to, base + lane); });
      found += bit_count(fresh);
      if (found > layout_.states) return false;
    }
    warp_.sync();
    to.count = 0;
    for (std::uint32_t base = 0; base <= to.mask; base += 32) {
      const std::uint32_t some = warp_.ballot([&](unsigned lane) { return to.table[base + lane] != 0; });
      if (some == 0) continue;
      warp_.each([&](unsigned lane) {
        if ((some >> lane & 1) == 0) return;
        const std::uint32_t number = to.count + before(some, lane);
        std::uint64_t set = 0;
        child(row, from, to.table[base + lane] - 1, set);
        to.used[number] = set;
        to.table[base + lane] = number + 1;
      });
      to.count += bit_count(some);
    }
    warp_.sync();
    warp_.each([&](unsigned lane) {
      for (std::uint32_t state = lane; state < to.count; state += 32)
        to.ways[state] = ways(row, from, to.used[state] | row.finished);
    });
    warp_.sync();
    warp_.each([&](unsigned lane) {
      for (std::uint32_t at = lane; at <= from.mask; at += 32) from.table[at] = 0;
    });
    warp_.sync();
    return true;
  }

  /// By one lane: whether the child is the first with its set.
  COUNTPM_HD bool add(const Row& row, const Level& from, const Level& to, std::uint32_t number) const {
    std::uint64_t set = 0;
    if (!child(row, from, number, set)) return false;
    for (std::uint32_t at = hash(set) & to.mask;; at = (at + 1) & to.mask) {
      const std::uint32_t there = compare_and_swap(to.table + at, 0, number + 1);
      if (there == 0) return true;
      std::uint64_t other = 0;
      child(row, from, there - 1, other);
      if (other == set) return false;
    }
  }

  /// By one lane: the sum over the row's entries in their order.
  COUNTPM_HD double ways(const Row& row, const Level& from, std::uint64_t set) const {
    const auto* const entry_column = array<std::uint32_t>(layout_.entry_column);
    const auto* const entry_weight = array<double>(layout_.entry_weight);
    double sum = 0;
    for (std::uint32_t e = row.first; e < row.first + row.count; ++e) {
      const std::uint64_t bit = std::uint64_t{1} << entry_column[e];
      if ((set & bit) == 0) continue;
      const std::uint64_t used = set & ~bit;
      for (std::uint32_t at = hash(used) & from.mask; from.table[at] != 0; at = (at + 1) & from.mask) {
        const std::uint32_t state = from.table[at] - 1;
        if (from.used[state] != used) continue;
        sum += from.ways[state] * entry_weight[e];
        break;
      }
    }
    return sum;
  }

  COUNTPM_HD static std::uint32_t hash(std::uint64_t set) {
    return static_cast<std::uint32_t>((set * 0x9e3779b97f4a7c15U) >> 40);
  }

  Warp& warp_;
  const TailLayout& layout_;
  std::byte* own_;
};

}  // namespace countpm
