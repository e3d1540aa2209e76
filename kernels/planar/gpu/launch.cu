// The GPU form of planar. Without CUDA planar/gpu/launch_without_cuda.cpp takes this file's place.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/planar/gpu/job.hpp"

namespace countpm {

std::unique_ptr<DeviceJob> planar_on_gpu(const PlanarDeviceTask& task, const GpuInfo& gpu) {
  return make_planar_device_job<CudaDevice>(task, gpu);
}

}  // namespace countpm
