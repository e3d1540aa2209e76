#pragma once
// How every GPU benchmark begins.
#include <fmt/core.h>

#include <cstdio>
#include <optional>
#include <vector>

#include "kernels/gpu/device_info.hpp"

namespace countpm::bench {

/// What a program without a GPU exits with.
constexpr int exit_without_gpu = 3;

/// The first GPU of this machine, announced on standard output; none: says on standard error why.
inline std::optional<GpuInfo> announced_gpu() {
  const std::vector<GpuInfo> found = gpus();
  if (found.empty()) {
    fmt::print(stderr, "no GPU: {}\n", gpu_obstacle());
    return std::nullopt;
  }
  const GpuInfo& gpu = found.front();
  fmt::print("{}, {} multiprocessors, up to {:.3f} GHz\n", gpu.name, gpu.multiprocessors, gpu.clock_ghz);
  return gpu;
}

}  // namespace countpm::bench
