// Samples by determinants on GPUs. Without CUDA estimate/determinants/gpu/launch_without_cuda.cpp takes this
// file's place.
#include "kernels/estimate/determinants/gpu/job.hpp"
#include "kernels/estimate/determinants/gpu/launch.hpp"
#include "kernels/gpu/cuda_device.cuh"

namespace countpm {

std::unique_ptr<DeviceSampler> determinants_on_gpu(const DeterminantTask& task, const GpuInfo& gpu) {
  return make_device_determinants<CudaDevice>(task, gpu);
}

}  // namespace countpm
