// skipper's kernels for CUDA.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/published/sparse/gpu/skipper_walker_on.hpp"

namespace countpm::gray::on_cuda {

std::unique_ptr<SkipWalker> skipper_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                           const PackedForm& form, const SkipCut& cut) {
  return skipper_walker_on<CudaDevice>(gpu, walk, form, cut);
}

}  // namespace countpm::gray::on_cuda
