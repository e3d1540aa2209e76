#pragma once
// How long a launch has lasted, for kernels that leave work to the next one.
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// Of a GPU's clock, which counts on at least every microsecond or two; always 0 on the CPU executor.
COUNTPM_HD inline std::uint64_t device_nanoseconds() {
#ifdef __CUDA_ARCH__
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
#else
  return 0;
#endif
}

}  // namespace countpm
