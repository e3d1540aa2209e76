#pragma once
// One lane's walk of a PruneTree before the tail, for the CPU and the device alike: depth first, a column a
// step. pruned/gpu/layout.hpp describes the tables.
#include <cstdint>

#include "kernels/gpu/atomic.hpp"
#include "kernels/pruned/gpu/lane.hpp"
#include "kernels/pruned/gpu/layout.hpp"

namespace countpm {

/// A node of a tree without classes that a lane leaves to others: the levels before `level` are decided by
/// the bits of `chosen`.
struct DeviceNode {
  std::uint64_t chosen;
  std::uint64_t level;
};

/// The numbers below `size` in another order, neighbours far apart: what is heavy has heavy neighbours, and a
/// warp takes neighbours. Number i is column i / rows of row i % rows, that one's bits reversed; what is
/// beyond the end is to be skipped.
struct SpreadRange {
  static constexpr unsigned row_bits = 10;
  static constexpr std::uint64_t rows = std::uint64_t{1} << row_bits;
  std::uint64_t size = 0;
  std::uint64_t columns = 0;

  SpreadRange() = default;
  explicit SpreadRange(std::uint64_t given) : size(given), columns((given + rows - 1) / rows) {}
  /// How many numbers are to be asked for.
  COUNTPM_HD_INLINE std::uint64_t asked() const { return rows * columns; }
  COUNTPM_HD_INLINE std::uint64_t at(std::uint64_t i) const {
    const std::uint32_t row = pruned_lane::reversed(static_cast<std::uint32_t>(i)) >> (32 - row_bits);
    return row * columns + (i >> row_bits);
  }
};

/// What the lanes take in turn: all nodes, then places from first_place on. Place p is prefix (p / 2^split) /
/// range * units + first_unit + that remainder, with the next `split` levels decided by the low bits of p.
struct DeviceItems {
  const DeviceNode* nodes = nullptr;
  SpreadRange node_range;
  SpreadRange place_range;
  std::uint64_t first_place = 0;  // of those asked for
  std::uint64_t count = 0;        // of nodes and places asked for
  std::uint64_t* next = nullptr;
  const std::uint8_t* digits = nullptr;  // [prefixes][levels]
  std::uint64_t prefixes = 0;
  std::uint64_t first_unit = 0;
  std::uint64_t range = 1;
  std::uint64_t units = 1;
  std::uint32_t levels = 0;  // of a prefix
  std::uint32_t split = 0;
  // When all items are taken, a warp that has done so many steps, looks at bottoms and products leaves the
  // nodes that wait to the next launch, as long as there is room for them.
  std::uint32_t budget = 0;
  std::uint64_t room = 0;
  DeviceNode* left = nullptr;  // [room]
  std::uint64_t* left_count = nullptr;
};

/// Of each class of equal columns, how many are in.
struct ClassDigits {
  // cppcheck-suppress uninitMemberVar
  COUNTPM_HD_INLINE ClassDigits() {}  // anything: what is read has been written
  std::uint8_t at[most_device_levels];
};

enum class LaneState : std::uint8_t { idle, down, back, bottom };

/// words: of the packed sums, as in the shape.
template <unsigned lane_bytes, unsigned words>
class PrunedWalk {
 public:
  std::uint32_t sums[words];
  LaneState state = LaneState::idle;

  /// To the item's first level: the digits before it are decided on the way down.
  COUNTPM_HD_INLINE void start(const DeviceShape& shape, const std::uint32_t* tables,
                               const DeviceItems& items, std::uint64_t item, ClassDigits& digits) {
    const std::uint64_t nodes = items.node_range.asked();
    if (item < nodes) {
      const std::uint64_t node = items.node_range.at(item);
      if (node < items.node_range.size) start(shape, tables, items.nodes[node]);
      return;
    }
    const std::uint64_t place = items.place_range.at(items.first_place + (item - nodes));
    if (place >= items.place_range.size) return;
    const std::uint64_t at = place >> items.split;
    const std::uint64_t prefix = at / items.range * items.units + items.first_unit + at % items.range;
    if (prefix >= items.prefixes) return;
    std::uint64_t chosen = 0;
    for (std::uint32_t k = 0; k < items.levels; ++k) {
      const std::uint8_t digit = items.digits[prefix * items.levels + k];
      if (shape.classes != 0) digits.at[k] = digit;
      if (copies_of(level(shape, tables, k), shape) == 1) chosen |= std::uint64_t{digit} << k;
    }
    const std::uint32_t first = items.levels + items.split;
    for (std::uint32_t k = items.levels; k < first; ++k) chosen |= (place >> (first - 1 - k) & 1) << k;
    start(shape, tables, {chosen, first});
  }
  COUNTPM_HD_INLINE void start(const DeviceShape& shape, const std::uint32_t* tables,
                               const DeviceNode& node) {
    chosen_ = node.chosen;
    first_ = static_cast<std::uint32_t>(node.level);
    level_ = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (unsigned w = 0; w < words; ++w) sums[w] = tables[shape.root_sums_at() + w];
    state = shape.head == 0 ? LaneState::bottom : LaneState::down;
  }

  /// One more column, one more copy of the last one, or back to before it.
  COUNTPM_HD_INLINE void step(const DeviceShape& shape, const std::uint32_t* tables, ClassDigits& digits) {
    if (state != LaneState::down && state != LaneState::back) return;
    const std::uint32_t* const at = level(shape, tables, level_);
    const std::uint32_t copies = copies_of(at, shape);
    const std::uint64_t bit = std::uint64_t{1} << level_;
    const bool decided = level_ < first_;
    std::int32_t change = 0;  // copies
    bool looks = true;
    if (copies == 1) {
      const bool in = (chosen_ & bit) != 0;
      if (state == LaneState::back) {
        change = in ? -1 : 1;
        looks = !in;
        chosen_ ^= bit;
      } else if (decided) {
        change = in ? 1 : 0;
      }
    } else {
      std::uint8_t& digit = digits.at[level_];
      if (state == LaneState::back) {
        looks = digit < copies;
        change = looks ? 1 : -static_cast<std::int32_t>(copies);
        digit = static_cast<std::uint8_t>(digit + change);
      } else if (decided) {
        change = digit;
      } else {
        digit = 0;
      }
    }
    std::uint32_t zero = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (unsigned w = 0; w < words; ++w) {
      sums[w] += static_cast<std::uint32_t>(change) * at[w];
      if (w >= shape.first_test_word)
        zero |= at[words + w] & pruned_lane::Packed<lane_bytes>::zero_rows(sums[w]);
    }
    if (!looks) return turn_back();
    if (zero != 0) {
      state = decided ? LaneState::idle : LaneState::back;
    } else {
      ++level_;
      state = level_ == shape.head ? LaneState::bottom : LaneState::down;
    }
  }

  /// From a bottom, or from below all copies, to the level before, to see what else there is; all is done
  /// where that is decided.
  COUNTPM_HD_INLINE void turn_back() {
    const bool done = level_ <= first_;
    state = done ? LaneState::idle : LaneState::back;
    if (!done) --level_;
  }

  /// Of a bottom: its columns' sign, and in how many ways its classes can be chosen.
  COUNTPM_HD_INLINE std::int64_t weight(const DeviceShape& shape, const std::uint32_t* tables,
                                        const std::int64_t* ways, const ClassDigits& digits) const {
    std::int64_t result = 1 - 2 * static_cast<std::int64_t>(pruned_lane::bit_count(chosen_) & 1);
    if (shape.classes == 0) return result;
    for (std::uint32_t k = 0; k < shape.head; ++k) {
      const std::uint32_t* const at = level(shape, tables, k);
      if (copies_of(at, shape) != 1) result *= ways[(at[2 * words] >> 16) + digits.at[k]];
    }
    return result;
  }

  /// The nodes that wait, by the levels of their last columns, which have at least `below` levels below them.
  /// None in a tree with classes.
  COUNTPM_HD_INLINE std::uint64_t waiting(const DeviceShape& shape, std::uint32_t below) const {
    if (state == LaneState::idle || shape.head <= below || shape.classes != 0) return 0;
    const std::uint32_t end = pruned_lane::smaller(level_, shape.head - below);
    if (end <= first_) return 0;
    return ~chosen_ & ((std::uint64_t{2} << (end - 1)) - (std::uint64_t{1} << first_));
  }
  /// The largest of those that wait, which waits no more. Precondition: waiting != 0.
  COUNTPM_HD_INLINE DeviceNode pass_on(std::uint64_t waiting) {
    const unsigned k = pruned_lane::lowest_bit(waiting);
    const std::uint64_t bit = std::uint64_t{1} << k;
    first_ = k + 1;
    return {(chosen_ & (bit - 1)) | bit, k + 1};
  }
  /// Leaves the nodes that wait to the next launch, as many as there is room for.
  COUNTPM_HD_INLINE void leave(const DeviceShape& shape, const DeviceItems& items) {
    std::uint64_t wait = waiting(shape, 0);
    if (wait == 0) return;
    std::uint64_t to = add_atomically(items.left_count, pruned_lane::bit_count(wait));
    for (; wait != 0 && to < items.room; wait &= wait - 1) items.left[to++] = pass_on(wait);
  }

 private:
  static COUNTPM_HD_INLINE const std::uint32_t* level(const DeviceShape& shape, const std::uint32_t* tables,
                                                      std::uint32_t k) {
    return tables + shape.levels_at() + k * DeviceShape::level_words(words);
  }
  static COUNTPM_HD_INLINE std::uint32_t copies_of(const std::uint32_t* level, const DeviceShape& shape) {
    return shape.classes == 0 ? 1 : level[2 * words] & 0xffff;
  }

  std::uint64_t chosen_ = 0;  // bit k: column k is in, or will be on the way down to first_
  std::uint32_t level_ = 0;   // the next to be decided
  std::uint32_t first_ = 0;   // the levels before are decided
};

}  // namespace countpm
