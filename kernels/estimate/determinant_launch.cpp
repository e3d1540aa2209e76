#include "kernels/estimate/determinant_launch.hpp"

#include "kernels/cuda/cpu_executor.hpp"
#include "kernels/estimate/device_determinants.hpp"

namespace countpm {

std::unique_ptr<DeviceSampler> determinants_on_device(const DeterminantTask& task, const GpuInfo& gpu) {
  if (gpu.emulated) return make_device_determinants<CpuDevice>(task, gpu);
  return determinants_on_gpu(task, gpu);
}

}  // namespace countpm
