#pragma once
// A PruneTree's plan laid out for a GPU's warps (shift_kernel.hpp): two rows a lane, the last columns at
// once.
//
// The last t <= 11 columns are the tail. Below a node before the tail stands the set of the tail subsets that
// no closed row zeroes: a word a lane, 32 lanes of 32 bits, or of 64 where t = 11. Five of the tail columns,
// or six, number the bit, the others the lane. Two rows share a lane and a table of masks, so that one look
// at it takes away what either of them zeroes. Rows that are in no table (none of their sums is in reach, or
// the tables would be too large) prune nothing; a product that they zero is zero.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/exact/integer_columns.hpp"
#include "kernels/shift/prune_tree.hpp"

namespace countpm {

inline constexpr unsigned most_device_levels = 64;
inline constexpr unsigned most_device_rows = 64;
inline constexpr unsigned most_device_tail = 11;

/// What all warps are told of a level, in the constant bank.
struct DeviceLevel {
  std::uint8_t first_pair = 0;  // lanes whose pair of rows has a row that closes here
  std::uint8_t last_pair = 0;
  std::uint8_t tests = 0;   // whether rows without tail columns close here
  std::uint8_t copies = 1;  // of the column
};

/// What a lane is told of a level.
struct DeviceLaneLevel {
  std::uint32_t column = 0;  // what a copy adds to row a (low half) and row b (high half)
  std::uint32_t flags = 0;   // bits 0, 1: rows a, b are tested for zero here; 31, 30: a, b are still open
};

/// A lane's two rows: index = min(floor - sum, reach), unsigned, and offset = base + index_a stride + index_b
/// (a word for each lane) bytes into the masks.
struct DeviceLaneRows {
  std::int32_t sum_a = 1;  // at the root
  std::int32_t sum_b = 1;
  std::int32_t floor_a = 0;
  std::int32_t floor_b = 0;
  std::uint32_t reach_a = 0;
  std::uint32_t reach_b = 0;
  std::uint32_t base = 0;
  std::uint32_t stride = 0;
  std::uint64_t set = 0;  // at the root
};

/// In the constant bank.
struct DeviceShape {
  std::uint32_t head = 0;        // levels before the tail
  std::uint32_t factors = 0;     // of a product: 8 rows of 8 bits or 4 of 16 make one of 64 bits
  std::uint32_t stride = 0;      // words of a node's packed sums: odd
  std::uint32_t set_bits = 32;   // of a lane's word of a set: 32 or 64
  std::uint32_t mask_words = 0;  // of 32 bits
  std::uint32_t classes = 0;     // whether a level has more than one copy
  DeviceLevel levels[most_device_levels];
  std::uint16_t ways[most_device_levels] = {};  // where a level's (-1)^t C(copies, t) begin
};

inline constexpr unsigned leaf_queue = 64;
inline constexpr unsigned node_slots = 32;

/// The shared memory that a warp has to itself, and the tables of its block, in bytes.
COUNTPM_HD inline std::size_t warp_shared_bytes(const DeviceShape& shape) {
  const std::size_t leaf = shape.set_bits == 32 ? 2 : 4;
  const std::size_t bytes = 256 + node_slots * 8 + leaf_queue * leaf + node_slots * shape.stride * 4;
  return (bytes + 15) / 16 * 16;
}
COUNTPM_HD inline std::size_t tables_bytes(const DeviceShape& shape) {
  const std::size_t bytes = std::size_t{shape.mask_words} * 4 + shape.head * 32 * sizeof(DeviceLaneLevel) +
                            (std::size_t{32} + shape.set_bits) * shape.stride * 4;
  return (bytes + 15) / 16 * 16;
}

/// What a block of `warps` warps shares.
inline std::size_t block_shared_bytes(const DeviceShape& shape, unsigned warps) {
  return tables_bytes(shape) + warps * warp_shared_bytes(shape);
}

struct DeviceLayout {
  DeviceShape shape;
  unsigned lane_bytes = 1;
  bool alive = true;                        // whether the root survives
  std::vector<std::uint32_t> masks;         // [entry][lane], a word of set_bits each
  std::vector<DeviceLaneLevel> lane_level;  // [level][lane]
  std::vector<std::uint32_t> tail_lane;     // [lane][stride]: what the lane's tail columns add to packed sums
  std::vector<std::uint32_t> tail_bit;      // [bit][stride]
  std::vector<DeviceLaneRows> rows;         // [lane]
  std::vector<std::int64_t> ways;
};

/// Why there is none, or empty. O(columns).
std::string device_obstacle(const IntegerColumns<std::int64_t>& columns, const ShiftPlan<std::int64_t>& plan);

/// Words of 64 bits that hold any part of the sum exactly, with its sign. O(columns rows).
unsigned exact_device_limbs(const IntegerColumns<std::int64_t>& columns,
                            const std::vector<std::int64_t>& shift);

/// Preconditions: no obstacle; plan.order is a permutation of the columns. The tail takes up to most_tail
/// single columns from the end of the order, whatever plan.tail is; 11 where no row goes without masks for
/// it. All that a block of `warps` warps shares takes at most shared_bytes, as long as it can be without
/// masks. O(shared_bytes + 1024 rows) time.
DeviceLayout lay_out_for_device(const IntegerColumns<std::int64_t>& columns,
                                const ShiftPlan<std::int64_t>& plan, unsigned most_tail,
                                std::size_t shared_bytes, unsigned warps);

}  // namespace countpm
