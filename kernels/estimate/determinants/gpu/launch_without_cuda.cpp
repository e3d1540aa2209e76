// estimate/determinants/gpu/launch.cu's stand-in: part of the build exactly where that is not.
#include "graph/errors.hpp"
#include "kernels/estimate/determinants/gpu/launch.hpp"

namespace countpm {

std::unique_ptr<DeviceSampler> determinants_on_gpu(const DeterminantTask& /*task*/, const GpuInfo& /*gpu*/) {
  throw UnableError("built without CUDA", "--device cpu samples without");
}

}  // namespace countpm
