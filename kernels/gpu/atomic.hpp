#pragma once
// Additions to shared or global memory that many threads may ask for at once; on the CPU executor, whose
// threads come one after another, plain ones.
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// What was there before.
COUNTPM_HD inline std::uint32_t add_atomically(std::uint32_t* to, std::uint32_t value) {
#ifdef __CUDA_ARCH__
  return atomicAdd(to, value);
#else
  const std::uint32_t before = *to;
  *to += value;
  return before;
#endif
}
COUNTPM_HD inline std::uint64_t add_atomically(std::uint64_t* to, std::uint64_t value) {
#ifdef __CUDA_ARCH__
  return atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
#else
  const std::uint64_t before = *to;
  *to += value;
  return before;
#endif
}
/// What stood there; `value` stands there then if that was `expected`.
COUNTPM_HD inline std::uint32_t compare_and_swap(std::uint32_t* at, std::uint32_t expected,
                                                 std::uint32_t value) {
#ifdef __CUDA_ARCH__
  return atomicCAS(at, expected, value);
#else
  const std::uint32_t before = *at;
  if (before == expected) *at = value;
  return before;
#endif
}

}  // namespace countpm
