// The GPU form of enumerate. Without CUDA enumerate_launch_without_cuda.cpp takes this file's place.
#include "kernels/cuda/cuda_device.cuh"
#include "kernels/exact/enumerate_device.hpp"

namespace countpm {

std::unique_ptr<DeviceJob> enumerate_on_gpu(const EnumerateTask& task, const GpuInfo& gpu) {
  return std::make_unique<EnumerateDeviceJob<CudaDevice>>(task, gpu);
}

}  // namespace countpm
