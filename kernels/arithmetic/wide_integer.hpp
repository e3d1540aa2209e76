#pragma once
// Integers of a fixed number of words, for the host and for GPUs: exact products and sums of kernels. As
// GMP's: to_mpz.hpp.
//
// Compiled by NVRTC, too (subsets/gpu/embedded_headers.hpp): no headers but those that it is given.
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// a += b, a -= b: integers of W words, least significant first, modulo 2^(64 W). Without a branch.
template <unsigned W>
COUNTPM_HD_INLINE void add_words(std::uint64_t (&a)[W], const std::uint64_t (&b)[W]) {
  std::uint64_t carry = 0;
  COUNTPM_UNROLL
  for (unsigned i = 0; i < W; ++i) {
    const std::uint64_t sum = a[i] + b[i];
    const std::uint64_t whole = sum + carry;
    carry = static_cast<std::uint64_t>(sum < a[i]) | static_cast<std::uint64_t>(whole < sum);
    a[i] = whole;
  }
}
template <unsigned W>
COUNTPM_HD_INLINE void subtract_words(std::uint64_t (&a)[W], const std::uint64_t (&b)[W]) {
  std::uint64_t borrow = 0;
  COUNTPM_UNROLL
  for (unsigned i = 0; i < W; ++i) {
    const std::uint64_t less = a[i] - b[i];
    const std::uint64_t whole = less - borrow;
    borrow = static_cast<std::uint64_t>(less > a[i]) | static_cast<std::uint64_t>(whole > less);
    a[i] = whole;
  }
}

/// The first `size` limbs of 32 bits *= factor; what goes beyond them is returned. Where size is known to the
/// compiler, limbs stay in registers.
template <unsigned L>
COUNTPM_HD_INLINE std::uint32_t multiply_limbs(std::uint32_t (&limb)[L], unsigned size,
                                               std::uint32_t factor) {
  std::uint32_t carry = 0;
  COUNTPM_UNROLL
  for (unsigned i = 0; i < L; ++i) {
    if (i >= size) break;
    const std::uint64_t product = static_cast<std::uint64_t>(limb[i]) * factor + carry;
    limb[i] = static_cast<std::uint32_t>(product);
    carry = static_cast<std::uint32_t>(product >> 32);
  }
  return carry;
}

/// A number modulo 2^(64 W), least significant word first; two's complement where it has a sign.
template <unsigned W>
struct WideInteger {
  __extension__ using TwoWords = unsigned __int128;
  std::uint64_t word[W] = {};

  static COUNTPM_HD_INLINE WideInteger of(std::int64_t value) {
    WideInteger result;
    result.word[0] = static_cast<std::uint64_t>(value);
    COUNTPM_UNROLL
    for (unsigned i = 1; i < W; ++i) result.word[i] = static_cast<std::uint64_t>(value >> 63);
    return result;
  }
  static COUNTPM_HD_INLINE WideInteger of(const std::uint32_t (&limb)[2 * W]) {
    WideInteger result;
    COUNTPM_UNROLL
    for (unsigned i = 0; i < W; ++i)
      result.word[i] = static_cast<std::uint64_t>(limb[2 * i + 1]) << 32 | limb[2 * i];
    return result;
  }

  COUNTPM_HD_INLINE void add(const WideInteger& other) { add_words(word, other.word); }
  /// += other, or -= where minus.
  COUNTPM_HD void add(const WideInteger& other, bool minus) {
    const std::uint64_t mask = minus ? ~std::uint64_t{0} : 0;
#ifdef __CUDA_ARCH__
    // One addition a word: the carry flag holds the 1 of -x = ~x + 1 at first.
    unsigned unused = 0;
    asm volatile("add.cc.u32 %0, %1, %1;" : "=r"(unused) : "r"(static_cast<unsigned>(mask)));
    COUNTPM_UNROLL
    for (unsigned i = 0; i < W; ++i) {
      asm volatile("addc.cc.u64 %0, %0, %1;" : "+l"(word[i]) : "l"(other.word[i] ^ mask));
    }
#else
    std::uint64_t carry = minus ? 1 : 0;
    COUNTPM_UNROLL
    for (unsigned i = 0; i < W; ++i) {
      const TwoWords sum = static_cast<TwoWords>(word[i]) + (other.word[i] ^ mask) + carry;
      word[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
#endif
  }

  /// *= factor, where only the first `size` words are not 0.
  COUNTPM_HD void multiply(std::uint64_t factor, unsigned size) {
    std::uint64_t carry = 0;
    COUNTPM_UNROLL
    for (unsigned i = 0; i < W; ++i) {
      if (i > size) break;
      if (i == size) {
        word[i] = carry;
        break;
      }
      const TwoWords product = static_cast<TwoWords>(word[i]) * factor + carry;
      word[i] = static_cast<std::uint64_t>(product);
      carry = static_cast<std::uint64_t>(product >> 64);
    }
  }
  /// *= factor, without a branch on any value. A negative factor is 2^64 more as an unsigned one: a 2^64 is
  /// taken off again.
  COUNTPM_HD_INLINE void multiply(std::int64_t signed_factor) {
    const auto factor = static_cast<std::uint64_t>(signed_factor);
    if constexpr (W == 1) {
      word[0] *= factor;
    } else {
      const auto negative = static_cast<std::uint64_t>(signed_factor >> 63);
      WideInteger off;
      std::uint64_t carry = 0;
      COUNTPM_UNROLL
      for (unsigned i = 0; i < W; ++i) {
        if (i + 1 < W) {
          const TwoWords part = static_cast<TwoWords>(word[i]) * factor + carry;
          off.word[i + 1] = word[i] & negative;
          word[i] = static_cast<std::uint64_t>(part);
          carry = static_cast<std::uint64_t>(part >> 64);
        } else {
          word[i] = word[i] * factor + carry;
        }
      }
      subtract_words(word, off.word);
    }
  }
  /// *= other.
  COUNTPM_HD_INLINE void multiply(const WideInteger& other) {
    if constexpr (W == 1) {
      word[0] *= other.word[0];
    } else {
      WideInteger product;
      COUNTPM_UNROLL
      for (unsigned i = 0; i < W; ++i) {
        std::uint64_t carry = 0;
        COUNTPM_UNROLL
        for (unsigned j = 0; i + j < W; ++j) {
          const TwoWords part = static_cast<TwoWords>(word[i]) * other.word[j] + product.word[i + j] + carry;
          product.word[i + j] = static_cast<std::uint64_t>(part);
          carry = static_cast<std::uint64_t>(part >> 64);
        }
      }
      *this = product;
    }
  }
};

}  // namespace countpm
