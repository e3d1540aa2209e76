#include "kernels/estimate/determinants/gpu/launch.hpp"

#include "kernels/estimate/determinants/gpu/job.hpp"
#include "kernels/gpu/cpu_executor.hpp"

namespace countpm {

std::unique_ptr<DeviceSampler> determinants_on_device(const DeterminantTask& task, const GpuInfo& gpu) {
  if (gpu.emulated) return make_device_determinants<CpuDevice>(task, gpu);
  return determinants_on_gpu(task, gpu);
}

}  // namespace countpm
