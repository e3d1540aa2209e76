// Walks on GPUs. Without CUDA walk_launch_without_cuda.cpp takes this file's place.
#include "kernels/estimate/walks/gpu/walk_device.hpp"
#include "kernels/estimate/walks/gpu/walk_launch.hpp"
#include "kernels/gpu/cuda_device.cuh"

namespace countpm {

std::unique_ptr<DeviceSampler> walks_on_gpu(const WalkTask& task, const GpuInfo& gpu) {
  return make_device_walks<CudaDevice>(task, gpu);
}

}  // namespace countpm
