#pragma once
// The walk of a PruneTree by one of a GPU's warps, depth first, and by the CPU for tests
// (kernels/cuda/cpu_executor.hpp says how a kernel is written). shift_layout.hpp describes the tables.
//
// A lane keeps two row sums and a word of the tail set, of 32 or 64 bits. A node before the tail hands the
// subsets that are left to a queue of leaves, and whenever 32 of them wait, each lane multiplies the rows of
// one.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/cuda/atomic.hpp"
#include "kernels/shift/shift_layout.hpp"
#include "kernels/shift/shift_step.hpp"
#include "kernels/shift/shift_tuning.hpp"

namespace countpm {

/// What a warp adds up.
template <unsigned limbs>
struct DeviceTally {
  shift_step::Wide<limbs> sum;
  std::uint64_t visits;
  std::uint64_t leaves;
};

/// A node that a warp has left to others: below `place` the levels before `level` are decided by the bits of
/// `chosen`.
struct DeviceNode {
  std::uint64_t place;
  std::uint64_t chosen;
  std::uint64_t level;
};

/// What the warps take in turn. Item i is place i, or where there are nodes the i-th of them. Place p is
/// prefix (p / 2^split) / range * units + first_unit + that remainder, with the next `split` levels decided
/// by the low bits of p.
struct DeviceItems {
  const std::uint8_t* digits = nullptr;  // [count][levels]
  const DeviceNode* nodes = nullptr;
  std::uint64_t* next = nullptr;  // item
  std::uint64_t last = 0;
  std::uint64_t count = 0;
  std::uint64_t first_unit = 0;
  std::uint64_t range = 1;
  std::uint64_t units = 1;
  std::uint32_t levels = 0;  // of a prefix
  std::uint32_t split = 0;
  // A warp that has looked at so many nodes below an item leaves those that wait to others, as long as there
  // is room for them.
  std::uint32_t budget = 0;
  std::uint64_t room = 0;
  DeviceNode* left = nullptr;  // [room]
  std::uint64_t* left_count = nullptr;
};

/// Set: a lane's word of a tail set.
template <class Warp, unsigned limbs, unsigned lane_bytes, class Set>
class ShiftWarp {
 public:
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;
  using Pack = shift_step::Packed<lane_bytes>;
  using Wide = shift_step::Wide<limbs>;
  static constexpr unsigned bit_bits = sizeof(Set) == 4 ? 5 : 6;  // of the number of a set's bit
  using Leaf = std::conditional_t<sizeof(Set) == 4, std::uint16_t, std::uint32_t>;

  COUNTPM_SHIFT_INLINE ShiftWarp(Warp& given_warp, const DeviceShape& given_shape,
                                 const std::int64_t* given_ways, const DeviceLaneRows* rows,
                                 const unsigned char* tables, unsigned char* own)
      : warp(given_warp), shape(given_shape), ways(given_ways) {
    masks = tables;
    levels = reinterpret_cast<const DeviceLaneLevel*>(tables + std::size_t{shape.mask_words} * 4);
    tail_lane = reinterpret_cast<const std::uint32_t*>(levels + shape.head * 32);
    tail_bit = tail_lane + 32 * shape.stride;
    offsets = reinterpret_cast<std::uint32_t*>(own);
    weights = reinterpret_cast<std::int64_t*>(own + 256);
    slots = reinterpret_cast<std::uint32_t*>(own + 256 + node_slots * 8);
    queue = reinterpret_cast<Leaf*>(slots + node_slots * shape.stride);
    warp.each([&](unsigned l) {
      row[l] = rows[l];
      total[l] = shift_step::widened<limbs>(0);
    });
  }

  struct Saved {
    std::uint32_t sums;
    Set set;
  };
  /// A lane's share of the nodes that wait, by level.
  struct Waiting {
    // cppcheck-suppress uninitMemberVar
    COUNTPM_SHIFT_INLINE Waiting() {}  // anything: what is read has been written
    Saved at[most_device_levels];
  };

  /// All items below items.last, one after another as the counter hands them out. The stack is the caller's,
  /// so that all else can live in registers.
  COUNTPM_SHIFT_INLINE void run(const DeviceItems& items, PerLane<Waiting>& stack) {
    for (;;) {
      const std::uint64_t item = take(items.next, 1);
      if (item >= items.last) break;
      const DeviceNode node = items.nodes == nullptr ? DeviceNode{item, 0, 0} : items.nodes[item];
      walk(items, node, stack);
    }
    multiply(waiting);
  }

  COUNTPM_SHIFT_INLINE DeviceTally<limbs> tally() {
    const Wide sum = warp.reduce(total, [](Wide a, const Wide& b) {
      shift_step::add_to(a, b);
      return a;
    });
    return {sum, visits, leaves};
  }

 private:
  /// The counter as it was before `many` were added to it.
  COUNTPM_SHIFT_INLINE std::uint64_t take(std::uint64_t* counter, std::uint64_t many) {
    PerLane<std::uint64_t> taken;
    warp.each([&](unsigned l) {
      taken[l] = 0;
      if (l == 0) taken[l] = add_atomically(counter, many);
    });
    return warp.broadcast(taken, 0);
  }

  COUNTPM_SHIFT_INLINE PerLane<DeviceLaneLevel> lanes_of(unsigned k) const {
    PerLane<DeviceLaneLevel> result;
    warp.each([&](unsigned l) { result[l] = levels[k * 32 + l]; });
    return result;
  }

  /// The sums with `digit` more copies of a level's column.
  COUNTPM_SHIFT_INLINE void add_column(const PerLane<DeviceLaneLevel>& lane_level, PerLane<std::int32_t>& a,
                                       PerLane<std::int32_t>& b, std::int32_t digit) const {
    warp.each([&](unsigned l) {
      const std::uint32_t column = lane_level[l].column;
      a[l] += digit * static_cast<std::int16_t>(column);
      b[l] += digit * (static_cast<std::int32_t>(column) >> 16);
    });
  }

  /// Whether a row without tail columns that a level closes is zero.
  COUNTPM_SHIFT_INLINE bool zeroed(const PerLane<DeviceLaneLevel>& lane_level, const PerLane<std::int32_t>& a,
                                   const PerLane<std::int32_t>& b) const {
    return warp.ballot([&](unsigned l) {
      const std::uint32_t flags = lane_level[l].flags;
      return ((flags & 1) != 0 && a[l] == 0) || ((flags & 2) != 0 && b[l] == 0);
    }) != 0;
  }

  /// Where the masks of a lane's rows are.
  COUNTPM_SHIFT_INLINE std::uint32_t offset_of(const DeviceLaneRows& rows, std::uint32_t flags,
                                               std::int32_t a, std::int32_t b) const {
    const auto open_a = static_cast<std::uint32_t>(static_cast<std::int32_t>(flags) >> 31);
    const auto open_b = static_cast<std::uint32_t>(static_cast<std::int32_t>(flags << 1) >> 31);
    const std::uint32_t index_a =
        shift_step::smaller(static_cast<std::uint32_t>(rows.floor_a - a) | open_a, rows.reach_a);
    const std::uint32_t index_b =
        shift_step::smaller(static_cast<std::uint32_t>(rows.floor_b - b) | open_b, rows.reach_b);
    return rows.base + index_a * rows.stride + index_b * static_cast<std::uint32_t>(32 * sizeof(Set));
  }

  /// Whether the rows that level k closes leave anything; takes what they zero out of the set.
  COUNTPM_SHIFT_INLINE bool close(unsigned k, const PerLane<DeviceLaneLevel>& lane_level,
                                  const PerLane<std::int32_t>& a, const PerLane<std::int32_t>& b,
                                  PerLane<Set>& set) {
    const DeviceLevel level = shape.levels[k];
    if (level.tests != 0 && zeroed(lane_level, a, b)) return false;
    return level.first_pair == level.last_pair || mask_one(level, lane_level, a, b, set);
  }

  /// The masks alone.
  COUNTPM_SHIFT_INLINE bool mask_one(const DeviceLevel& level, const PerLane<DeviceLaneLevel>& lane_level,
                                     const PerLane<std::int32_t>& a, const PerLane<std::int32_t>& b,
                                     PerLane<Set>& set) {
    warp.sync();
    warp.each([&](unsigned l) { offsets[l] = offset_of(row[l], lane_level[l].flags, a[l], b[l]); });
    warp.sync();
    unsigned pair = level.first_pair;
    const unsigned last = level.last_pair;
    while (pair < last) {
      if (pair % 4 == 0 && pair + 4 <= last) {
        const Quad four = *reinterpret_cast<const Quad*>(offsets + pair);
        warp.each([&](unsigned l) {
          set[l] &= mask(four.a, l) & mask(four.b, l) & mask(four.c, l) & mask(four.d, l);
        });
        pair += 4;
      } else {
        const std::uint32_t one = offsets[pair];
        warp.each([&](unsigned l) { set[l] &= mask(one, l); });
        ++pair;
      }
    }
    return warp.ballot([&](unsigned l) { return set[l] != 0; }) != 0;
  }

  /// The masks of two siblings at once.
  COUNTPM_SHIFT_INLINE void mask_both(const DeviceLevel& level, const PerLane<DeviceLaneLevel>& lane_level,
                                      const PerLane<std::int32_t>& a, const PerLane<std::int32_t>& b,
                                      PerLane<Set>& set, const PerLane<std::int32_t>& with_a,
                                      const PerLane<std::int32_t>& with_b, PerLane<Set>& with_set) {
    warp.sync();
    warp.each([&](unsigned l) {
      const std::uint32_t flags = lane_level[l].flags;
      offsets[l] = offset_of(row[l], flags, a[l], b[l]);
      offsets[32 + l] = offset_of(row[l], flags, with_a[l], with_b[l]);
    });
    warp.sync();
    unsigned pair = level.first_pair;
    const unsigned last = level.last_pair;
    while (pair < last) {
      if (pair % 4 == 0 && pair + 4 <= last) {
        const Quad four = *reinterpret_cast<const Quad*>(offsets + pair);
        const Quad with = *reinterpret_cast<const Quad*>(offsets + 32 + pair);
        warp.each([&](unsigned l) {
          set[l] &= mask(four.a, l) & mask(four.b, l) & mask(four.c, l) & mask(four.d, l);
          with_set[l] &= mask(with.a, l) & mask(with.b, l) & mask(with.c, l) & mask(with.d, l);
        });
        pair += 4;
      } else {
        const std::uint32_t one = offsets[pair];
        const std::uint32_t with = offsets[32 + pair];
        warp.each([&](unsigned l) {
          set[l] &= mask(one, l);
          with_set[l] &= mask(with, l);
        });
        ++pair;
      }
    }
  }

  struct alignas(16) Quad {
    std::uint32_t a, b, c, d;
  };
  COUNTPM_SHIFT_INLINE Set mask(std::uint32_t offset, unsigned lane) const {
    return *reinterpret_cast<const Set*>(masks + offset + lane * static_cast<unsigned>(sizeof(Set)));
  }

  /// Everything below a node.
  COUNTPM_SHIFT_INLINE void walk(const DeviceItems& items, const DeviceNode& node, PerLane<Waiting>& stack) {
    const std::uint64_t place = node.place >> items.split;
    const std::uint64_t prefix = place / items.range * items.units + items.first_unit + place % items.range;
    if (prefix >= items.count) return;
    PerLane<std::int32_t> a;
    PerLane<std::int32_t> b;
    PerLane<Set> set;
    warp.each([&](unsigned l) {
      a[l] = row[l].sum_a;
      b[l] = row[l].sum_b;
      set[l] = static_cast<Set>(row[l].set);
    });
    std::uint32_t odd = 0;  // whether the prefix holds an odd number of single columns
    std::int64_t prefix_weight = 1;
    const unsigned start = items.levels + items.split;
    const unsigned first = node.level > start ? static_cast<unsigned>(node.level) : start;
    for (unsigned k = 0; k < first; ++k) {
      const unsigned digit = k < items.levels ? items.digits[prefix * items.levels + k]
                             : k < start      ? static_cast<unsigned>(node.place >> (start - 1 - k)) & 1
                                              : static_cast<unsigned>(node.chosen >> k) & 1;
      if (shape.levels[k].copies == 1) {
        if (k < start) odd ^= digit;
      } else {
        prefix_weight *= ways[shape.ways[k] + digit];
      }
      const PerLane<DeviceLaneLevel> lane_level = lanes_of(k);
      add_column(lane_level, a, b, static_cast<std::int32_t>(digit));
      if (!close(k, lane_level, a, b, set)) return;
    }

    // At level k a node waits where bit k of `pending` is set: of a single column the child with it, which
    // lives; of a class the parent with so many copies in, to be looked at.
    std::uint64_t pending = 0;
    std::uint64_t chosen = node.chosen;  // bit k: column k is in; single columns from `start` on only
    std::int64_t weight = prefix_weight;
    std::uint8_t next_digit[most_device_levels];
    unsigned k = first;
    std::uint32_t seen = 0;
    bool may_leave = shape.classes == 0;
    for (;;) {
      bool down = false;  // whether there is a node at level k; else the last one that waits is next
      if (k == shape.head) {
        hand_on(a, b, set, odd ^ (shift_step::bit_count(chosen) & 1), weight);
      } else if (shape.levels[k].copies == 1) {
        seen += 2;
        const DeviceLevel level = shape.levels[k];
        PerLane<std::int32_t> with_a = a;
        PerLane<std::int32_t> with_b = b;
        PerLane<Set> with_set = set;
        const PerLane<DeviceLaneLevel> lane_level = lanes_of(k);
        add_column(lane_level, with_a, with_b, 1);
        bool with = true;
        down = true;
        if (level.tests != 0) {
          with = !zeroed(lane_level, with_a, with_b);
          down = !zeroed(lane_level, a, b);
        }
        if (with && down) {
          if (level.first_pair != level.last_pair) {
            mask_both(level, lane_level, a, b, set, with_a, with_b, with_set);
            with = warp.ballot([&](unsigned l) { return with_set[l] != 0; }) != 0;
            down = warp.ballot([&](unsigned l) { return set[l] != 0; }) != 0;
          }
        } else if (with || down) {
          if (with) {
            a = with_a;
            b = with_b;
            chosen |= std::uint64_t{1} << k;
          }
          with = false;
          down = level.first_pair == level.last_pair || mask_one(level, lane_level, a, b, set);
        }
        if (with && down) {
          pending |= std::uint64_t{1} << k;
          warp.each([&](unsigned l) { stack[l].at[k] = {packed(with_a[l], with_b[l]), with_set[l]}; });
        } else if (with) {
          a = with_a;
          b = with_b;
          set = with_set;
          chosen |= std::uint64_t{1} << k;
          down = true;
        }
        if (down) ++k;
      } else {
        pending |= std::uint64_t{1} << k;
        next_digit[k] = 0;
        warp.each([&](unsigned l) { stack[l].at[k] = {packed(a[l], b[l]), set[l]}; });
      }
      while (!down) {
        if (seen > items.budget && may_leave && pending != 0) {
          pending = leave(items, node.place, chosen, pending);
          may_leave = false;
        }
        if (pending == 0) {
          visits += seen;
          return;
        }
        k = shift_step::highest_bit(pending);
        chosen &= (std::uint64_t{1} << k) - 1;
        warp.each([&](unsigned l) {
          const Saved saved = stack[l].at[k];
          a[l] = static_cast<std::int16_t>(saved.sums);
          b[l] = static_cast<std::int32_t>(saved.sums) >> 16;
          set[l] = saved.set;
        });
        if (shape.levels[k].copies == 1) {
          pending &= ~(std::uint64_t{1} << k);
          chosen |= std::uint64_t{1} << k;
          down = true;
        } else {
          ++seen;
          const unsigned digit = next_digit[k]++;
          const PerLane<DeviceLaneLevel> lane_level = lanes_of(k);
          if (digit == shape.levels[k].copies) {
            pending &= ~(std::uint64_t{1} << k);
          } else {
            PerLane<std::int32_t> with_a = a;
            PerLane<std::int32_t> with_b = b;
            add_column(lane_level, with_a, with_b, 1);
            warp.each([&](unsigned l) { stack[l].at[k].sums = packed(with_a[l], with_b[l]); });
          }
          down = close(k, lane_level, a, b, set);
        }
        if (down) ++k;
        if (shape.classes != 0) {
          weight = prefix_weight;
          for (unsigned level = start; level < k; ++level) {
            if (shape.levels[level].copies != 1) weight *= ways[shape.ways[level] + next_digit[level] - 1];
          }
        }
      }
    }
  }

  /// Leaves the nodes that wait to others; those that there is no room for still wait.
  COUNTPM_SHIFT_INLINE std::uint64_t leave(const DeviceItems& items, std::uint64_t place,
                                           std::uint64_t chosen, std::uint64_t pending) {
    std::uint64_t at = take(items.left_count, shift_step::bit_count(pending));
    while (pending != 0 && at < items.room) {
      const unsigned k = shift_step::highest_bit(pending);
      const std::uint64_t bit = std::uint64_t{1} << k;
      warp.once([&] { items.left[at] = {place, (chosen & (bit - 1)) | bit, k + 1}; });
      pending &= ~bit;
      ++at;
    }
    return pending;
  }

  static COUNTPM_SHIFT_INLINE std::uint32_t packed(std::int32_t a, std::int32_t b) {
    return (static_cast<std::uint32_t>(b) << 16) | (static_cast<std::uint32_t>(a) & 0xffff);
  }

  /// The subsets that are left to a node before the tail join the queue. At most 31 leaves of as many nodes
  /// wait there before, so that 32 slots suffice.
  COUNTPM_SHIFT_INLINE void hand_on(const PerLane<std::int32_t>& a, const PerLane<std::int32_t>& b,
                                    PerLane<Set>& set, std::uint32_t odd, std::int64_t weight) {
    slot = (slot + 1) % node_slots;
    warp.each([&](unsigned l) {
      if (l * 2 < shape.factors * 2 * Pack::rows)
        reinterpret_cast<typename Pack::Half*>(slots + slot * shape.stride)[l] = Pack::pack(a[l], b[l]);
      if (l == 0 && shape.classes != 0) weights[slot] = weight;
    });
    for (;;) {
      const std::uint32_t some = warp.ballot([&](unsigned l) { return set[l] != 0; });
      if (some == 0) break;
      warp.each([&](unsigned l) {
        if (set[l] == 0) return;
        const unsigned bit = shift_step::lowest_bit(set[l]);
        set[l] &= set[l] - 1;
        const unsigned before = shift_step::bit_count(some & ((std::uint32_t{1} << l) - 1));
        queue[(oldest + waiting + before) % leaf_queue] =
            static_cast<Leaf>(odd << (10 + bit_bits) | slot << (5 + bit_bits) | bit << 5 | l);
      });
      waiting += shift_step::bit_count(some);
      if (waiting >= 32) multiply(32);
    }
  }

  /// The products of the oldest `count` <= 32 leaves.
  COUNTPM_SHIFT_INLINE void multiply(unsigned count) {
    warp.sync();
    warp.each([&](unsigned l) {
      const std::uint32_t leaf = queue[(oldest + l) % leaf_queue];
      const std::uint32_t lane = l < count ? leaf & 31 : 0;
      const std::uint32_t bit = l < count ? leaf >> 5 & (8 * sizeof(Set) - 1) : 0;
      const std::uint32_t from = l < count ? leaf >> (5 + bit_bits) & 31 : 0;
      const std::uint32_t odd =
          (leaf >> (10 + bit_bits) ^ shift_step::bit_count(lane) ^ shift_step::bit_count(bit)) & 1;
      const std::uint32_t* const node = slots + from * shape.stride;
      const std::uint32_t* const by_lane = tail_lane + lane * shape.stride;
      const std::uint32_t* const by_bit = tail_bit + bit * shape.stride;
      const std::int64_t sign = l < count ? 1 - 2 * static_cast<std::int64_t>(odd) : 0;
      Wide product = shift_step::widened<limbs>(
          sign * Pack::product(node[0] + by_lane[0] + by_bit[0], node[1] + by_lane[1] + by_bit[1]));
      for (unsigned f = 2; f < 2 * shape.factors; f += 2) {
        shift_step::multiply(product, Pack::product(node[f] + by_lane[f] + by_bit[f],
                                                    node[f + 1] + by_lane[f + 1] + by_bit[f + 1]));
      }
      if (shape.classes != 0) shift_step::multiply(product, weights[from]);
      shift_step::add_to(total[l], product);
    });
    warp.sync();
    leaves += count;
    oldest = (oldest + count) % leaf_queue;
    waiting -= count;
  }

  Warp& warp;
  const DeviceShape& shape;
  const std::int64_t* ways;
  const unsigned char* masks;
  const DeviceLaneLevel* levels;
  const std::uint32_t* tail_lane;
  const std::uint32_t* tail_bit;
  std::uint32_t* offsets;  // [2][32] of the pairs' masks, of a node and its sibling
  std::int64_t* weights;   // [node_slots]
  std::uint32_t* slots;    // [node_slots][stride] packed rows
  Leaf* queue;             // [leaf_queue], a ring
  unsigned slot = 0;
  unsigned oldest = 0;
  unsigned waiting = 0;
  std::uint64_t visits = 0;
  std::uint64_t leaves = 0;
  PerLane<DeviceLaneRows> row;
  PerLane<Wide> total;
};

}  // namespace countpm
