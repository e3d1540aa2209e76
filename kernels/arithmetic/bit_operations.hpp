#pragma once
// Operations on the bits of a word, for the CPU and the device alike.
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

COUNTPM_HD inline unsigned bit_count(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__popc(word));
#else
  return static_cast<unsigned>(__builtin_popcount(word));
#endif
}
COUNTPM_HD inline unsigned bit_count(std::uint64_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__popcll(word));
#else
  return static_cast<unsigned>(__builtin_popcountll(word));
#endif
}

/// Precondition: word != 0.
COUNTPM_HD inline unsigned lowest_bit(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__ffs(static_cast<int>(word)) - 1);
#else
  return static_cast<unsigned>(__builtin_ctz(word));
#endif
}
COUNTPM_HD inline unsigned lowest_bit(std::uint64_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__ffsll(static_cast<long long>(word)) - 1);
#else
  return static_cast<unsigned>(__builtin_ctzll(word));
#endif
}

/// Precondition: word != 0.
COUNTPM_HD inline unsigned highest_bit(std::uint64_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(63 - __clzll(static_cast<long long>(word)));
#else
  return static_cast<unsigned>(63 - __builtin_clzll(word));
#endif
}

/// The place of the set bit number `which`, from 0 at the low end. Precondition: there is one. No loop whose
/// length lanes could disagree on, on a GPU.
COUNTPM_HD inline unsigned nth_bit(std::uint64_t word, unsigned which) {
#ifdef __CUDA_ARCH__
  auto half = static_cast<std::uint32_t>(word);
  unsigned place = 0;
  const unsigned low = bit_count(half);
  if (which >= low) {
    which -= low;
    place = 32;
    half = static_cast<std::uint32_t>(word >> 32);
  }
#pragma unroll
  for (unsigned width = 16; width != 0; width /= 2) {
    const unsigned count = bit_count(half & ((1U << width) - 1));
    const bool above = which >= count;
    which -= above ? count : 0;
    place += above ? width : 0;
    half >>= above ? width : 0;
  }
  return place;
#else
  // Counts in bytes, then their sums from the lowest byte up: S. Vigna, Broadword implementation of
  // rank/select queries, WEA 2008.
  constexpr std::uint64_t ones = 0x0101010101010101;
  std::uint64_t sums = word - ((word >> 1) & 0x5555555555555555);
  sums = (sums & 0x3333333333333333) + ((sums >> 2) & 0x3333333333333333);
  sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0f) * ones;
  const std::uint64_t not_above = (((which * ones) | (0x80 * ones)) - sums) & (0x80 * ones);
  const auto byte = static_cast<unsigned>(((not_above >> 7) * ones) >> 56);
  which -= static_cast<unsigned>((sums << 8) >> (8 * byte)) & 0xff;
  std::uint64_t rest = word >> (8 * byte);
  for (; which > 0; --which) rest &= rest - 1;
  return 8 * byte + lowest_bit(rest);
#endif
}

/// sum += term where `set` is not 0. term >= 2^-900 and sum 0 or no less. On a GPU the high half of the term
/// is dropped where it is not wanted, which is one selection, for two of a choice between sums: what is left
/// is below 2^-1042, too little to change any sum but 0, which becomes at most 2^-1042 a term.
COUNTPM_HD inline void add_where(std::uint32_t set, double& sum, double term) {
#ifdef __CUDA_ARCH__
  asm("{ .reg .pred wanted; .reg .b32 low, high; .reg .f64 part;\n\t"
      "setp.ne.u32 wanted, %2, 0; mov.b64 {low, high}, %1;\n\t"
      "selp.b32 high, high, 0, wanted; mov.b64 part, {low, high};\n\t"
      "add.rn.f64 %0, %0, part; }"
      : "+d"(sum)
      : "d"(term), "r"(set));
#else
  if (set != 0) sum += term;
#endif
}

}  // namespace countpm
