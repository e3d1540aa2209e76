// condensation on CUDA's devices.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/planar/condensation/gpu/job.hpp"

namespace countpm {

template struct CondensationForm<CudaDevice>;
template struct PivotsForm<CudaDevice>;

}  // namespace countpm
