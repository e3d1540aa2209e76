// The GPU form of frontier. Without CUDA frontier_launch_without_cuda.cpp takes this file's place.
#include "kernels/cuda/device_sort.cuh"
#include "kernels/frontier/frontier_device.hpp"

namespace countpm {

std::unique_ptr<FrontierDeviceJob> frontier_on_gpu(const FrontierDeviceTask& task, const GpuInfo& gpu) {
  return make_frontier_device_job<CudaDevice>(task, gpu);
}

}  // namespace countpm
