#pragma once
// Random walks on a GPU, as the CPU side sees it.
#include <memory>

#include "kernels/estimate/samples/device_sampler.hpp"
#include "kernels/estimate/walks/walk_task.hpp"
#include "kernels/gpu/device_info.hpp"

namespace countpm {

template <class Device>
struct WalksForm {
  /// `task.matrix` may go afterwards. Throws UnableError where the GPU's memory does not suffice.
  static std::unique_ptr<DeviceSampler> make(const WalkTask& task, const GpuInfo& gpu);
};

}  // namespace countpm
