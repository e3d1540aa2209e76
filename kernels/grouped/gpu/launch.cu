// grouped on CUDA's devices.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/grouped/gpu/job.hpp"

namespace countpm::grouped {

template struct GroupedForm<CudaDevice>;

}  // namespace countpm::grouped
