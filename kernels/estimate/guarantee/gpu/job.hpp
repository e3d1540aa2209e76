#pragma once
// Trials on a device, or on the CPU in the device's steps: a template over CudaDevice and CpuDevice.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "graph/clock.hpp"
#include "kernels/estimate/guarantee/gpu/form.hpp"
#include "kernels/estimate/guarantee/gpu/kernel.hpp"
#include "kernels/estimate/samples/device_sampler.hpp"
#include "kernels/gpu/device_tables.hpp"

namespace countpm {

template <class Device, unsigned Words>
class TrialsOnDevice : public DeviceTrials {
 public:
  TrialsOnDevice(const TrialTask& task, const GpuInfo& gpu)
      : device_(gpu),
        blocks_(device_.template blocks<Kernel>(0)),
        room_(gpu.emulated ? few_trials * blocks_ * Kernel::threads : most_trials),
        succeeded_(device_.template allocate<std::uint32_t>(room_)),
        successes_(device_.template allocate<std::uint32_t>(1)),
        many_(few()) {
    kernel_.tables = {memory_.upload(*task.move), memory_.upload(*task.present), memory_.upload(*task.last),
                      task.size, task.words};
    kernel_.numbers.seed = task.seed;
    kernel_.numbers.stream = task.stream;
    kernel_.succeeded = succeeded_.data();
    kernel_.successes = successes_.data();
  }

  std::uint64_t few() const override { return few_trials * blocks_ * Kernel::threads; }

  std::vector<std::uint64_t> successes(std::uint64_t first, std::uint64_t count,
                                       const StopSignal& stop) override {
    std::vector<std::uint64_t> result;
    while (count > 0) {
      stop.check();
      const std::uint64_t some = std::min({count, many_, room_});
      const double start = seconds_now();
      kernel_.numbers.first = first;
      kernel_.numbers.count = static_cast<std::uint32_t>(some);
      device_.clear(successes_);
      device_.launch(kernel_, blocks_, 0);
      const std::uint32_t found = device_.download(successes_, 1)[0];
      const auto begin = static_cast<std::ptrdiff_t>(result.size());
      for (const std::uint32_t k : device_.download(succeeded_, found)) result.push_back(first + k);
      std::sort(result.begin() + begin, result.end());
      const double seconds = seconds_now() - start;
      first += some;
      count -= some;
      // From what was seen, at most 16 times as many.
      const double wanted = paced(static_cast<double>(some), seconds, sampling_launch_seconds, 16);
      many_ = std::clamp(static_cast<std::uint64_t>(wanted), few(), room_);
    }
    return result;
  }

 private:
  using Kernel = TrialKernel<Words>;
  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  static constexpr std::uint64_t few_trials = 4;  // a thread
  static constexpr std::uint64_t most_trials = std::uint64_t{1} << 24;

  Device device_;
  DeviceTables<Device> memory_{device_};
  Kernel kernel_{};
  unsigned blocks_;
  std::uint64_t room_;
  Buffer<std::uint32_t> succeeded_;
  Buffer<std::uint32_t> successes_;
  std::uint64_t many_;
};

template <class Device>
std::unique_ptr<DeviceTrials> TrialsForm<Device>::make(const TrialTask& task, const GpuInfo& gpu) {
  if (task.words == 1) return std::make_unique<TrialsOnDevice<Device, 1>>(task, gpu);
  if (task.words == 2) return std::make_unique<TrialsOnDevice<Device, 2>>(task, gpu);
  return std::make_unique<TrialsOnDevice<Device, 0>>(task, gpu);
}

}  // namespace countpm
