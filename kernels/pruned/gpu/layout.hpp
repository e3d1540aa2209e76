#pragma once
// A PruneTree's plan laid out for a GPU's warps (pruned/gpu/kernel.hpp): packed row sums, the last columns at
// once.
//
// The last t <= 11 columns are the tail. Below a node before the tail stands the set of the tail subsets that
// no row zeroes: a word of 64 bits in each of 32 lanes. Six of the tail columns number the bit, the others
// the lane. A look takes away what one row or two zero, from a table for their sums; rows that no look is
// about (none of their sums is in reach, or the tables would be too large) prune nothing in the tail; a
// product that they zero is zero.
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/pruned/tree.hpp"
#include "kernels/subsets/integer_columns.hpp"

namespace countpm {

inline constexpr unsigned most_device_levels = 64;
inline constexpr unsigned most_device_rows = 64;
inline constexpr unsigned device_set_bits = 64;  // of a lane
inline constexpr unsigned leaf_queue = 128;      // of a warp

/// One row or two of a bottom node, whose packed sums (biased, never negative) stand `at` so many bytes into
/// its slot: index = min(floor - sum, reach), unsigned, and the mask of lane 0 is base + index_a stride +
/// index_b (a word for each lane) bytes into the masks.
struct alignas(16) MaskLookup {
  std::uint16_t at_a = 0;
  std::uint16_t at_b = 0;
  std::uint32_t floor_a = 0;
  std::uint32_t floor_b = 0;
  std::uint32_t reach_a = 0;
  std::uint32_t reach_b = 0;
  std::uint32_t base = 0;
  std::uint32_t stride = 0;
};

inline constexpr std::uint32_t look_words = sizeof(MaskLookup) / 4;

/// In the constant bank. Rows with tail columns come first.
struct DeviceShape {
  std::uint32_t head = 0;             // levels before the tail
  std::uint32_t words = 0;            // of packed sums in a walk: 12, 16 or 32
  std::uint32_t factors = 0;          // of a product: 8 rows of 8 bits or 4 of 16 make one of 64 bits
  std::uint32_t tail_factors = 0;     // those that the tail changes, the first ones
  std::uint32_t first_test_word = 0;  // of those with rows that are tested before the tail
  std::uint32_t looks = 0;            // a multiple of four
  std::uint32_t stride = 0;           // words from slot to slot: twice an odd number
  std::uint32_t slots = 32;           // for bottom nodes, of a warp
  std::uint32_t limbs = 1;            // of the sum
  std::uint32_t mask_words = 0;       // of 32 bits
  std::uint32_t classes = 0;          // whether a level has more than one copy

  /// Words of a level: what a copy of its column adds, the bits of the rows tested for zero, then copies +
  /// 65536 (where its (-1)^t C(copies, t) begin).
  COUNTPM_HD static constexpr std::uint32_t level_words(std::uint32_t words) { return 2 * words + 4; }
  COUNTPM_HD std::uint32_t level_at(std::uint32_t k) const { return levels_at() + k * level_words(words); }
  // Where the tables of a block begin, in words of 32 bits; the masks come first.
  COUNTPM_HD std::uint32_t levels_at() const { return mask_words; }
  COUNTPM_HD std::uint32_t root_sums_at() const { return levels_at() + head * level_words(words); }
  COUNTPM_HD std::uint32_t root_set_at() const { return root_sums_at() + words; }
  COUNTPM_HD std::uint32_t looks_at() const { return root_set_at() + 2 * 32; }
  COUNTPM_HD std::uint32_t tail_lane_at() const { return looks_at() + looks * look_words; }
  COUNTPM_HD std::uint32_t tail_bit_at() const { return tail_lane_at() + 32 * stride; }
  COUNTPM_HD std::uint32_t tables_words() const {
    return (tail_bit_at() + device_set_bits * stride + 3) / 4 * 4;
  }
};

/// The shared memory that a warp has to itself, in bytes: offsets of masks, what heads of products are, slots
/// of bottom nodes, the queue of leaves.
COUNTPM_HD inline std::size_t warp_shared_bytes(const DeviceShape& shape) {
  const std::size_t bytes = std::size_t{2} * shape.looks * 4 + std::size_t{shape.slots} * shape.limbs * 8 +
                            std::size_t{shape.slots} * shape.stride * 4 + std::size_t{leaf_queue} * 2;
  return (bytes + 15) / 16 * 16;
}

/// What a block of `warps` warps shares.
inline std::size_t block_shared_bytes(const DeviceShape& shape, unsigned warps) {
  return std::size_t{shape.tables_words()} * 4 + warps * warp_shared_bytes(shape);
}

struct DeviceLayout {
  DeviceShape shape;
  unsigned lane_bytes = 1;
  bool alive = true;                  // whether the root survives
  unsigned masked_rows = 0;           // that looks are about
  std::vector<std::uint32_t> tables;  // [shape.tables_words()], in every block's shared memory
  std::vector<std::int64_t> ways;

  /// Whether a level before the tail has a single column.
  bool single(std::size_t level) const {
    return (tables[shape.level_at(static_cast<std::uint32_t>(level)) + 2 * shape.words] & 0xffff) == 1;
  }
};

/// Why there is none, or empty. O(columns).
std::string device_obstacle(const IntegerColumns<std::int64_t>& columns,
                            const PrunedPlan<std::int64_t>& plan);

/// Words of 64 bits that hold any part of the sum exactly, with its sign. O(columns rows).
unsigned exact_device_limbs(const IntegerColumns<std::int64_t>& columns,
                            const std::vector<std::int64_t>& shift);

/// Preconditions: no obstacle; plan.order is a permutation of the columns. The tail takes up to most_tail <=
/// 11 single columns from the end of the order, whatever plan.tail is. All that a block of `warps` warps
/// shares takes at most shared_bytes, as long as it can be without masks. O(shared_bytes + 2048 rows) time.
DeviceLayout lay_out_for_device(const IntegerColumns<std::int64_t>& columns,
                                const PrunedPlan<std::int64_t>& plan, unsigned most_tail, unsigned limbs,
                                std::size_t shared_bytes, unsigned warps);

}  // namespace countpm
