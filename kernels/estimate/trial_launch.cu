// Trials on GPUs. Without CUDA trial_launch_without_cuda.cpp takes this file's place.
#include "kernels/cuda/cuda_device.cuh"
#include "kernels/estimate/device_trials.hpp"
#include "kernels/estimate/device_trials_on.hpp"

namespace countpm {

std::unique_ptr<DeviceTrials> trials_on_gpu(const TrialTask& task, const GpuInfo& gpu) {
  return make_device_trials<CudaDevice>(task, gpu);
}

}  // namespace countpm
