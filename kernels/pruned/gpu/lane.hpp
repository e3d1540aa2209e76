#pragma once
// The steps of the walk of `pruned` on a GPU, for the CPU and the device alike: bits, and products of packed
// rows.
#include <cstdint>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/arithmetic/host_device.hpp"

namespace countpm::pruned_lane {

using countpm::bit_count;
using countpm::lowest_bit;
/// Precondition: word != 0. One instruction on a GPU, where 64 bits take six.
COUNTPM_HD_INLINE unsigned highest_bit(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(31 - __clz(static_cast<int>(word)));
#else
  return countpm::highest_bit(std::uint64_t{word});
#endif
}
/// Its bits from the other end.
COUNTPM_HD_INLINE std::uint32_t reversed(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return __brev(word);
#else
  std::uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit) result |= (word >> bit & 1) << (31 - bit);
  return result;
#endif
}
COUNTPM_HD_INLINE std::uint32_t smaller(std::uint32_t a, std::uint32_t b) {
  return a < b ? a : b;
}

/// The byte, or the half, of a word that begins at this bit, as a signed number.
template <unsigned bit>
COUNTPM_HD_INLINE std::int32_t signed_byte(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  // one instruction: the byte's sign in the three above it
  std::int32_t result;
  asm("prmt.b32 %0, %1, 0, %2;" : "=r"(result) : "r"(word), "n"(0x8880 + 0x1111 * (bit / 8)));
  return result;
#else
  return static_cast<std::int8_t>(word >> bit);
#endif
}
template <unsigned bit>
COUNTPM_HD_INLINE std::int32_t signed_half(std::uint32_t word) {
  return static_cast<std::int16_t>(word >> bit);
}

/// All of a product.
COUNTPM_HD_INLINE std::int64_t wide_product(std::int32_t a, std::int32_t b) {
#ifdef __CUDA_ARCH__
  // A product of more factors would be taken apart again: two multiplications of 64 bits in place of this
  // one and one of 64.
  std::int64_t result;
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(result) : "r"(a), "r"(b));
  return result;
#else
  return static_cast<std::int64_t>(a) * b;
#endif
}

/// The rows that a word packs, biased by half their range so that they are never negative. (Those of
/// gray::PackedSums keep a bit of each row free, and take half the range.)
template <unsigned lane_bytes>
struct PackedRows {
  static constexpr unsigned rows = 4 / lane_bytes;
  static constexpr std::uint32_t bias = lane_bytes == 1 ? 0x80808080 : 0x80008000;
  /// The highest bits of the rows that are zero.
  static COUNTPM_HD_INLINE std::uint32_t zero_rows(std::uint32_t word) {
    constexpr std::uint32_t low = ~bias;
    word ^= bias;
    return ~(((word & low) + low) | word) & bias;
  }
};

template <unsigned lane_bytes>
struct Packed;

template <>
struct Packed<1> : PackedRows<1> {
  /// The row at this byte, biased.
  static COUNTPM_HD_INLINE std::uint32_t sum_at(const unsigned char* byte) { return *byte; }
  /// The product of the rows of two words: eight of 7 bits and a sign.
  static COUNTPM_HD_INLINE std::int64_t product(std::uint32_t first, std::uint32_t second) {
    return wide_product(product_of_four(first), product_of_four(second));
  }

 private:
  static COUNTPM_HD_INLINE std::int32_t product_of_four(std::uint32_t word) {
    word ^= bias;
    return signed_byte<0>(word) * signed_byte<8>(word) * (signed_byte<16>(word) * signed_byte<24>(word));
  }
};

template <>
struct Packed<2> : PackedRows<2> {
  static COUNTPM_HD_INLINE std::uint32_t sum_at(const unsigned char* byte) {
    return *reinterpret_cast<const std::uint16_t*>(byte);
  }
  /// Four rows of 15 bits and a sign.
  static COUNTPM_HD_INLINE std::int64_t product(std::uint32_t first, std::uint32_t second) {
    return wide_product(product_of_two(first), product_of_two(second));
  }

 private:
  static COUNTPM_HD_INLINE std::int32_t product_of_two(std::uint32_t word) {
    word ^= bias;
    return signed_half<0>(word) * signed_half<16>(word);
  }
};

}  // namespace countpm::pruned_lane
