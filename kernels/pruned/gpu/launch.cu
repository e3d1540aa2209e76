// pruned on CUDA's devices.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/pruned/gpu/job.hpp"

namespace countpm {

template struct PrunedForm<CudaDevice>;

}  // namespace countpm
