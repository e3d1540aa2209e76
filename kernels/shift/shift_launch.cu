// The GPU form of shift. Without CUDA shift_launch_without_cuda.cpp takes this file's place.
#include "kernels/cuda/cuda_device.cuh"
#include "kernels/shift/shift_device.hpp"

namespace countpm {

std::unique_ptr<DeviceJob> shift_on_gpu(const ShiftDeviceTask& task, const GpuInfo& gpu) {
  return make_shift_device_job<CudaDevice>(task, gpu);
}

}  // namespace countpm
