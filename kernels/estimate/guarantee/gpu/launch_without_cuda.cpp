// estimate/guarantee/gpu/launch.cu's stand-in: part of the build exactly where that is not.
#include "graph/errors.hpp"
#include "kernels/estimate/guarantee/gpu/device_trials.hpp"

namespace countpm {

std::unique_ptr<DeviceTrials> trials_on_gpu(const TrialTask& /*task*/, const GpuInfo& /*gpu*/) {
  throw UnableError("built without CUDA", "--device cpu draws trials without");
}

}  // namespace countpm
