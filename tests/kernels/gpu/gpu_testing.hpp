#pragma once
// Every GPU test runs on an emulated GPU, and on those that are there.
#include <string>
#include <vector>

#include "kernels/gpu/device_info.hpp"

namespace countpm::testing {

inline std::vector<GpuInfo> all_gpus() {
  std::vector<GpuInfo> result = gpus();
  result.insert(result.begin(), emulated_gpu(0));
  return result;
}

}  // namespace countpm::testing
