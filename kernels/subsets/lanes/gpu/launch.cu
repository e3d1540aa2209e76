// Sums over classes on CUDA's devices.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/subsets/lanes/gpu/job.hpp"

namespace countpm::class_sums {

template struct PrimeClassForm<CudaDevice>;
template struct FloatingClassForm<CudaDevice>;

}  // namespace countpm::class_sums
