#pragma once
// 1 / |x| from above in one 32-bit instruction: what ryser bounds rounding errors with on a GPU, where
// doubles are dear.
//
// The bits of a float are, but for a constant, its logarithm with straight lines between the powers of two
// (J. N. Mitchell, IRE Trans. EC-11 (1962)), and so are the upper 32 bits of a double, so that a subtraction
// of bits divides. Write |x| = 2^e (1 + m), 0 <= m < 1, and r for the float whose bits are those of 2^-e with
// 2 - sqrt(2) + m taken off the exponent:
//   m <= sqrt(2) - 1:  |x| r = (1 + m) (sqrt(2) - m) / 2
//   m >= sqrt(2) - 1:  |x| r = (1 + m) (1 + sqrt(2) - m) / 4
// Both are concave in m and sqrt(1/2) at the ends of their pieces, and at most (3 + 2 sqrt(2)) / 8 between
// them:
//   1 <= sqrt(2) r |x| < 1.0304.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// Sign, exponent and the first 20 bits behind the point.
COUNTPM_HD inline std::uint32_t high_word(double x) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__double2hiint(x));  // no instruction: one half of the register
#else
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return static_cast<std::uint32_t>(bits >> 32);
#endif
}
/// Its sign flipped where `minus`, or taken off: on a GPU by the integer unit.
COUNTPM_HD inline double negated_if(double x, bool minus) {
#ifdef __CUDA_ARCH__
  return __hiloint2double(__double2hiint(x) ^ static_cast<int>(std::uint32_t{minus} << 31),
                          __double2loint(x));
#else
  return minus ? -x : x;
#endif
}
COUNTPM_HD inline double magnitude_of(double x) {
#ifdef __CUDA_ARCH__
  return __hiloint2double(__double2hiint(x) & 0x7fffffff, __double2loint(x));
#else
  return std::fabs(x);
#endif
}

/// The larger of the upper words of |x| and |y|. Precondition: both are below 2.
COUNTPM_HD inline std::uint32_t larger_high_word(double x, double y) {
#ifdef __CUDA_ARCH__
  // As floats they are ordered alike: one instruction, signs included.
  return __float_as_uint(
      fmaxf(fabsf(__int_as_float(__double2hiint(x))), fabsf(__int_as_float(__double2hiint(y)))));
#else
  const std::uint32_t one = high_word(x) & 0x7fffffffU;
  const std::uint32_t other = high_word(y) & 0x7fffffffU;
  return one > other ? one : other;
#endif
}

/// r with 1 / |x| <= sqrt(2) r < 1.0304 (1 + 2^-20) / |x|, from x's upper word. Precondition: 2^-126 <= |x| <
/// 2; any float at all comes back for another x.
COUNTPM_HD inline float reciprocal_share_of(std::uint32_t word) {
  // 127 + 1023 - (2 - sqrt(2)) modulo 512, in units of 2^-23, rounded up.
  constexpr std::uint32_t one = 1052050676;
  // Times 8: the exponent's lower 8 bits come where a float has its own; what else it has is the same for all
  // these x, modulo 512. The mantissas are cut off, so that r grows.
  const std::uint32_t bits = one - 8 * word;
  float share = 0;
  memcpy(&share, &bits, sizeof share);
  return share;
}
COUNTPM_HD inline float reciprocal_share(double x) {
  return reciprocal_share_of(high_word(x));
}
/// The upper word of 2^-126.
inline constexpr std::uint32_t least_reciprocal_word = 0x38100000;

/// sqrt(2) from above.
inline constexpr double reciprocal_unit = 1.4142135623730954;

}  // namespace countpm
