// The GPU form of planar. Without CUDA planar_launch_without_cuda.cpp takes this file's place.
#include "kernels/cuda/cuda_device.cuh"
#include "kernels/planar/planar_device.hpp"

namespace countpm {

std::unique_ptr<DeviceJob> planar_on_gpu(const PlanarDeviceTask& task, const GpuInfo& gpu) {
  return make_planar_device_job<CudaDevice>(task, gpu);
}

}  // namespace countpm
