// walk_launch.cu's stand-in: part of the build exactly where that is not.
#include "graph/errors.hpp"
#include "kernels/estimate/walks/gpu/walk_launch.hpp"

namespace countpm {

std::unique_ptr<DeviceSampler> walks_on_gpu(const WalkTask& /*task*/, const GpuInfo& /*gpu*/) {
  throw UnableError("built without CUDA", "--device cpu samples without");
}

}  // namespace countpm
