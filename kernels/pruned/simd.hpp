#pragma once
// The walk through a PruneTree over packed row sums, compiled three times (baseline x86-64, AVX2, AVX-512).
// Plain data only and no standard library: an inline function of the library compiled here with -mavx512f
// could be the copy that the linker keeps for everyone.
//
// The sums of all rows are lanes of 8 or 16 bits in blocks of 64 bytes (unused lanes hold 1 throughout), so
// that a node costs an addition and a zero test a block, and an AND of 512 bits for every row that its level
// closes.
#include <cstdint>

namespace countpm::pruned {

inline constexpr unsigned block_bytes = 64;
inline constexpr unsigned set_words = 8;
inline constexpr unsigned words_a_block = 8;         // a block's lanes are multiplied to as many 64-bit words
inline constexpr unsigned grouped_weight_bits = 54;  // 54 + 62 + 10 bits of leaf_room < 127
inline constexpr unsigned max_limbs = 64;
inline constexpr unsigned max_blocks = 16;

struct Level {
  const void* column;       // blocks: what one copy adds
  const void* open;         // blocks: all ones in the lanes that this level does not test
  std::uint32_t tests;      // whether there are any others
  std::uint32_t first_row;  // of Tree::rows: those that mask the tail set here
  std::uint32_t last_row;
  std::uint32_t copies;
  const std::int64_t* ways;  // [copies + 1]: (-1)^t C(copies, t)
};

/// A row that masks the tail set by its sum. Lanes of 8 bits: the mask stands at byte first + 64 sum of
/// Tree::masks, for every sum that the row can have. Of 16 bits: at first + 64 min(floor - sum, reach), as
/// unsigned words.
struct TailRow {
  std::uint32_t lane;
  std::int32_t entry;  // of the level's column: what one copy adds to the sum
  std::int64_t first;
  std::int64_t floor;
  std::uint64_t reach;
};

struct Tree {
  unsigned lane_bytes;  // 1 or 2
  unsigned blocks;
  unsigned head;   // levels
  unsigned folds;  // 0, 1 or 2: how often a block's eight words may be multiplied pairwise within 64 bits
  bool grouped;    // whether leaves may be multiplied eight at once: blocks is 1, lane_bytes 1, no sixteen
                   // lanes that are multiplied first exceed 31 bits, no weight grouped_weight_bits
  unsigned limbs;  // of the total: 1, 2: modulo 2^64, 2^128; more: enough for the exact sum
  const Level* levels;
  const TailRow* rows;
  const void* masks;      // [..][set_words]
  const void* tail_low;   // [64] blocks: the sums of the subsets of the first six tail columns
  const void* tail_high;  // [8] blocks: of the last three
};

/// Where a walk is, so that it can be cut into slices: nodes that wait, level by level (level k's: k columns
/// decided). A level hands its nodes on in bunches, and a level runs only when it is full or nothing is left
/// above it: the instructions for a bunch hold no branch that depends on a node, so that pruning costs no
/// mispredicted ones.
struct Stack {
  void* values;           // [head + 1][room] blocks: row sums
  std::uint64_t* sets;    // [head + 1][room][set_words]
  std::int64_t* weight;   // [head + 1][room]: the ways to choose the copies so far, with their sign
  std::uint32_t* count;   // [head + 1]: nodes that wait
  std::uint32_t* leaves;  // [leaf_room]
  unsigned room;          // at least the most children of a node
  unsigned first;         // the level of the root
  unsigned depth;         // the level that runs
};
inline constexpr unsigned leaf_room = 1024;

struct Totals {
  std::uint64_t limb[max_limbs];  // two's complement
  std::uint64_t visits;           // prefixes looked at
  std::uint64_t leaves;           // products
};

/// Goes on for about `budget` visits; false once all below the root is done. Adds to totals.
using Walk = bool (*)(const Tree& tree, Stack& stack, Totals& totals, std::uint64_t budget);

struct Variant {
  const char* name;
  Walk walk;
};

namespace baseline {
Variant variant();
}
namespace avx2 {
Variant variant();
}
namespace avx512 {
Variant variant();
}

}  // namespace countpm::pruned
