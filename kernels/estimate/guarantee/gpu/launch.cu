// Trials on GPUs. Without CUDA estimate/guarantee/gpu/launch_without_cuda.cpp takes this file's place.
#include "kernels/estimate/guarantee/gpu/device_trials.hpp"
#include "kernels/estimate/guarantee/gpu/device_trials_on.hpp"
#include "kernels/gpu/cuda_device.cuh"

namespace countpm {

std::unique_ptr<DeviceTrials> trials_on_gpu(const TrialTask& task, const GpuInfo& gpu) {
  return make_device_trials<CudaDevice>(task, gpu);
}

}  // namespace countpm
