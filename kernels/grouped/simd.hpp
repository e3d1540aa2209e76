#pragma once
// The inner loop of `grouped` over SIMD lanes, compiled once for each instruction set. Plain data only and no
// standard library: an inline function of the library compiled here with -mavx512f could be the copy that the
// linker keeps for everyone.
//
// Three columns are left at a node. A row is of the type of its 0/1 pattern on the last two (00, 01, 10, 11),
// and is low or high as its entry in the third is 0 or not. Rows are gathered into factors: rows of one type,
// two products of low and two of high rows, each of which fits 16 bits, all four together 49 bits. Then, with
// G_type the product of the type's factors, the third column's choice made,
//
//   sum over the four leaves = G00 (G01(0) D(0) - G01(1) D(1)),   D(s) = G10(0) G11(s) - G10(1) G11(s + 1)
//
// in digits of 52 bits, exact in doubles: with M = 1.5 * 2^104, fma(a, b, M) - M is a b rounded to a multiple
// of 2^52, and fma(a, b, -that) is the rest (T. J. Dekker, A floating-point technique for extending the
// available precision, Numer. Math. 18 (1971), with fused operations).
#include <cstdint>

namespace countpm::grouped_lanes {

inline constexpr unsigned types = 4;
inline constexpr unsigned max_low = 3;   // factors of type 00
inline constexpr unsigned max_high = 4;  // factors of type 11
inline constexpr unsigned factor_bits = 49;
inline constexpr unsigned max_digits = max_low + max_high + 2;
inline constexpr unsigned chunk_nodes = 32;   // so many nodes' sums fit 63 bits
inline constexpr unsigned vector_bytes = 64;  // alignment of all tables

/// The numbers of rows of a factor's four products: two of low rows, then two of high ones.
struct Factor {
  unsigned rows[4];
};

/// Tables have a vector of 16-bit lanes a row, rows in the order of their factors: those of type 00, 01,
/// 10, 11.
struct Walk {
  unsigned low_factors;   // 1 .. max_low; 01 and 10 have one each
  unsigned high_factors;  // 1 .. max_high
  Factor factor[max_low + 2 + max_high];
  /// What the rows' sums change by when inner column c comes in (plus[c + 1]) or goes out (minus[c + 1]).
  /// plus[0]: for step 0.
  const void* const* plus;
  const void* const* minus;
  const void* step;  // what they change by for a chosen column of the last three
};

/// sum over the nodes' leaves of the signed products = sum_i 2^(52 i) digit[i], |digit[i]| < 2^63.
struct Totals {
  std::int64_t digit[max_digits];
};

/// Nodes first .. first + count - 1 of the walk (node 0 flips nothing, node t the column of t's lowest set
/// bit), count <= chunk_nodes; first and count even. sums: the state before node `first`, left as after the
/// last. Totals are overwritten.
using Chunk = void (*)(const Walk& walk, void* sums, std::uint64_t first, unsigned count, Totals& totals);

struct Variant {
  const char* name;
  unsigned lanes;
  Chunk chunk;
};

namespace avx2 {
Variant variant();
}
namespace avx512 {
Variant variant();
}

}  // namespace countpm::grouped_lanes
