#pragma once
// The walks with pruning on matrices of up to 128 rows by a GPU's warps, a sample each:
// estimate/walks/walk.hpp's law, numbers and roundings (kernels/gpu/cpu_executor.hpp says how a kernel is
// written).
//
// Lane l has the rows and columns l, l + 32, ...: of each the set of what it may still be matched with, and
// its mate in a perfect matching of what is left. When an edge is taken, a search through the columns' sets,
// all of a level at once, mends the matching. An edge lies in a perfect matching exactly where both ends are
// in one strongly connected component of the digraph row -> row whose mate it has an entry in (pruning.hpp):
// the components of the rows that were in one with the taken row are found one by one, as what a row reaches
// and what reaches it, and the edges between them go. Sets that all lanes know come from ballots.
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/estimate/samples/sample_numbers.hpp"
#include "kernels/estimate/walks/bit_walk.hpp"
#include "kernels/estimate/walks/gpu/warp_random.hpp"
#include "kernels/estimate/walks/walk.hpp"

namespace countpm {

/// What a launch draws from; arrays of `size`.
template <unsigned Words>
struct PrunedBitsTask {
  const BitSet<Words>* rows = nullptr;  // pruned: all empty where there is no perfect matching
  const BitSet<Words>* columns = nullptr;
  const std::uint32_t* row_mate = nullptr;  // anything where there is none
  const std::uint32_t* column_mate = nullptr;
  const double* weight = nullptr;      // size * size by rows; nullptr: all 1
  const double* transposed = nullptr;  // the same by columns
  const double* row_factor = nullptr;  // of scaling: from which every sample begins
  const double* column_factor = nullptr;
  std::uint32_t size = 0;
  WalkSettings settings;
};

/// Shared memory of a warp.
template <unsigned Slots>
struct alignas(16) PrunedBitsShared {
  double row_factor[32 * Slots];
  double column_factor[32 * Slots];
  BitSet<(Slots + 1) / 2> component[32 * Slots];  // of each open row: the rows in it
};

/// At most 32 * Slots rows.
template <class Warp, unsigned Slots, bool Weighted>
class PrunedBitsWarp {
 public:
  static constexpr unsigned words = (Slots + 1) / 2;
  using Set = BitSet<words>;
  using Shared = PrunedBitsShared<Slots>;
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;

  COUNTPM_HD PrunedBitsWarp(Warp& warp, const PrunedBitsTask<words>& task, Shared& shared)
      : warp_(warp), task_(task), shared_(shared) {}

  COUNTPM_HD Scaled sample(WarpRandom<Warp>& random) {
    begin();
    Scaled result;
    for (std::uint32_t front = 0; front < task_.size; ++front) {
      if (task_.settings.scaling && front % task_.settings.interval == 0) sinkhorn();
      const unsigned row = task_.settings.least_degree ? sparsest_row(random) : front;
      const unsigned column = task_.settings.scaling || Weighted ? column_by_factor(row, random, result)
                                                                 : any_column(row, random, result);
      if (column == none) return {0, 0};
      take(row, column);
    }
    return result;
  }

 private:
  static constexpr unsigned none = 32 * Slots;

  COUNTPM_HD void begin() {
    warp_.sync();
    warp_.each([&](unsigned lane) {
      each_slot([&](unsigned s) {
        const unsigned at = lane + 32 * s;
        const bool there = at < task_.size;
        row_[s][lane] = there ? task_.rows[at] : Set{};
        column_[s][lane] = there ? task_.columns[at] : Set{};
        row_mate_[s][lane] = there ? task_.row_mate[at] : none;
        column_mate_[s][lane] = there ? task_.column_mate[at] : none;
        const bool scaled = there && task_.settings.scaling;
        shared_.row_factor[at] = scaled ? task_.row_factor[at] : 1;
        shared_.column_factor[at] = scaled ? task_.column_factor[at] : 1;
      });
    });
    open_ = rows_where([&](unsigned s, unsigned lane) { return lane + 32 * s < task_.size; });
    warp_.each(
        [&](unsigned lane) { each_slot([&](unsigned s) { shared_.component[lane + 32 * s] = open_; }); });
    warp_.sync();
  }

  /// Calls f(slot). No loop: every array stays in registers.
  template <class F>
  static COUNTPM_HD void each_slot(const F& f) {
    f(0U);
    if constexpr (Slots > 1) f(1U);
    if constexpr (Slots > 2) {
      f(2U);
      f(3U);
    }
  }
  /// The set of those for which f(slot, lane) holds: rows or columns.
  template <class F>
  COUNTPM_HD Set rows_where(const F& f) const {
    Set set;
    each_slot([&](unsigned s) {
      const std::uint32_t bits = warp_.ballot([&](unsigned lane) { return f(s, lane); });
      set.word[s / 2] |= std::uint64_t{bits} << (s % 2 * 32);
    });
    return set;
  }

  static COUNTPM_HD bool meet(const Set& a, const Set& b) {
    std::uint64_t both = 0;
    COUNTPM_UNROLL
    for (unsigned w = 0; w < words; ++w) both |= a.word[w] & b.word[w];
    return both != 0;
  }
  static COUNTPM_HD bool equal(const Set& a, const Set& b) {
    std::uint64_t apart = 0;
    COUNTPM_UNROLL
    for (unsigned w = 0; w < words; ++w) apart |= a.word[w] ^ b.word[w];
    return apart == 0;
  }
  static COUNTPM_HD Set common(const Set& a, const Set& b) {
    Set set;
    COUNTPM_UNROLL
    for (unsigned w = 0; w < words; ++w) set.word[w] = a.word[w] & b.word[w];
    return set;
  }
  static COUNTPM_HD Set without(const Set& a, const Set& b) {
    Set set;
    COUNTPM_UNROLL
    for (unsigned w = 0; w < words; ++w) set.word[w] = a.word[w] & ~b.word[w];
    return set;
  }
  static COUNTPM_HD Set single(unsigned at) {
    Set set;
    set.flip(at);
    return set;
  }
  static COUNTPM_HD bool has(const Set& set, unsigned at) {
    std::uint64_t word = set.word[0];
    COUNTPM_UNROLL
    for (unsigned w = 1; w < words; ++w) {
      const std::uint64_t other = set.word[w];  // before it is asked for: see either()
      word = at / 64 == w ? other : word;
    }
    return at < none && (word >> at % 64 & 1) != 0;
  }
  /// Whether the set has what a slot of a lane has.
  static COUNTPM_HD bool has(const Set& set, unsigned slot, unsigned lane) {
    return (set.word[slot / 2] >> (slot % 2 * 32 + lane) & 1) != 0;
  }
  /// Precondition: not empty.
  static COUNTPM_HD unsigned lowest(const Set& set) {
    unsigned result = 0;
    COUNTPM_UNROLL
    for (unsigned w = words; w-- > 0;) {
      if (set.word[w] != 0) result = 64 * w + lowest_bit(set.word[w]);
    }
    return result;
  }
  static COUNTPM_HD unsigned highest(const Set& set) {
    unsigned result = 0;
    COUNTPM_UNROLL
    for (unsigned w = 0; w < words; ++w) {
      if (set.word[w] != 0) result = 64 * w + highest_bit(set.word[w]);
    }
    return result;
  }
  // By value: a choice between places would put all of them into memory.
  static COUNTPM_HD unsigned either(bool first, unsigned a, unsigned b) { return first ? a : b; }
  static COUNTPM_HD Set either(bool first, const Set& a, const Set& b) {
    Set set;
    COUNTPM_UNROLL
    for (unsigned w = 0; w < words; ++w) {
      const std::uint64_t of_a = a.word[w];
      const std::uint64_t of_b = b.word[w];
      set.word[w] = first ? of_a : of_b;
    }
    return set;
  }
  /// What the lane of a row or column has, told to all.
  template <class T>
  COUNTPM_HD T at(const PerLane<T> (&value)[Slots], unsigned place) const {
    PerLane<T> own;
    warp_.each([&](unsigned lane) {
      own[lane] = value[0][lane];
      each_slot([&](unsigned s) { own[lane] = either(place / 32 == s, value[s][lane], own[lane]); });
    });
    return warp_.broadcast(own, place % 32);
  }

  COUNTPM_HD double weighted(double factor, const double* weight, unsigned line, unsigned place) const {
    if constexpr (Weighted) return factor * weight[line * task_.size + place];
    return factor;
  }
  /// As estimate/walks/walk.hpp's, each sum a lane's, in ascending order.
  COUNTPM_HD void sinkhorn() {
    warp_.sync();
    for (std::uint32_t step = 0; step < task_.settings.steps; ++step) {
      sweep(column_, shared_.row_factor, task_.weight, shared_.column_factor);
      sweep(row_, shared_.column_factor, task_.transposed, shared_.row_factor);
    }
  }
  /// weight[size * member + own].
  COUNTPM_HD void sweep(const PerLane<Set> (&sets)[Slots], const double* factor, const double* weight,
                        double* own) {
    warp_.each([&](unsigned lane) {
      each_slot([&](unsigned s) {
        if (sets[s][lane].empty()) return;
        double sum = 0;
        COUNTPM_UNROLL
        for (unsigned w = 0; w < words; ++w) {
          for (std::uint64_t left = sets[s][lane].word[w]; left != 0; left &= left - 1) {
            const unsigned member = 64 * w + lowest_bit(left);
            sum += weighted(factor[member], weight, member, lane + 32 * s);
          }
        }
        own[lane + 32 * s] = clamped_factor(1 / sum);
      });
    });
    warp_.sync();
  }

  /// Of the rows with the fewest columns one at random.
  COUNTPM_HD unsigned sparsest_row(WarpRandom<Warp>& random) {
    PerLane<unsigned> degree;
    warp_.each([&](unsigned lane) {
      degree[lane] = none + 1;
      each_slot([&](unsigned s) {
        const unsigned own = row_[s][lane].count_with(row_[s][lane]);
        if (has(open_, s, lane) && own < degree[lane]) degree[lane] = own;
      });
    });
    const unsigned least = warp_.reduce(degree, [](unsigned a, unsigned b) { return a < b ? a : b; });
    const Set ties = rows_where([&](unsigned s, unsigned lane) {
      return has(open_, s, lane) && row_[s][lane].count_with(row_[s][lane]) == least;
    });
    return ties.member(ties, next_of(random, ties.count_with(ties)));
  }

  /// As estimate/walks/walk.hpp's choose_column where all factors are 1.
  COUNTPM_HD unsigned any_column(unsigned row, WarpRandom<Warp>& random, Scaled& result) {
    const Set columns = at(row_, row);
    const unsigned degree = columns.count_with(columns);
    if (degree == 0) return none;
    const auto which = static_cast<unsigned>(uniform(random) * degree);
    result.multiply(degree);
    return columns.member(columns, which < degree ? which : degree - 1);
  }

  COUNTPM_HD unsigned column_by_factor(unsigned row, WarpRandom<Warp>& random, Scaled& result) {
    const Set columns = at(row_, row);
    if (columns.empty()) return none;
    // The lane of a column keeps the sum up to it.
    PerLane<double> below[Slots];
    double total = 0;
    each_slot([&](unsigned s) {
      auto left = static_cast<std::uint32_t>(columns.word[s / 2] >> (s % 2 * 32));
      for (; left != 0; left &= left - 1) {
        const unsigned bit = lowest_bit(left);
        total += weighted(shared_.column_factor[32 * s + bit], task_.weight, row, 32 * s + bit);
        warp_.each([&](unsigned lane) {
          if (lane == bit) below[s][lane] = total;
        });
      }
    });
    const double wanted = uniform(random) * total;
    const Set beyond =
        common(rows_where([&](unsigned s, unsigned lane) { return below[s][lane] > wanted; }), columns);
    const unsigned column = beyond.empty() ? highest(columns) : lowest(beyond);
    result.multiply(total / shared_.column_factor[column]);
    return column;
  }

  COUNTPM_HD void take(unsigned row, unsigned column) {
    const Set rows = without(shared_.component[row], single(row));
    warp_.sync();
    const unsigned goal = at(row_mate_, row);
    const unsigned start = at(column_mate_, column);
    open_ = without(open_, single(row));
    const Set the_row = single(row);
    const Set the_column = single(column);
    warp_.each([&](unsigned lane) {
      each_slot([&](unsigned s) {
        const unsigned own = lane + 32 * s;
        row_[s][lane] = own == row ? Set{} : without(row_[s][lane], the_column);
        column_[s][lane] = own == column ? Set{} : without(column_[s][lane], the_row);
        if (own == row) row_mate_[s][lane] = none;
        if (own == column) column_mate_[s][lane] = none;
      });
    });
    if (goal != column) mend_matching(start, goal);
    prune(rows);
  }

  /// The row and the column have lost one another's mates: an alternating path joins them.
  COUNTPM_HD void mend_matching(unsigned start, unsigned goal) {
    PerLane<unsigned> reached_by[Slots];
    Set level = single(start);
    Set seen;
    while (!has(seen, goal)) {
      const Set reached =
          without(rows_where([&](unsigned s, unsigned lane) { return meet(column_[s][lane], level); }), seen);
      if (reached.empty()) return;  // never: the edge was in a perfect matching
      warp_.each([&](unsigned lane) {
        each_slot([&](unsigned s) {
          if (has(reached, s, lane)) reached_by[s][lane] = lowest(common(column_[s][lane], level));
        });
      });
      COUNTPM_UNROLL
      for (unsigned w = 0; w < words; ++w) seen.word[w] |= reached.word[w];
      level = rows_where([&](unsigned s, unsigned lane) { return has(reached, row_mate_[s][lane]); });
    }
    for (unsigned column = goal;;) {
      const unsigned row = at(reached_by, column);
      const unsigned before = at(row_mate_, row);
      warp_.each([&](unsigned lane) {
        each_slot([&](unsigned s) {
          if (lane + 32 * s == row) row_mate_[s][lane] = column;
          if (lane + 32 * s == column) column_mate_[s][lane] = row;
        });
      });
      if (row == start) return;
      column = before;
    }
  }

  /// Cuts `rows`, which no edge leaves, into strongly connected components.
  COUNTPM_HD void prune(Set rows) {
    while (!rows.empty()) {
      const unsigned root = lowest(rows);
      const Set component = common(reaching(root), reached_from(root));
      const Set columns =
          rows_where([&](unsigned s, unsigned lane) { return has(component, column_mate_[s][lane]); });
      warp_.each([&](unsigned lane) {
        each_slot([&](unsigned s) {
          const bool in_rows = has(component, s, lane);
          const bool in_columns = has(columns, s, lane);
          row_[s][lane] = in_rows ? common(row_[s][lane], columns) : without(row_[s][lane], columns);
          column_[s][lane] =
              in_columns ? common(column_[s][lane], component) : without(column_[s][lane], component);
          if (in_rows) shared_.component[lane + 32 * s] = component;
        });
      });
      rows = without(rows, component);
    }
    warp_.sync();
  }
  /// The rows from which alternating paths lead to the root.
  COUNTPM_HD Set reaching(unsigned root) const {
    Set rows = single(root);
    for (;;) {
      const Set columns =
          rows_where([&](unsigned s, unsigned lane) { return has(rows, column_mate_[s][lane]); });
      const Set more = rows_where([&](unsigned s, unsigned lane) { return meet(row_[s][lane], columns); });
      if (equal(more, rows)) return rows;
      rows = more;
    }
  }
  COUNTPM_HD Set reached_from(unsigned root) const {
    Set rows = single(root);
    for (;;) {
      const Set columns = rows_where([&](unsigned s, unsigned lane) { return meet(column_[s][lane], rows); });
      const Set more =
          rows_where([&](unsigned s, unsigned lane) { return has(columns, row_mate_[s][lane]); });
      if (equal(more, rows)) return rows;
      rows = more;
    }
  }

  Warp& warp_;
  const PrunedBitsTask<words>& task_;
  Shared& shared_;
  Set open_;
  PerLane<Set> row_[Slots];
  PerLane<Set> column_[Slots];
  PerLane<unsigned> row_mate_[Slots];
  PerLane<unsigned> column_mate_[Slots];
};

template <unsigned Slots, bool Weighted>
struct PrunedBitsKernel {
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = Slots == 1 ? 8 : Slots == 2 ? 6 : 3;
  static constexpr unsigned words = (Slots + 1) / 2;

  PrunedBitsTask<words> task;
  SampleNumbers numbers;
  Scaled* samples;

  static constexpr std::size_t shared_bytes() { return threads / 32 * sizeof(PrunedBitsShared<Slots>); }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    using Walk = PrunedBitsWarp<typename Block::Warp, Slots, Weighted>;
    auto* shared = block.template shared<PrunedBitsShared<Slots>>();
    block.each_warp([&](auto& warp) {
      Walk walk(warp, task, shared[warp.index() % (threads / 32)]);
      for (std::uint64_t k = warp.index(); k < numbers.count; k += warp.count()) {
        WarpRandom<typename Block::Warp> random(warp, numbers.seed, numbers.stream, numbers.first + k);
        Scaled sample = walk.sample(random);
        sample.exponent += numbers.exponent;
        warp.once([&] { samples[k] = sample; });
      }
    });
  }
};

}  // namespace countpm
