#pragma once
// Which processors run a job.
#include <string>
#include <vector>

#include "kernels/gpu/device_info.hpp"

namespace countpm {

struct Processors {
  bool cpu = true;
  std::vector<GpuInfo> gpus;

  /// "cpu", "gpu" or "gpu+cpu".
  std::string name() const { return gpus.empty() ? "cpu" : cpu ? "gpu+cpu" : "gpu"; }
};

}  // namespace countpm
