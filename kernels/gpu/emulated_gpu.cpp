#include "kernels/gpu/device_info.hpp"

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

}  // namespace countpm
