#pragma once
// Exact numbers in digits of 52 bits, for grouped on a GPU: grouped/simd.inc's, one at a time. For host and
// device.
//
// With M = 1.5 * 2^104, fma(a, b, M) - M is a b rounded to a multiple of 2^52, and fma(a, b, -that) is the
// rest (T. J. Dekker, A floating-point technique for extending the available precision, Numer. Math. 18
// (1971), with fused operations); every other sum and difference here is exact.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm::grouped {

inline constexpr unsigned digit_bits = 52;

COUNTPM_HD inline double from_bits(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return __longlong_as_double(static_cast<long long>(bits));
#else
  double value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
#endif
}
COUNTPM_HD inline std::uint64_t bits_of(double value) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint64_t>(__double_as_longlong(value));
#else
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
#endif
}

/// The bits of 1.5 * 2^(52 + 52 digit): adding it rounds to a multiple of 2^(52 digit), and the bits of the
/// sum count such multiples.
COUNTPM_HD inline std::uint64_t magic_bits(unsigned digit) {
  constexpr std::uint64_t exponent = 1023 + digit_bits;
  return (exponent + std::uint64_t{digit_bits} * digit) << 52 | std::uint64_t{1} << 51;
}
COUNTPM_HD inline double magic(unsigned digit) {
  return from_bits(magic_bits(digit));
}

/// a b + c, a + b: never joined with anything else by a compiler.
COUNTPM_HD inline double fused(double a, double b, double c) {
#ifdef __CUDA_ARCH__
  return __fma_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}
COUNTPM_HD inline double plus(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dadd_rn(a, b);
#else
  return a + b;
#endif
}

/// The product of two integers, |a b| <= 2^49: its bits stand behind those of magic(0).
COUNTPM_HD inline double product_of(std::int32_t a, std::int32_t b) {
  const auto product = static_cast<std::uint64_t>(std::int64_t{a} * b);
  return plus(from_bits(magic_bits(0) + product), -magic(0));
}

/// digit[j] is a multiple of 2^(52 j), at most 1.5 * 2^52 of them.
template <unsigned count>
struct Number {
  double digit[count];
};

/// x a: |x| <= 2^49. 4 count - 1 operations.
template <unsigned count>
COUNTPM_HD Number<count + 1> scaled(double x, const Number<count>& a) {
  Number<count + 1> result;
  COUNTPM_UNROLL
  for (unsigned j = 0; j < count; ++j) {
    const double high = plus(fused(x, a.digit[j], magic(j + 1)), -magic(j + 1));
    const double low = fused(x, a.digit[j], -high);
    result.digit[j] = j == 0 ? low : plus(result.digit[j], low);
    result.digit[j + 1] = high;
  }
  return result;
}

/// x a - y b: |x|, |y| <= 2^49. 9 count - 1 operations.
template <unsigned count>
COUNTPM_HD Number<count + 1> difference(double x, const Number<count>& a, double y, const Number<count>& b) {
  Number<count + 1> result;
  COUNTPM_UNROLL
  for (unsigned j = 0; j < count; ++j) {
    const double first = fused(x, a.digit[j], magic(j + 1));
    const double both = fused(-y, b.digit[j], first);
    const double rest = fused(-y, b.digit[j], plus(first, -both));
    const double low = plus(fused(x, a.digit[j], -plus(first, -magic(j + 1))), rest);
    result.digit[j] = j == 0 ? low : plus(result.digit[j], low);
    result.digit[j + 1] = plus(both, -magic(j + 1));
  }
  return result;
}

/// Sums of numbers of `count` digits times a factor, at `places` = count + 1 places, of which all but the
/// last are below 2^52 after settle().
template <unsigned count>
struct DigitSum {
  static constexpr unsigned places = count + 1;
  /// So many additions may come between two settle().
  static constexpr unsigned most_additions = 256;
  std::uint64_t place[places] = {};

  /// += x a, |x| <= 2^49. Each place adds the bits of magic() along.
  COUNTPM_HD void add(double x, const Number<count>& a) {
    COUNTPM_UNROLL
    for (unsigned j = 0; j < count; ++j) {
      const double shifted = fused(x, a.digit[j], magic(j + 1));
      const double low = fused(x, a.digit[j], -plus(shifted, -magic(j + 1)));
      place[j] += bits_of(plus(low, magic(j)));
      place[j + 1] += bits_of(shifted);
    }
  }
  /// Takes off what `additions` of them added along, and carries.
  COUNTPM_HD void settle(unsigned additions) {
    constexpr std::uint64_t mask = (std::uint64_t{1} << digit_bits) - 1;
    std::int64_t carry = 0;
    COUNTPM_UNROLL
    for (unsigned j = 0; j < places; ++j) {
      // place j is added to by digit j - 1, with magic(j), and by digit j
      const std::uint64_t along = magic_bits(j) * additions * (j == 0 || j == count ? 1 : 2);
      const std::int64_t value = static_cast<std::int64_t>(place[j] - along) + carry;
      place[j] = j == count ? static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value) & mask;
      carry = value >> digit_bits;
    }
  }
};

}  // namespace countpm::grouped
