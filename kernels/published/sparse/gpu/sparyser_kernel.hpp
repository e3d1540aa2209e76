#pragma once
// sparyser on a GPU: every thread walks over 2^walked subsets in Gray-code order, all threads of a launch
// flip the same column at the same time, lightest columns most often, and only subsets without a zero row
// cost a product (K. Kaya, Turk. J. Elec. Eng. & Comp. Sci. 27 (2019)). Columns are compressed by packing:
// four or two rows a word, so that a flip is one addition a word, whatever the entries, and a look for zero
// rows two. The products of a warp's threads wait until there are 32 (lane.hpp).
//
// Compiles without nvcc, for the CPU executor.
#include "kernels/published/sparse/gpu/lane.hpp"

namespace countpm::gray {

template <class Packed, unsigned W>
struct SparyserKernel {
  using Total = WideInteger<W>;
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks_per_multiprocessor = Packed::words <= 16 ? 3 : 2;

  unsigned walked = 0;                     // columns 0 .. walked - 1
  unsigned chosen = 0;                     // by the bits of the item: columns walked .. walked + chosen - 1
  const std::uint32_t* columns = nullptr;  // [column][Packed::stride]
  const std::uint32_t* still = nullptr;    // [Packed::words] top bits of the rows that no walked column has
  const std::uint32_t* starts = nullptr;   // [prefix][Packed::words]: the row sums without these columns
  const std::uint8_t* minuses = nullptr;   // [prefix]: whether its terms count negatively
  std::uint64_t first = 0;                 // items first .. last - 1: prefix << chosen | chosen columns
  std::uint64_t last = 0;
  Total* totals = nullptr;  // [warp of the grid], added to

  /// Shared memory: the columns, then each warp's queue.
  static std::size_t columns_bytes(unsigned columns) {
    return std::size_t{columns} * Packed::stride * sizeof(std::uint32_t);
  }
  template <class Warp>
  using Queue = ProductQueue<Warp, Packed, W>;
  static std::size_t shared_bytes(unsigned columns) {
    return columns_bytes(columns) + threads / 32 * std::size_t{64} * Packed::words * sizeof(std::uint32_t);
  }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    const unsigned table = (walked + chosen) * Packed::stride;
    auto* const shared = block.template shared<std::uint32_t>();
    block.each([&](unsigned thread) {
      for (unsigned k = thread; k < table; k += threads) shared[k] = columns[k];
    });
    block.sync();
    block.each_warp([&](typename Block::Warp& warp) {
      const auto in_block = static_cast<unsigned>(warp.index() % (threads / 32));
      using Own = Queue<typename Block::Warp>;
      Own queue(warp, shared + table + in_block * (Own::bytes / sizeof(std::uint32_t)));
      for (std::uint64_t base = first + warp.index() * 32; base < last; base += warp.count() * 32)
        walk(warp, queue, shared, base);
      queue.flush();
      const Total total = queue.total();
      warp.once([&] { totals[warp.index()].add(total, false); });
    });
  }

 private:
  /// Items base .. base + 31, one a lane.
  template <class Warp, class Own>
  COUNTPM_HD void walk(Warp& warp, Own& queue, const std::uint32_t* table, std::uint64_t base) const {
    typename Warp::template PerLane<Packed> sums;
    typename Warp::template PerLane<std::uint32_t> minus;
    const std::uint32_t alive = warp.ballot([&](unsigned l) {
      const std::uint64_t item = base + l;
      if (item >= last) return false;
      const std::uint64_t prefix = item >> chosen;
      const std::uint64_t choice = item & ((std::uint64_t{1} << chosen) - 1);
      sums[l].load(starts + prefix * Packed::words);
      for (std::uint64_t left = choice; left != 0; left &= left - 1)
        sums[l].add(table + (walked + lowest_bit(left)) * Packed::stride);
      minus[l] = (minuses[prefix] ^ bit_count(choice)) & 1;
      // A zero row that stays zero takes the whole walk.
      return !sums[l].any_zero(still);
    });
    if (alive == 0) return;
    const std::uint32_t steps = std::uint32_t{1} << walked;
    for (std::uint32_t step = 0; step < steps; ++step) {
      if (step != 0) {
        const unsigned column = lowest_bit(step);
        const std::uint32_t* const entries = table + column * Packed::stride;
        // The same branch for all threads of a launch.
        if ((step >> column & 2) == 0) {
          warp.each([&](unsigned l) { sums[l].add(entries); });
        } else {
          warp.each([&](unsigned l) { sums[l].subtract(entries); });
        }
      }
      const std::uint32_t counting = warp.ballot([&](unsigned l) { return sums[l].product_counts(); });
      queue.push(counting & alive, sums, [&](unsigned l) { return ((minus[l] ^ step) & 1) != 0; });
    }
  }
};

}  // namespace countpm::gray
