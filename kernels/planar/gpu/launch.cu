// planar on CUDA's devices.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/planar/gpu/job.hpp"

namespace countpm {

template struct PlanarForm<CudaDevice>;

}  // namespace countpm
