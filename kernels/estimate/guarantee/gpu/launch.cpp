#include "kernels/estimate/guarantee/gpu/device_trials.hpp"
#include "kernels/estimate/guarantee/gpu/device_trials_on.hpp"
#include "kernels/gpu/cpu_executor.hpp"

namespace countpm {

std::unique_ptr<DeviceTrials> trials_on_device(const TrialTask& task, const GpuInfo& gpu) {
  if (gpu.emulated) return make_device_trials<CpuDevice>(task, gpu);
  return trials_on_gpu(task, gpu);
}

}  // namespace countpm
