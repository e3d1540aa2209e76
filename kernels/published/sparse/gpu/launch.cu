// sparyser and skipper on CUDA's devices.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/published/sparse/gpu/skipper_job.hpp"
#include "kernels/published/sparse/gpu/sparyser_job.hpp"

namespace countpm::gray {

template struct SparyserForm<CudaDevice>;
template struct SkipperForm<CudaDevice>;

}  // namespace countpm::gray
