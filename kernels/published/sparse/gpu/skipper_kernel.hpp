#pragma once
// skipper on a GPU: every thread jumps through a range of Gray indices of its own. Row sums are packed into
// registers, which rows are zero is a mask, and the next index is the largest, over zero rows, of the next
// one at which a column of the row flips (skip_walk.hpp). The columns that flip most often are not flipped
// one by one: a table has the sums of all their subsets. Products wait until a warp has 32 of them.
//
// Ranges are as uneven as the zeros. A warp takes 32 at a time and gives up those that last too long: what
// is left of a range is cut into pieces, the items of the next launch.
//
// Compiles without nvcc, for the CPU executor.
#include "kernels/gpu/atomic.hpp"
#include "kernels/published/sparse/gpu/lane.hpp"

namespace countpm::gray {

/// Gray indices begin .. end - 1 of a prefix.
struct SkipRange {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t prefix;
};

/// Of the row at one place of the masks of zero rows: its inner columns by position. Rows with a higher
/// lowest position have lower places.
struct SkipRow {
  std::uint64_t columns;
  std::uint64_t lowest;  // none: no_position
};
inline constexpr std::uint64_t no_position = 64;

/// What the warps take in turn: first `listed` ranges, then those of places: place p is piece p mod 2^split
/// of prefix p >> split.
struct SkipItems {
  const SkipRange* list = nullptr;
  std::uint64_t listed = 0;
  std::uint64_t first_place = 0;
  std::uint64_t count = 0;  // of both kinds
  unsigned split = 0;
  std::uint64_t* next = nullptr;
  // What is given up, in at most `pieces` pieces each; there is room for all.
  SkipRange* left = nullptr;
  std::uint64_t* left_count = nullptr;
  unsigned pieces = 1;
  // Steps after which a warp gives up what it has, and after which it does where most lanes have ended.
  unsigned budget = 1;
  unsigned patience = 1;
};

template <class Packed, unsigned W>
struct SkipperKernel {
  using Total = WideInteger<W>;
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks_per_multiprocessor = Packed::words <= 8 ? 4 : Packed::words <= 12 ? 3 : 2;
  static constexpr unsigned most_fast = Packed::words <= 16 ? 8 : 6;
  static constexpr unsigned most_positions = 63;

  unsigned positions = 0;                  // inner columns
  unsigned fast = 0;                       // positions 0 .. fast - 1 are in the table of sums
  const std::uint32_t* columns = nullptr;  // [position][Packed::stride]
  const std::uint32_t* subsets = nullptr;  // [subset of the fast positions][Packed::stride]
  const SkipRow* rows = nullptr;           // [place in the masks]
  const std::uint32_t* starts = nullptr;   // [prefix][Packed::words]
  const std::uint8_t* minuses = nullptr;   // [prefix]
  SkipItems items;
  Total* totals = nullptr;          // [warp of the grid], added to
  std::uint64_t* visits = nullptr;  // [warp of the grid], added to

  static constexpr unsigned places = Packed::masks * 32;
  /// Shared memory: rows, columns, subsets, then each warp's queue.
  static std::size_t shared_bytes(unsigned positions, unsigned fast) {
    return places * sizeof(SkipRow) +
           (positions + (std::size_t{1} << fast)) * Packed::stride * sizeof(std::uint32_t) +
           threads / 32 * std::size_t{64} * Packed::words * sizeof(std::uint32_t);
  }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    auto* const row_table = block.template shared<SkipRow>();
    auto* const column_table = block.template shared<std::uint32_t>(places * sizeof(SkipRow));
    std::uint32_t* const subset_table = column_table + positions * Packed::stride;
    std::uint32_t* const queues = subset_table + (Packed::stride << fast);
    block.each([&](unsigned thread) {
      for (unsigned k = thread; k < places; k += threads) row_table[k] = rows[k];
      for (unsigned k = thread; k < positions * Packed::stride; k += threads) column_table[k] = columns[k];
      for (unsigned k = thread; k < Packed::stride << fast; k += threads) subset_table[k] = subsets[k];
    });
    block.sync();
    block.each_warp([&](typename Block::Warp& warp) {
      using Own = ProductQueue<typename Block::Warp, Packed, W>;
      const auto in_block = static_cast<unsigned>(warp.index() % (threads / 32));
      Own queue(warp, queues + in_block * (Own::bytes / sizeof(std::uint32_t)));
      std::uint64_t seen = 0;
      for (;;) {
        const std::uint64_t base = take(warp, items.next, 32);
        if (base >= items.count) break;
        seen += walk(warp, queue, row_table, column_table, subset_table, base);
      }
      queue.flush();
      const Total total = queue.total();
      warp.once([&] {
        totals[warp.index()].add(total, false);
        visits[warp.index()] += seen;
      });
    });
  }

 private:
  /// The counter as it was before `many` were added to it.
  template <class Warp>
  COUNTPM_HD static std::uint64_t take(Warp& warp, std::uint64_t* counter, std::uint64_t many) {
    typename Warp::template PerLane<std::uint64_t> taken;
    warp.each([&](unsigned l) {
      taken[l] = 0;
      if (l == 0) taken[l] = add_atomically(counter, many);
    });
    return warp.broadcast(taken, 0);
  }

  COUNTPM_HD SkipRange range_of(std::uint64_t item) const {
    if (item < items.listed) return items.list[item];
    const std::uint64_t place = items.first_place + (item - items.listed);
    const std::uint64_t piece = place & ((std::uint64_t{1} << items.split) - 1);
    const unsigned size = positions - items.split;
    return {piece << size, (piece + 1) << size, place >> items.split};
  }

  COUNTPM_HD static std::uint64_t code(std::uint64_t index) { return index ^ index >> 1; }

  /// The next Gray index at which a row that is zero now may have changed; beyond all where none can.
  COUNTPM_HD static std::uint64_t jump(const SkipRow* table, const std::uint32_t (&zero)[Packed::masks],
                                       std::uint64_t index) {
    std::uint64_t best = 0;
    std::uint64_t reach = 0;
    COUNTPM_UNROLL
    for (unsigned m = 0; m < Packed::masks; ++m) {
      for (std::uint32_t left = zero[m]; left != 0; left &= left - 1) {
        const SkipRow row = table[32 * m + lowest_bit(left)];
        // Rows to come hardly reach further: as on the CPU, a jump that is too short costs a visit.
        if (best != 0 && row.lowest + 1 < reach) return best;
        if (row.lowest == no_position) return ~std::uint64_t{0};
        std::uint64_t candidate = ((index >> row.lowest) + 1) << row.lowest;
        // Odd multiples of 2^lowest flip `lowest` itself, which is in the row.
        if ((row.columns >> lowest_bit(candidate) & 1) == 0) candidate += std::uint64_t{1} << row.lowest;
        if (candidate > best) best = candidate;
        if (row.lowest > reach) reach = row.lowest;
      }
    }
    return best;
  }

  /// Items base .. base + 31, one a lane; how many subsets were visited.
  template <class Warp, class Own>
  COUNTPM_HD std::uint64_t walk(Warp& warp, Own& queue, const SkipRow* row_table,
                                const std::uint32_t* column_table, const std::uint32_t* subset_table,
                                std::uint64_t base) const {
    typename Warp::template PerLane<Packed> slow;  // row sums without the fast positions
    typename Warp::template PerLane<Packed> sums;
    typename Warp::template PerLane<SkipRange> range;  // begin: where the lane is; its end: has ended
    typename Warp::template PerLane<std::uint64_t> next;
    typename Warp::template PerLane<std::uint32_t> minus;
    warp.each([&](unsigned l) {
      if (base + l >= items.count) {
        range[l] = {0, 0, 0};
        return;
      }
      range[l] = range_of(base + l);
      slow[l].load(starts + range[l].prefix * Packed::words);
      for (std::uint64_t in = code(range[l].begin) >> fast; in != 0; in &= in - 1)
        slow[l].add(column_table + (fast + lowest_bit(in)) * Packed::stride);
      minus[l] = minuses[range[l].prefix];
    });
    std::uint64_t seen = 0;
    for (unsigned step = 1;; ++step) {
      const std::uint32_t active = warp.ballot([&](unsigned l) { return range[l].begin < range[l].end; });
      const unsigned lanes = bit_count(active);
      if (lanes == 0) break;
      if (step > items.budget || (step > items.patience && lanes < 16)) {
        give_up(warp, range);
        break;
      }
      seen += lanes;
      const std::uint32_t counting = warp.ballot([&](unsigned l) {
        if ((active >> l & 1) == 0) return false;
        const std::uint64_t low = code(range[l].begin) & ((std::uint64_t{1} << fast) - 1);
        sums[l] = slow[l];
        sums[l].add(subset_table + low * Packed::stride);
        std::uint32_t zero[Packed::masks];
        sums[l].zero_rows(zero);
        std::uint32_t any = 0;
        COUNTPM_UNROLL
        for (unsigned m = 0; m < Packed::masks; ++m) any |= zero[m];
        next[l] = any == 0 ? range[l].begin + 1 : jump(row_table, zero, range[l].begin);
        return any == 0;
      });
      queue.push(counting, sums, [&](unsigned l) { return ((range[l].begin ^ minus[l]) & 1) != 0; });
      warp.each([&](unsigned l) {
        if ((active >> l & 1) == 0) return;
        if (next[l] >= range[l].end) {
          range[l].begin = range[l].end;
          return;
        }
        const std::uint64_t target = code(next[l]) >> fast;
        for (std::uint64_t changed = target ^ code(range[l].begin) >> fast; changed != 0;
             changed &= changed - 1) {
          const unsigned position = lowest_bit(changed);
          slow[l].flip(column_table + (fast + position) * Packed::stride, (target >> position & 1) == 0);
        }
        range[l].begin = next[l];
      });
    }
    return seen;
  }

  /// What is left of the lanes' ranges becomes items of the next launch.
  template <class Warp>
  COUNTPM_HD void give_up(Warp& warp, typename Warp::template PerLane<SkipRange>& range) const {
    warp.each([&](unsigned l) {
      const std::uint64_t size = range[l].end - range[l].begin;
      if (size == 0) return;
      const std::uint64_t part = (size + items.pieces - 1) / items.pieces;
      const std::uint64_t parts = (size + part - 1) / part;
      std::uint64_t at = add_atomically(items.left_count, parts);
      for (std::uint64_t begin = range[l].begin; begin < range[l].end; begin += part) {
        const std::uint64_t end = range[l].end - begin < part ? range[l].end : begin + part;
        items.left[at++] = {begin, end, range[l].prefix};
      }
    });
  }
};

}  // namespace countpm::gray
