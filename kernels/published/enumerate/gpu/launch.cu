// enumerate on CUDA's devices.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/published/enumerate/gpu/job.hpp"

namespace countpm {

template struct EnumerateForm<CudaDevice>;

}  // namespace countpm
