#pragma once
// Logarithms of integers by integer arithmetic alone, rounded in one direction: for bounds that are to hold
// whatever the math library is.
#include <cstdint>

#include "kernels/arithmetic/arithmetic.hpp"

namespace countpm {

inline constexpr int log2_digits = 60;

/// log2(x) 2^60, x > 0, lies between this and this + 2; it is this where x is a power of two. 60 products of
/// 64 bits.
int128 log2_fixed(std::uint64_t x);

/// The largest double that is not above value / 2^60. |value| < 2^112.
double fixed_below(int128 value);

/// below <= log2(x) <= above.
struct Log2Interval {
  double below = 0;
  double above = 0;
};

/// log2(x / 2^shift): the ends are the same, neighbours, or neighbours of the same; or 2^-59 apart where that
/// is more. Both -infinity for x = 0. 0 <= shift <= 64.
Log2Interval log2_interval(std::uint64_t x, int shift = 0);

}  // namespace countpm
