#pragma once
// Products of words of 64 bits. WebAssembly multiplies such into 64 bits, and for more the compiler would
// call a function: there they are made of four products. Elsewhere nothing but the compiler's own.
// Always inlined, as files with instruction sets of their own include it: no copy of theirs is left for
// others.
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"

#ifdef __CUDACC__
#define COUNTPM_WIDE COUNTPM_HD inline
#else
#define COUNTPM_WIDE [[gnu::always_inline]] inline
#endif

namespace countpm {

__extension__ using WideWord = unsigned __int128;

/// a b, whole.
COUNTPM_WIDE WideWord wide_product(std::uint64_t a, std::uint64_t b) {
#ifdef __wasm__
  const std::uint64_t low_half = 0xffffffff;
  const std::uint64_t a_low = a & low_half;
  const std::uint64_t a_high = a >> 32;
  const std::uint64_t b_low = b & low_half;
  const std::uint64_t b_high = b >> 32;
  const std::uint64_t low = a_low * b_low;
  const std::uint64_t one = a_high * b_low + (low >> 32);         // (2^32 - 1)^2 + 2^32 - 1 < 2^64
  const std::uint64_t other = a_low * b_high + (one & low_half);  // the same
  const std::uint64_t high = a_high * b_high + (one >> 32) + (other >> 32);
  return static_cast<WideWord>(high) << 64 | (other << 32 | (low & low_half));
#else
  return static_cast<WideWord>(a) * b;
#endif
}

/// a b of numbers with signs, modulo 2^128.
COUNTPM_WIDE WideWord signed_wide_product(std::int64_t a, std::int64_t b) {
#ifdef __wasm__
  const auto a_word = static_cast<std::uint64_t>(a);
  const auto b_word = static_cast<std::uint64_t>(b);
  const std::uint64_t beyond = (a < 0 ? b_word : 0) + (b < 0 ? a_word : 0);
  return wide_product(a_word, b_word) - (static_cast<WideWord>(beyond) << 64);
#else
  __extension__ using SignedWideWord = __int128;
  return static_cast<WideWord>(static_cast<SignedWideWord>(a) * b);
#endif
}

/// a b modulo 2^128.
COUNTPM_WIDE WideWord product_of_wide(WideWord a, WideWord b) {
#ifdef __wasm__
  const auto a_low = static_cast<std::uint64_t>(a);
  const auto b_low = static_cast<std::uint64_t>(b);
  const std::uint64_t crossed =
      a_low * static_cast<std::uint64_t>(b >> 64) + static_cast<std::uint64_t>(a >> 64) * b_low;
  return wide_product(a_low, b_low) + (static_cast<WideWord>(crossed) << 64);
#else
  return a * b;
#endif
}

/// Whether a b is more than a word; `product` is what it is modulo 2^64.
COUNTPM_WIDE bool overflows(std::uint64_t a, std::uint64_t b, std::uint64_t& product) {
#ifdef __wasm__
  const WideWord whole = wide_product(a, b);
  product = static_cast<std::uint64_t>(whole);
  return whole >> 64 != 0;
#else
  return __builtin_mul_overflow(a, b, &product);
#endif
}

}  // namespace countpm

#undef COUNTPM_WIDE
