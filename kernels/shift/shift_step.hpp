#pragma once
// The steps of shift's walk on a GPU, for the CPU and the device alike: numbers of several words, products of
// packed rows.
#include <cstdint>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/arithmetic/host_device.hpp"

namespace countpm::shift_step {

#ifdef __CUDACC__
#define COUNTPM_SHIFT_INLINE __host__ __device__ __forceinline__
#else
#define COUNTPM_SHIFT_INLINE inline
#endif

using countpm::bit_count;
using countpm::highest_bit;
using countpm::lowest_bit;
COUNTPM_SHIFT_INLINE std::uint32_t smaller(std::uint32_t a, std::uint32_t b) {
  return a < b ? a : b;
}

/// Modulo 2^(64 limbs), two's complement; without a branch on any value.
template <unsigned limbs>
struct Wide {
  std::uint64_t limb[limbs];
};

template <unsigned limbs>
COUNTPM_SHIFT_INLINE Wide<limbs> widened(std::int64_t value) {
  Wide<limbs> result;
  result.limb[0] = static_cast<std::uint64_t>(value);
  for (unsigned i = 1; i < limbs; ++i) result.limb[i] = static_cast<std::uint64_t>(value >> 63);
  return result;
}

template <unsigned limbs>
COUNTPM_SHIFT_INLINE void add_to(Wide<limbs>& a, const Wide<limbs>& b) {
  std::uint64_t carry = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (unsigned i = 0; i < limbs; ++i) {
    const std::uint64_t sum = a.limb[i] + b.limb[i];
    const std::uint64_t whole = sum + carry;
    carry = static_cast<std::uint64_t>(sum < a.limb[i]) | static_cast<std::uint64_t>(whole < sum);
    a.limb[i] = whole;
  }
}

/// a *= word. A negative word is 2^64 more as an unsigned one: a 2^64 is taken off again.
template <unsigned limbs>
COUNTPM_SHIFT_INLINE void multiply(Wide<limbs>& a, std::int64_t word) {
  const auto factor = static_cast<std::uint64_t>(word);
  if constexpr (limbs == 1) {
    a.limb[0] *= factor;
  } else {
    const auto negative = static_cast<std::uint64_t>(word >> 63);
    Wide<limbs> off;
    off.limb[0] = 0;
    std::uint64_t carry = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (unsigned i = 0; i < limbs; ++i) {
      if (i + 1 < limbs) {
        const uint128 part = static_cast<uint128>(a.limb[i]) * factor + carry;
        off.limb[i + 1] = a.limb[i] & negative;
        a.limb[i] = static_cast<std::uint64_t>(part);
        carry = static_cast<std::uint64_t>(part >> 64);
      } else {
        a.limb[i] = a.limb[i] * factor + carry;
      }
    }
    std::uint64_t borrow = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (unsigned i = 1; i < limbs; ++i) {
      const std::uint64_t less = a.limb[i] - off.limb[i];
      const std::uint64_t whole = less - borrow;
      borrow = static_cast<std::uint64_t>(less > a.limb[i]) | static_cast<std::uint64_t>(whole > less);
      a.limb[i] = whole;
    }
  }
}

/// The rows that a word packs, biased by half their range so that they are never negative.
template <unsigned lane_bytes>
struct Packed;

template <>
struct Packed<1> {
  static constexpr unsigned rows = 4;
  static constexpr std::uint32_t bias = 0x80808080;
  /// A lane's rows as its half of a word.
  static COUNTPM_SHIFT_INLINE std::uint16_t pack(std::int32_t a, std::int32_t b) {
    return static_cast<std::uint16_t>(
        ((static_cast<std::uint32_t>(b) << 8) | (static_cast<std::uint32_t>(a) & 0xff)) ^ 0x8080);
  }
  using Half = std::uint16_t;
  /// The product of the rows of two words: eight of 7 bits and a sign.
  static COUNTPM_SHIFT_INLINE std::int64_t product(std::uint32_t first, std::uint32_t second) {
    return static_cast<std::int64_t>(product_of_four(first)) * product_of_four(second);
  }

 private:
  static COUNTPM_SHIFT_INLINE std::int32_t product_of_four(std::uint32_t word) {
    word ^= bias;
    const std::int32_t a = static_cast<std::int32_t>(word << 24) >> 24;
    const std::int32_t b = static_cast<std::int32_t>(word << 16) >> 24;
    const std::int32_t c = static_cast<std::int32_t>(word << 8) >> 24;
    const std::int32_t d = static_cast<std::int32_t>(word) >> 24;
    return a * b * (c * d);
  }
};

template <>
struct Packed<2> {
  static constexpr unsigned rows = 2;
  static constexpr std::uint32_t bias = 0x80008000;
  static COUNTPM_SHIFT_INLINE std::uint32_t pack(std::int32_t a, std::int32_t b) {
    return ((static_cast<std::uint32_t>(b) << 16) | (static_cast<std::uint32_t>(a) & 0xffff)) ^ bias;
  }
  using Half = std::uint32_t;
  /// Four rows of 15 bits and a sign.
  static COUNTPM_SHIFT_INLINE std::int64_t product(std::uint32_t first, std::uint32_t second) {
    return static_cast<std::int64_t>(product_of_two(first)) * product_of_two(second);
  }

 private:
  static COUNTPM_SHIFT_INLINE std::int32_t product_of_two(std::uint32_t word) {
    word ^= bias;
    return static_cast<std::int32_t>(static_cast<std::int16_t>(word)) *
           (static_cast<std::int32_t>(word) >> 16);
  }
};

}  // namespace countpm::shift_step
