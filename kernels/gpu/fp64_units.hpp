#pragma once
// How many doubles a GPU computes with at a time.
#include "kernels/gpu/device_info.hpp"

namespace countpm {

/// FP64 operations that a multiprocessor starts a cycle: few on all GPUs that are not made for computing.
inline double fp64_a_cycle(const GpuInfo& gpu) {
  if (gpu.minor != 0) return 2;
  return gpu.major == 9 || gpu.major == 10 ? 64 : gpu.major == 7 || gpu.major == 8 ? 32 : 2;
}

}  // namespace countpm
