#pragma once
// Asks for memory that is read soon.
#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

COUNTPM_HD inline void prefetch(const void* address) {
#ifdef __CUDA_ARCH__
  asm volatile("prefetch.global.L1 [%0];" ::"l"(address));
#else
  __builtin_prefetch(address);
#endif
}

}  // namespace countpm
