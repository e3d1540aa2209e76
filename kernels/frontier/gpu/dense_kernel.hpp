#pragma once
// A step over whole tables on a GPU (dense_layout.hpp says what is counted, kernels/gpu/cpu_executor.hpp
// how a kernel is written).
//
// A warp takes the sets of one high part after another. Its lanes find where the runs begin, of the new sets
// and of each kind of predecessor, one each; then they walk through the run side by side, so that what they
// write stands in a row, and what they read, too, wherever the neighbour is in the high part. High parts of
// as many ones, a class, have runs of one length; they are numbered class by class.
#include <algorithm>
#include <cstdint>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/arithmetic/host_device.hpp"
#include "kernels/frontier/gpu/dense_layout.hpp"
#include "kernels/frontier/gpu/tuning.hpp"

namespace countpm {

namespace dense_step {

/// Of the `rank`-th set of `ones` of `width` bits those above the lowest `low`; what is left of the rank is
/// the one among the sets that have them. binomials: dense_binomials().
COUNTPM_HD inline std::uint64_t high_of_rank(const std::uint64_t* binomials, unsigned width, unsigned low,
                                             unsigned ones, std::uint64_t& rank) {
  std::uint64_t set = 0;
  for (unsigned at = width; at-- > low && ones > 0;) {
    const std::uint64_t without = binomials[at * 65 + ones];
    if (rank < without) continue;
    rank -= without;
    set |= std::uint64_t{1} << (at - low);
    --ones;
  }
  return set;
}
/// The `rank`-th set of `ones` of `width` bits.
COUNTPM_HD inline std::uint64_t set_of_rank(const std::uint64_t* binomials, unsigned width, unsigned ones,
                                            std::uint64_t rank) {
  return high_of_rank(binomials, width, 0, ones, rank);
}

/// The next one of as many ones (R. W. Gosper). Precondition: there is one, and set != 0.
COUNTPM_HD inline std::uint64_t next_set(std::uint64_t set) {
  const std::uint64_t lowest = set & (~set + 1);
  const std::uint64_t carried = set + lowest;
  return (set ^ carried) >> 2 >> lowest_bit(set) | carried;
}

/// The rank of the first set with this high part, above `low` bits of which `ones` are one.
COUNTPM_HD inline std::uint64_t first_rank(const std::uint64_t* binomials, std::uint64_t high, unsigned low,
                                           unsigned ones) {
  std::uint64_t rank = 0;
  for (; high != 0; high &= high - 1) rank += binomials[(low + lowest_bit(high)) * 65 + ++ones];
  return rank;
}

/// Where a value is, as a number, and the value there: on a GPU in global memory, which its compiler then
/// knows.
template <class T>
COUNTPM_HD std::uint64_t address_of(T* value) {
#ifdef __CUDA_ARCH__
  return __cvta_generic_to_global(value);
#else
  return reinterpret_cast<std::uintptr_t>(value);
#endif
}
template <class T>
COUNTPM_HD T* value_at(std::uint64_t address) {
#ifdef __CUDA_ARCH__
  return static_cast<T*>(__cvta_global_to_generic(address));
#else
  return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr)
#endif
}

/// With a zero put in at bit `at`.
COUNTPM_HD inline std::uint64_t spread(std::uint64_t set, unsigned at) {
  const std::uint64_t below = set & ((std::uint64_t{1} << at) - 1);
  return set >> at << at << 1 | below;
}

}  // namespace dense_step

/// What every step has in common, on the device.
struct DenseTables {
  const std::uint64_t* binomials = nullptr;
  const std::uint16_t* low_sets = nullptr;   // DenseLowSets
  const std::uint16_t* low_ranks = nullptr;  // [2^low_bits]
  std::uint32_t low_first[most_dense_low_bits + 2] = {};
  std::uint32_t low_bits = 0;

  /// Of a block: the low parts of the new sets, turned into those of the old ones, and the ranks.
  std::size_t shared_bytes() const { return 2 * (std::size_t{sizeof(std::uint16_t)} << low_bits); }
};

/// A step as the device has it.
struct DenseRound {
  DenseShape shape;
  DenseClasses classes;
  const DensePull* pulls = nullptr;
  std::uint32_t pull_count = 0;
  const std::uint8_t* removed = nullptr;
  std::uint32_t removed_count = 0;
};

/// Places of an old table that lie in a row: those from `first` on. A run of predecessors lies in one of them
/// as a whole.
template <class Element>
struct DenseSource {
  const Element* values = nullptr;  // of the first; none: they are left out
  std::uint64_t first = 0;
  std::uint64_t places = 0;
};

/// The high parts number first .. last - 1 of a step; a warp takes `chunk` of them in a row.
template <class R>
struct DenseKernel {
  static constexpr unsigned threads = frontier_tuning::threads;
  static constexpr unsigned blocks_per_multiprocessor = frontier_tuning::dense_blocks;
  using Element = typename R::Element;
  // Places that a lane works on at a time: no more of 4 bytes than of 8, for what is kept of each beside its
  // sum.
  static constexpr unsigned rows =
      frontier_tuning::dense_bytes_a_lane / (sizeof(Element) < 8 ? 8 : sizeof(Element));
  static constexpr unsigned pulls_at_once = 31;  // the last lane finds where the new run begins
  static constexpr std::uint32_t no_place = std::uint32_t{1} << 31;

  DenseTables tables;
  DenseRound round;
  std::uint64_t first;
  std::uint64_t last;
  std::uint64_t chunk;
  R ring;
  const Element* weights;
  /// Predecessors elsewhere are left out.
  DenseSource<Element> sources[most_dense_sources];
  std::uint32_t source_count;
  bool adds;  // to what is there
  Element* to;
  std::uint64_t to_first;  // the new table's place that is to[0]
  std::uint32_t* missed;  // becomes 1 where a predecessor is in none of the sources; null: some are elsewhere

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    std::uint16_t* sets = block.template shared<std::uint16_t>();
    std::uint16_t* ranks = sets + (std::size_t{1} << tables.low_bits);
    block.each([&](unsigned thread) {
      for (std::uint32_t k = thread; k < std::uint32_t{1} << tables.low_bits; k += threads) {
        std::uint64_t set = tables.low_sets[k];
        for (std::uint32_t r = 0; r < round.shape.removed_low; ++r)
          set = dense_step::spread(set, round.removed[r]);
        sets[k] = static_cast<std::uint16_t>(set);
        ranks[k] = tables.low_ranks[k];
      }
    });
    block.sync();
    block.each_warp([&](auto& warp) {
      for (std::uint64_t start = first + warp.index() * chunk; start < last; start += warp.count() * chunk) {
        const std::uint64_t end = last - start < chunk ? last : start + chunk;
        walk(warp, sets, ranks, start, end);
      }
    });
  }

 private:
  template <class Warp>
  COUNTPM_HD void walk(const Warp& warp, const std::uint16_t* sets, const std::uint16_t* ranks,
                       std::uint64_t start, std::uint64_t end) const {
    const DenseClasses& classes = round.classes;
    const unsigned width = round.shape.to_width - round.shape.to_low;
    std::uint32_t c = 0;
    std::uint64_t high = 0;
    for (std::uint64_t number = start; number < end; ++number) {
      if (number == start || number == classes.first[c + 1]) {
        while (number >= classes.first[c + 1]) ++c;
        const unsigned ones = round.shape.to_ones - (classes.least + c);
        high = dense_step::set_of_rank(tables.binomials, width, ones,
                                       number - classes.first[c] + classes.start[c]);
      } else {
        high = dense_step::next_set(high);
      }
      make_run(warp, sets, ranks, high, classes.least + c);
    }
  }

  /// All new sets of a high part, `ones` in the low one.
  template <class Warp>
  COUNTPM_HD void make_run(const Warp& warp, const std::uint16_t* sets, const std::uint16_t* ranks,
                           std::uint64_t high, unsigned ones) const {
    const auto length = static_cast<std::uint32_t>(tables.binomials[round.shape.to_low * 65 + ones]);
    const std::uint16_t* low = sets + tables.low_first[ones];
    for (std::uint32_t batch = 0; batch == 0 || batch < round.pull_count; batch += pulls_at_once) {
      typename Warp::template PerLane<std::uint64_t> begin;
      const std::uint32_t taken = warp.ballot([&](unsigned lane) {
        if (lane < pulls_at_once) return find_run(batch + lane, high, begin[lane]);
        begin[lane] = dense_step::address_of(
            to + (dense_step::first_rank(tables.binomials, high, round.shape.to_low, ones) - to_first));
        return false;
      });
      auto* const at = dense_step::value_at<Element>(warp.broadcast(begin, pulls_at_once));
      for (std::uint32_t place = 0; place < length; place += 32 * rows)
        pull(warp, ranks, low, begin, taken, batch, place, length, at);
    }
  }

  /// The address where the predecessors of a kind begin; false where there are none. (Kept as places of a
  /// source they took more registers than there are.)
  COUNTPM_HD bool find_run(std::uint32_t number, std::uint64_t high, std::uint64_t& begin) const {
    if (number >= round.pull_count) return false;
    const DensePull& kind = round.pulls[number];
    if ((high & kind.high_mask) != kind.high_value) return false;
    const DenseShape& shape = round.shape;
    const unsigned kept = shape.kept_width - shape.to_low;
    std::uint64_t old = kept == 64 ? high : high & ((std::uint64_t{1} << kept) - 1);
    for (std::uint32_t r = shape.removed_low; r < round.removed_count; ++r)
      old = dense_step::spread(old, round.removed[r] - shape.from_low);
    old ^= kind.high_flip;
    const unsigned above = bit_count(old);
    if (above > shape.from_ones || shape.from_ones - above > shape.from_low) return false;
    const std::uint64_t rank =
        dense_step::first_rank(tables.binomials, old, shape.from_low, shape.from_ones - above);
    for (std::uint32_t s = 0; s < source_count; ++s) {
      const std::uint64_t place = rank - sources[s].first;
      if (place >= sources[s].places) continue;
      if (sources[s].values == nullptr) return false;
      begin = dense_step::address_of(sources[s].values + place);
      return true;
    }
    if (missed != nullptr) *missed = 1;
    return false;
  }

  /// 32 * rows places of a run.
  template <class Warp>
  COUNTPM_HD void pull(const Warp& warp, const std::uint16_t* ranks, const std::uint16_t* low,
                       const typename Warp::template PerLane<std::uint64_t>& begin, std::uint32_t taken,
                       std::uint32_t batch, std::uint32_t place, std::uint32_t length, Element* at) const {
    typename Warp::template PerLane<Element> sum[rows];
    typename Warp::template PerLane<std::uint32_t> set[rows];
    COUNTPM_UNROLL
    for (unsigned row = 0; row < rows; ++row) {
      warp.each([&](unsigned lane) {
        const std::uint32_t own = place + row * 32 + lane;
        const bool there = own < length;
        set[row][lane] = there ? low[own] : no_place;
        sum[row][lane] = there && (adds || batch != 0) ? at[own] : ring.zero();
      });
    }
    const std::uint32_t low_bits = (std::uint32_t{1} << tables.low_bits) - 1;
    for (; taken != 0; taken &= taken - 1) {
      const unsigned k = lowest_bit(taken);
      const DensePull& kind = round.pulls[batch + k];
      const auto* source = dense_step::value_at<const Element>(warp.broadcast(begin, k));
      const std::uint32_t mask = kind.low_mask | no_place;
      const std::uint32_t value = kind.low_value;
      const std::uint32_t flip = kind.low_flip;
      const Element weight = weights[kind.weight];
      const bool unit = weight == ring.one();
      // All of them are on their way before the first one is waited for. Where a set has no predecessor of
      // the kind, its rank is looked up, too: that of another set of low bits.
      typename Warp::template PerLane<std::uint32_t> rank[rows];
      COUNTPM_UNROLL
      for (unsigned row = 0; row < rows; ++row) {
        warp.each([&](unsigned lane) { rank[row][lane] = ranks[(set[row][lane] ^ flip) & low_bits]; });
      }
      typename Warp::template PerLane<Element> pulled[rows];
      COUNTPM_UNROLL
      for (unsigned row = 0; row < rows; ++row) {
        warp.each([&](unsigned lane) {
          const bool there = (set[row][lane] & mask) == value;
          pulled[row][lane] = there ? source[rank[row][lane]] : ring.zero();
        });
      }
      COUNTPM_UNROLL
      for (unsigned row = 0; row < rows; ++row) {
        warp.each([&](unsigned lane) {
          ring.add_to(sum[row][lane], unit ? pulled[row][lane] : ring.mul(pulled[row][lane], weight));
        });
      }
    }
    COUNTPM_UNROLL
    for (unsigned row = 0; row < rows; ++row) {
      warp.each([&](unsigned lane) {
        const std::uint32_t own = place + row * 32 + lane;
        if (own < length) at[own] = sum[row][lane];
      });
    }
  }
};

}  // namespace countpm
