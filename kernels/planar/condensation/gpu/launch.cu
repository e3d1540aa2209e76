// The GPU form of condensation. Without CUDA planar/condensation/gpu/launch_without_cuda.cpp takes this
// file's place.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/planar/condensation/gpu/job.hpp"

namespace countpm {

std::unique_ptr<DeviceJob> condensation_on_gpu(const CondensationTask& task, const GpuInfo& gpu) {
  return make_condensation_device_job<CudaDevice>(task, gpu);
}

std::vector<double> gpu_pivots(const DenseForm& form, const std::vector<CondensationEntry>& entries,
                               const std::vector<double>& values, const GpuInfo& gpu,
                               const StopSignal& stop) {
  return make_device_pivots<CudaDevice>(form, entries, values, gpu, stop);
}

}  // namespace countpm
