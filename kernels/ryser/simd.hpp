#pragma once
// The inner loop of Ryser over SIMD lanes, compiled three times (baseline x86-64, AVX2, AVX-512). Plain data
// only and no standard library: an inline function of the library compiled here with -mavx512f could be the
// copy that the linker keeps for everyone.
//
// Every lane walks the same Gray code over the same columns from a start of its own, so all lanes touch one
// column at a time and differ only in the columns that the lane number's bits stand for. A subset's product
// is exact: the rows are gathered into groups whose product stays below 2^51, and the product of the groups
// is summed in limbs; no rounding, no modulus.
#include <cstdint>

namespace countpm::lanes {

inline constexpr unsigned max_groups = 12;
inline constexpr unsigned group_bits =
    51;  // a group's product is below 2^51: one bit is left of IFMA's 52 for the offset of the sign
inline constexpr unsigned chunk_steps =
    256;  // 256 steps x 4 quarters x 2 additions of 52 bits fill a 64-bit limb
inline constexpr unsigned vector_bytes = 64;  // alignment of all tables

/// Row sums of 16 bits, up to 15 bits for each of four products in a group; or doubles, any number of rows in
/// a group.
enum class Width { int16, real64 };

/// How many rows go to each of the group's products (real64: the first only). They follow one another in the
/// tables.
struct Group {
  unsigned rows[4];
};

struct Walk {
  Width width;
  unsigned rows;
  unsigned groups;  // 1 .. max_groups
  Group group[max_groups];
  /// What the rows' sums change by when inner column c comes in (plus[c + 1]) or goes out (minus[c + 1]):
  /// `rows` vectors each, every lane the same. plus[0]: zeros, for step 0.
  const void* const* plus;
  const void* const* minus;
};

/// sum of (-1)^(step + parity of lane) product = sum_i 2^(52 i) (limb[i] - 2^51 offset[i]), |limb[i]|,
/// |offset[i]| < 2^60 (split), or the words as one two's complement number (words).
struct Totals {
  bool split;
  std::int64_t limb[max_groups + 1];
  std::int64_t offset[max_groups + 1];
  std::uint64_t words[max_groups + 1];
};

/// Steps first .. first + count - 1 of the walk (step 0 flips nothing, step t the column of t's lowest set
/// bit), count <= chunk_steps; first
/// and count even. sums: `rows` vectors, the state before step `first`, left as after the last.
/// Totals are overwritten.
using Chunk = void (*)(const Walk& walk, void* sums, std::uint64_t first, unsigned count, Totals& totals);

struct Variant {
  const char* name;
  unsigned int16_lanes;
  unsigned real64_lanes;
  Chunk chunk;
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

}  // namespace countpm::lanes
