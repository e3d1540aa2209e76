// Walks on CUDA's devices.
#include "kernels/estimate/walks/gpu/job.hpp"
#include "kernels/gpu/cuda_device.cuh"

namespace countpm {

template struct WalksForm<CudaDevice>;

}  // namespace countpm
