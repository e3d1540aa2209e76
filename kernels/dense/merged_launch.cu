// merged's kernels for CUDA.
#include "kernels/cuda/cuda_device.cuh"
#include "kernels/dense/merged_walker_on.hpp"

namespace countpm::merged::on_cuda {

std::unique_ptr<gray::IntegerWalker> make_walker(const GpuInfo& gpu, const DeviceWalk& walk) {
  return walker_on<CudaDevice>(gpu, walk);
}

}  // namespace countpm::merged::on_cuda
