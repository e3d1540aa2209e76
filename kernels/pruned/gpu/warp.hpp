#pragma once
// The walk of a PruneTree by one of a GPU's warps, and by the CPU for tests (kernels/gpu/cpu_executor.hpp
// says how a kernel is written). pruned/gpu/layout.hpp describes the tables.
//
// Before the tail every lane walks by itself (pruned/gpu/lane_walk.hpp), and rows without tail columns alone
// prune. A node that comes through, a bottom, goes to a slot; when the slots are full, all lanes together
// take the bottoms one after another: looks leave the set of tail subsets that no row zeroes, and those join
// a queue of leaves. Whenever 32 leaves wait, each lane multiplies the rows of one.
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/wide_integer.hpp"
#include "kernels/pruned/gpu/lane.hpp"
#include "kernels/pruned/gpu/lane_walk.hpp"
#include "kernels/pruned/gpu/layout.hpp"
#include "kernels/pruned/gpu/tuning.hpp"

namespace countpm {

template <class Warp, unsigned limbs, unsigned lane_bytes, unsigned words>
class PrunedWarp {
 public:
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;
  using Pack = pruned_lane::Packed<lane_bytes>;
  using Wide = WideInteger<limbs>;
  using Walk = PrunedWalk<lane_bytes, words>;
  static constexpr std::uint32_t everyone = ~std::uint32_t{0};

  COUNTPM_HD_INLINE PrunedWarp(Warp& given_warp, const DeviceShape& given_shape,
                               const std::int64_t* given_ways, const std::uint32_t* given_tables,
                               unsigned char* own)
      : warp(given_warp), shape(given_shape), ways(given_ways), tables(given_tables) {
    offsets = reinterpret_cast<std::uint32_t*>(own);
    heads = reinterpret_cast<Wide*>(own + std::size_t{2} * 4 * shape.looks);
    slots = reinterpret_cast<std::uint32_t*>(heads + shape.slots);
    queue = reinterpret_cast<std::uint16_t*>(slots + shape.slots * shape.stride);
    warp.each([&](unsigned l) {
      total[l] = WideInteger<limbs>::of(0);
      root_set[l] = reinterpret_cast<const std::uint64_t*>(tables + shape.root_set_at())[l];
    });
  }

  /// Items as the counter hands them out, all of them. The classes' digits are the caller's, so that
  /// all else can live in registers.
  COUNTPM_HD_INLINE void run(const DeviceItems& items, PerLane<ClassDigits>& digits) {
    PerLane<Walk> walk;
    warp.each([&](unsigned l) { walk[l].state = LaneState::idle; });
    bool more = true;
    for (bool done = false; !done;) {
      const std::uint32_t idle = warp.ballot([&](unsigned l) { return walk[l].state == LaneState::idle; });
      if (more && idle != 0) {
        more = hand_out(items, idle, walk, digits);
        worked = 0;
      } else if (idle != 0) {
        done = idle == everyone;
        share(idle, walk);
      }
      warp.each([&](unsigned l) { walk[l].step(shape, tables, digits[l]); });
      ++worked;
      if (!more && worked > items.budget) {
        warp.each([&](unsigned l) { walk[l].leave(shape, items); });
        worked = 0;
      }
      const std::uint32_t arrived =
          warp.ballot([&](unsigned l) { return walk[l].state == LaneState::bottom; });
      if (arrived != 0) take_in(arrived, walk, digits);
      if (bottoms == shape.slots || done) {
        finish();
        // a warp whose lanes are all busy for long is to know when others have nothing to do
        more = more && take(items, 0) < items.count;
      }
    }
  }

  /// What all of it adds up to.
  COUNTPM_HD_INLINE Wide sum() {
    return warp.reduce(total, [](Wide a, const Wide& b) {
      a.add(b);
      return a;
    });
  }

 private:
  struct alignas(16) Four {
    std::uint32_t a, b, c, d;
  };
  struct alignas(8) Two {
    std::uint32_t a, b;
  };

  /// The counter as it was before `many` were added to it.
  COUNTPM_HD_INLINE std::uint64_t take(const DeviceItems& items, std::uint64_t many) {
    PerLane<std::uint64_t> taken;
    warp.each([&](unsigned l) {
      taken[l] = 0;
      if (l == 0) taken[l] = add_atomically(items.next, many);
    });
    return warp.broadcast(taken, 0);
  }

  /// An item for each idle lane; whether there may be more.
  COUNTPM_HD_INLINE bool hand_out(const DeviceItems& items, std::uint32_t idle, PerLane<Walk>& walk,
                                  PerLane<ClassDigits>& digits) {
    const std::uint64_t first = take(items, pruned_lane::bit_count(idle));
    warp.each([&](unsigned l) {
      if ((idle >> l & 1) == 0) return;
      const std::uint64_t item = first + pruned_lane::bit_count(idle & ((std::uint32_t{1} << l) - 1));
      if (item < items.count) walk[l].start(shape, tables, items, item, digits[l]);
    });
    return first + pruned_lane::bit_count(idle) < items.count;
  }

  /// Lanes with nodes that wait give one each to the idle ones.
  COUNTPM_HD_INLINE void share(std::uint32_t idle, PerLane<Walk>& walk) {
    const std::uint32_t givers =
        warp.ballot([&](unsigned l) { return walk[l].waiting(shape, pruned_tuning::least_shared) != 0; });
    if (givers == 0) return;
    const unsigned pairs = pruned_lane::smaller(pruned_lane::bit_count(givers), pruned_lane::bit_count(idle));
    PerLane<DeviceNode> given;
    PerLane<unsigned> giver;
    warp.each([&](unsigned l) {
      const std::uint32_t before = (std::uint32_t{1} << l) - 1;
      if ((givers >> l & 1) != 0 && pruned_lane::bit_count(givers & before) < pairs)
        given[l] = walk[l].pass_on(walk[l].waiting(shape, pruned_tuning::least_shared));
      giver[l] = nth_bit(givers, pruned_lane::smaller(pruned_lane::bit_count(idle & before), pairs - 1));
    });
    const PerLane<DeviceNode> got = warp.from(given, giver);
    warp.each([&](unsigned l) {
      const std::uint32_t before = (std::uint32_t{1} << l) - 1;
      if ((idle >> l & 1) != 0 && pruned_lane::bit_count(idle & before) < pairs)
        walk[l].start(shape, tables, got[l]);
    });
  }

  /// Bottoms go to slots, as many as there are, and their lanes go on.
  COUNTPM_HD_INLINE void take_in(std::uint32_t arrived, PerLane<Walk>& walk, PerLane<ClassDigits>& digits) {
    warp.each([&](unsigned l) {
      const unsigned slot = bottoms + pruned_lane::bit_count(arrived & ((std::uint32_t{1} << l) - 1));
      if ((arrived >> l & 1) == 0 || slot >= shape.slots) return;
      std::uint32_t* const to = slots + slot * shape.stride;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
      for (unsigned w = 0; w < words; ++w) {
        if (w < 2 * shape.factors) to[w] = walk[l].sums[w];
      }
      heads[slot].word[0] = static_cast<std::uint64_t>(walk[l].weight(shape, tables, ways, digits[l]));
      walk[l].turn_back();
    });
    bottoms = pruned_lane::smaller(bottoms + pruned_lane::bit_count(arrived), shape.slots);
  }

  /// Everything below the bottoms.
  COUNTPM_HD_INLINE void finish() {
    warp.sync();
    warp.each([&](unsigned l) {
      if (l >= bottoms) return;
      Wide product = WideInteger<limbs>::of(static_cast<std::int64_t>(heads[l].word[0]));
      for (unsigned f = shape.tail_factors; f < shape.factors; ++f) {
        const Two sums = two(slots + l * shape.stride, f);
        product.multiply(Pack::product(sums.a, sums.b));
      }
      heads[l] = product;
    });
    for (unsigned slot = 0; slot < bottoms; slot += 2) {
      PerLane<std::uint64_t> set;
      PerLane<std::uint64_t> other;
      const bool two = slot + 1 < bottoms;
      look(slot, slot + (two ? 1 : 0), set, other);
      if (!two) warp.each([&](unsigned l) { other[l] = 0; });
      queue_leaves(slot, set, other);
    }
    multiply(waiting);
    worked += bottoms;
    bottoms = 0;
  }

  /// The tail subsets below two bottoms that no row zeroes: of two, because a look waits for another.
  COUNTPM_HD_INLINE void look(unsigned slot, unsigned other_slot, PerLane<std::uint64_t>& set,
                              PerLane<std::uint64_t>& other) {
    const auto* const looks = reinterpret_cast<const MaskLookup*>(tables + shape.looks_at());
    const auto* const sums = reinterpret_cast<const unsigned char*>(slots + slot * shape.stride);
    const auto* const other_sums = reinterpret_cast<const unsigned char*>(slots + other_slot * shape.stride);
    warp.sync();
    for (unsigned first = 0; first < shape.looks; first += 32) {
      warp.each([&](unsigned l) {
        if (first + l >= shape.looks) return;
        const MaskLookup one = looks[first + l];
        offsets[first + l] = offset(one, sums);
        offsets[shape.looks + first + l] = offset(one, other_sums);
      });
    }
    warp.sync();
    warp.each([&](unsigned l) {
      const auto* const masks = reinterpret_cast<const unsigned char*>(tables) + l * sizeof(std::uint64_t);
      const auto mask = [&](std::uint32_t at) { return *reinterpret_cast<const std::uint64_t*>(masks + at); };
      set[l] = other[l] = root_set[l];
      for (unsigned k = 0; k < shape.looks; k += 4) {
        const Four four = *reinterpret_cast<const Four*>(offsets + k);
        const Four more = *reinterpret_cast<const Four*>(offsets + shape.looks + k);
        set[l] &= mask(four.a) & mask(four.b) & mask(four.c) & mask(four.d);
        other[l] &= mask(more.a) & mask(more.b) & mask(more.c) & mask(more.d);
      }
    });
  }

  /// Of the masks of these sums, from the first lane's.
  static COUNTPM_HD_INLINE std::uint32_t offset(const MaskLookup& look, const unsigned char* sums) {
    const std::uint32_t a = pruned_lane::smaller(look.floor_a - Pack::sum_at(sums + look.at_a), look.reach_a);
    const std::uint32_t b = pruned_lane::smaller(look.floor_b - Pack::sum_at(sums + look.at_b), look.reach_b);
    return look.base + a * look.stride + b * static_cast<std::uint32_t>(32 * sizeof(std::uint64_t));
  }

  /// The subsets that are left to two bottoms join the queue, in which at most 31 wait before.
  COUNTPM_HD_INLINE void queue_leaves(unsigned slot, PerLane<std::uint64_t>& set,
                                      PerLane<std::uint64_t>& other) {
    // a lane's leaves begin where those of the lanes before it end
    PerLane<std::uint32_t> end;
    warp.each(
        [&](unsigned l) { end[l] = pruned_lane::bit_count(set[l]) + pruned_lane::bit_count(other[l]); });
    const std::uint32_t many = warp.running_sum(end);
    if (waiting + many <= leaf_queue) {
      warp.each([&](unsigned l) {
        std::uint16_t* to =
            queue + waiting + end[l] - pruned_lane::bit_count(set[l]) - pruned_lane::bit_count(other[l]);
        put(to, set[l], slot, l);
        put(to, other[l], slot + 1, l);
      });
      waiting += many;
      while (waiting >= 32) multiply(32);
    } else {
      queue_one_by_one(slot, set);
      queue_one_by_one(slot + 1, other);
    }
  }

  /// All of a lane's set.
  static COUNTPM_HD_INLINE void put(std::uint16_t*& to, std::uint64_t set, unsigned slot, unsigned lane) {
    auto word = static_cast<std::uint32_t>(set);
    for (unsigned half = 0; half < 2; ++half) {
      const unsigned leaf = slot << 11 | half << 10 | lane;
      while (word != 0) {
        const unsigned bit = pruned_lane::highest_bit(word);
        word ^= std::uint32_t{1} << bit;
        *to++ = static_cast<std::uint16_t>(leaf + (bit << 5));
      }
      word = static_cast<std::uint32_t>(set >> 32);
    }
  }

  /// Sets that are too large for the queue: a leaf of each lane at a time.
  COUNTPM_HD_INLINE void queue_one_by_one(unsigned slot, PerLane<std::uint64_t>& set) {
    for (;;) {
      const std::uint32_t some = warp.ballot([&](unsigned l) { return set[l] != 0; });
      if (some == 0) break;
      warp.each([&](unsigned l) {
        if (set[l] == 0) return;
        const unsigned bit = pruned_lane::lowest_bit(set[l]);
        set[l] &= set[l] - 1;
        const unsigned before = pruned_lane::bit_count(some & ((std::uint32_t{1} << l) - 1));
        queue[waiting + before] = static_cast<std::uint16_t>(slot << 11 | bit << 5 | l);
      });
      waiting += pruned_lane::bit_count(some);
      if (waiting >= 32) multiply(32);
    }
  }

  static COUNTPM_HD_INLINE Two two(const std::uint32_t* packed, unsigned factor) {
    return reinterpret_cast<const Two*>(packed)[factor];
  }

  /// The products of the last `count` <= 32 leaves.
  COUNTPM_HD_INLINE void multiply(unsigned count) {
    warp.sync();
    warp.each([&](unsigned l) {
      const std::uint32_t leaf = l < count ? queue[waiting - count + l] : 0;
      const std::uint32_t slot = leaf >> 11;
      const std::uint32_t* const node = slots + slot * shape.stride;
      const std::uint32_t* const by_lane = tables + shape.tail_lane_at() + (leaf & 31) * shape.stride;
      const std::uint32_t* const by_bit = tables + shape.tail_bit_at() + (leaf >> 5 & 63) * shape.stride;
      const std::int64_t odd = pruned_lane::bit_count(leaf & 0x7ff) & 1;
      Wide product = WideInteger<limbs>::of(l < count ? 1 - 2 * odd : 0);
      for (unsigned f = 0; f < shape.tail_factors; ++f) {
        const Two a = two(node, f);
        const Two b = two(by_lane, f);
        const Two c = two(by_bit, f);
        product.multiply(Pack::product(a.a + b.a + c.a, a.b + b.b + c.b));
      }
      product.multiply(heads[slot]);
      total[l].add(product);
    });
    warp.sync();
    waiting -= count;
    ++worked;
  }

  Warp& warp;
  const DeviceShape& shape;
  const std::int64_t* ways;
  const std::uint32_t* tables;
  std::uint32_t* offsets;  // [2][looks] of two bottoms' masks
  Wide* heads;             // [slots] products of the rows that the tail leaves alone; first the weights alone
  std::uint32_t* slots;    // [slots][stride] packed rows
  std::uint16_t* queue;    // [leaf_queue] slot, bit, lane
  unsigned bottoms = 0;    // in slots
  unsigned waiting = 0;
  unsigned worked = 0;  // since an item was last taken, or nodes were left: steps, looks, products
  PerLane<std::uint64_t> root_set;
  PerLane<Wide> total;
};

}  // namespace countpm
