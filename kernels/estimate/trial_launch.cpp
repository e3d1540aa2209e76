#include "kernels/cuda/cpu_executor.hpp"
#include "kernels/estimate/device_trials.hpp"
#include "kernels/estimate/device_trials_on.hpp"

namespace countpm {

std::unique_ptr<DeviceTrials> trials_on_device(const TrialTask& task, const GpuInfo& gpu) {
  if (gpu.emulated) return make_device_trials<CpuDevice>(task, gpu);
  return trials_on_gpu(task, gpu);
}

}  // namespace countpm
