// The GPU form of shift. Without CUDA pruned/gpu/launch_without_cuda.cpp takes this file's place.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/pruned/gpu/job.hpp"

namespace countpm {

std::unique_ptr<DeviceJob> pruned_on_gpu(const PrunedDeviceTask& task, const GpuInfo& gpu) {
  return make_pruned_device_job<CudaDevice>(task, gpu);
}

}  // namespace countpm
