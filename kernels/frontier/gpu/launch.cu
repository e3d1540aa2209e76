// The GPU form of frontier. Without CUDA frontier/gpu/launch_without_cuda.cpp takes this file's place.
#include "kernels/frontier/gpu/job.hpp"
#include "kernels/gpu/device_sort.cuh"

namespace countpm {

std::unique_ptr<FrontierDeviceJob> frontier_on_gpu(const FrontierDeviceTask& task, const GpuInfo& gpu) {
  return make_frontier_device_job<CudaDevice>(task, gpu);
}

}  // namespace countpm
