#include "kernels/estimate/walks/gpu/walk_launch.hpp"

#include "kernels/estimate/walks/gpu/walk_device.hpp"
#include "kernels/gpu/cpu_executor.hpp"

namespace countpm {

std::unique_ptr<DeviceSampler> walks_on_device(const WalkTask& task, const GpuInfo& gpu) {
  if (gpu.emulated) return make_device_walks<CpuDevice>(task, gpu);
  return walks_on_gpu(task, gpu);
}

}  // namespace countpm
