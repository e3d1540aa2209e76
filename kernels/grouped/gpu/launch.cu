// merged's kernels for CUDA.
#include "kernels/gpu/cuda_device.cuh"
#include "kernels/grouped/gpu/walker_on.hpp"

namespace countpm::grouped::on_cuda {

std::unique_ptr<gray::IntegerWalker> make_walker(const GpuInfo& gpu, const DeviceWalk& walk) {
  return walker_on<CudaDevice>(gpu, walk);
}

}  // namespace countpm::grouped::on_cuda
