// The GPU form of enumerate. Without CUDA published/enumerate/gpu/launch_without_cuda.cpp takes this file's
// place.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/published/enumerate/gpu/job.hpp"

namespace countpm {

std::unique_ptr<DeviceJob> enumerate_on_gpu(const EnumerateTask& task, const GpuInfo& gpu) {
  return std::make_unique<EnumerateDeviceJob<CudaDevice>>(task, gpu);
}

}  // namespace countpm
