// frontier on CUDA's devices.
#include "kernels/frontier/gpu/job.hpp"
#include "kernels/gpu/device_sort.cuh"

namespace countpm {

template struct FrontierForm<CudaDevice>;

}  // namespace countpm
