// Samples by determinants on GPUs. Without CUDA determinant_launch_without_cuda.cpp takes this file's place.
#include "kernels/cuda/cuda_device.cuh"
#include "kernels/estimate/determinant_launch.hpp"
#include "kernels/estimate/device_determinants.hpp"

namespace countpm {

std::unique_ptr<DeviceSampler> determinants_on_gpu(const DeterminantTask& task, const GpuInfo& gpu) {
  return make_device_determinants<CudaDevice>(task, gpu);
}

}  // namespace countpm
