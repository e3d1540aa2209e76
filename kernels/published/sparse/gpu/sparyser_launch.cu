// sparyser's kernels for CUDA.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/published/sparse/gpu/sparyser_walker_on.hpp"

namespace countpm::gray::on_cuda {

std::unique_ptr<IntegerWalker> sparyser_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                               const PackedForm& form) {
  return sparyser_walker_on<CudaDevice>(gpu, walk, form);
}

}  // namespace countpm::gray::on_cuda
