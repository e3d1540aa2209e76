// planar/condensation/gpu/launch.cu's stand-in: part of the build exactly where that is not.
#include "kernels/planar/condensation/gpu/launch.hpp"

namespace countpm {

std::unique_ptr<DeviceJob> condensation_on_gpu(const CondensationTask& /*task*/, const GpuInfo& /*gpu*/) {
  return nullptr;
}

std::vector<double> gpu_pivots(const DenseForm& /*form*/, const std::vector<CondensationEntry>& /*entries*/,
                               const std::vector<double>& /*values*/, const GpuInfo& /*gpu*/,
                               const StopSignal& /*stop*/) {
  return {};
}

}  // namespace countpm
