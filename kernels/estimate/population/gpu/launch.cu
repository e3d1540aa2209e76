// Samples by populations on CUDA's devices.
#include "kernels/estimate/population/gpu/job.hpp"
#include "kernels/gpu/cuda_device.cuh"

namespace countpm {

template struct PopulationForm<CudaDevice>;

}  // namespace countpm
