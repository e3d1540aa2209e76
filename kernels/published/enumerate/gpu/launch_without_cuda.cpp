// published/enumerate/gpu/launch.cu's stand-in: part of the build exactly where that is not.
#include "graph/errors.hpp"
#include "kernels/published/enumerate/gpu/job.hpp"

namespace countpm {

std::unique_ptr<DeviceJob> enumerate_on_gpu(const EnumerateTask& /*task*/, const GpuInfo& /*gpu*/) {
  throw UnableError("built without CUDA", "--device cpu counts without");
}

}  // namespace countpm
