#pragma once
// The trials of RejectionTrials on a GPU, as the CPU side sees it: RejectionTrials::on_device makes one.
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/estimate/guarantee/trial_step.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/method.hpp"

namespace countpm {

class DeviceTrials {
 public:
  virtual ~DeviceTrials() = default;

  /// At least so many trials at a time keep the device busy.
  virtual std::uint64_t few() const = 0;

  /// As RejectionTrials::successes, and what that finds. One call at a time, from any thread. Looks at `stop`
  /// at least every 100 ms and throws Stopped. Throws CudaError, or UnableError where memory does not
  /// suffice.
  virtual std::vector<std::uint64_t> successes(std::uint64_t first, std::uint64_t count,
                                               const StopSignal& stop) = 0;
};

/// What of RejectionTrials goes to a device.
struct TrialTask {
  const std::vector<TrialMove>* move = nullptr;
  const std::vector<std::uint64_t>* present = nullptr;
  const std::vector<std::uint64_t>* last = nullptr;
  std::uint32_t size = 0;
  std::uint32_t words = 0;
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
};

template <class Device>
struct TrialsForm {
  /// What the task points to may go afterwards. Throws UnableError where the GPU's memory does not suffice.
  static std::unique_ptr<DeviceTrials> make(const TrialTask& task, const GpuInfo& gpu);
};

}  // namespace countpm
