// Samples by determinants on CUDA's devices.
#include "kernels/estimate/determinants/gpu/job.hpp"
#include "kernels/gpu/cuda_device.cuh"

namespace countpm {

template struct DeterminantsForm<CudaDevice>;

}  // namespace countpm
