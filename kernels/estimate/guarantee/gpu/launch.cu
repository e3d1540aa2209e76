// Trials on CUDA's devices.
#include "kernels/estimate/guarantee/gpu/job.hpp"
#include "kernels/gpu/cuda_device.cuh"

namespace countpm {

template struct TrialsForm<CudaDevice>;

}  // namespace countpm
