// hafnian on CUDA's devices.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/hafnian/gpu/job.hpp"

namespace countpm::pair_sets {

template struct PairSetForm<CudaDevice>;
template struct FloatingPairSetForm<CudaDevice>;

}  // namespace countpm::pair_sets
