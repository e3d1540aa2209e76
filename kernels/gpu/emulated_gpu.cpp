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
  return info;
}

bool has_emulated_gpu() {
  return emulated_gpu_linked;
}

void refuse_gpu(const GpuInfo& gpu) {
  if (gpu.emulated) throw UnableError("this program has no emulated GPU", "the tests' programs have one");
  throw UnableError("built without CUDA", "--device cpu counts without");
}

}  // namespace countpm
