#pragma once
// Products of 64 by 64 bits, whole.
#include <cstdint>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// a b. In WebAssembly, which multiplies 64 bits into 64, the compiler would call a function for it.
COUNTPM_HD inline uint128 wide_product(std::uint64_t a, std::uint64_t b) {
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
  return static_cast<uint128>(high) << 64 | (other << 32 | (low & low_half));
#else
  return static_cast<uint128>(a) * b;
#endif
}

}  // namespace countpm
