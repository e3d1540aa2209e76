// A GPU that this program runs by itself, for tests and for trying what GPUs do.
#include <algorithm>

#include "graph/errors.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/launch.hpp"

namespace countpm {

GpuInfo emulated_gpu(int index) {
  GpuInfo info;
  info.index = index;
  info.name = "emulated GPU";
  info.memory_bytes = std::uint64_t{1} << 30;
  info.multiprocessors = 1;
  info.shared_bytes = 227 * 1024;
  info.clock_ghz = 1;
  info.emulated = true;
  info.link_bytes_a_second = nvlink_bytes_a_second;
  return info;
}

GpuInfo joined_gpus(const std::vector<GpuInfo>& gpus) {
  GpuInfo team = gpus.front();
  team.others.assign(gpus.begin() + 1, gpus.end());
  for (const GpuInfo& other : team.others) {
    team.memory_bytes = std::min(team.memory_bytes, other.memory_bytes);
    team.link_bytes_a_second = std::min(team.link_bytes_a_second, other.link_bytes_a_second);
  }
  return team;
}

bool has_emulated_gpu() {
  return emulated_gpu_linked;
}

void refuse_gpu(const GpuInfo& gpu) {
  if (gpu.emulated) throw UnableError("this program has no emulated GPU", "the tests' programs have one");
  throw UnableError("built without CUDA", "--device cpu counts without");
}

}  // namespace countpm
