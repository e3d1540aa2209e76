#pragma once
// Walks on a device, or on the CPU in the device's steps: a template over CudaDevice and CpuDevice.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/cuda/device_info.hpp"
#include "kernels/estimate/device_lists.hpp"
#include "kernels/estimate/device_moments.hpp"
#include "kernels/estimate/device_sampler.hpp"
#include "kernels/estimate/device_sets.hpp"
#include "kernels/estimate/walk_task.hpp"

namespace countpm {

/// Samples that lie in the device's memory at a time, of 16 bytes.
inline constexpr std::uint64_t most_samples_a_launch = std::uint64_t{1} << 22;
inline constexpr std::uint64_t most_samples_a_launch_emulated = 1 << 10;

template <class Device, class Walks>
class DeviceSamplerOn : public DeviceSampler {
 public:
  DeviceSamplerOn(const WalkTask& task, const GpuInfo& gpu)
      : device_(gpu),
        walks_(device_, task),
        moments_(device_),
        room_(std::min(moments_.most_samples(),
                       gpu.emulated ? most_samples_a_launch_emulated : most_samples_a_launch)),
        samples_(device_.template allocate<Scaled>(room_)),
        many_(std::min(room_, walks_.few())) {
    numbers_.seed = task.seed;
    numbers_.stream = task.stream;
    numbers_.exponent = task.matrix->exponent;
  }

  SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) override {
    SampleMoments moments;
    while (count > 0) {
      stop.check();
      numbers_.first = first;
      numbers_.count = std::min(count, many_);
      const auto start = std::chrono::steady_clock::now();
      walks_.draw(numbers_, samples_.data(), stop);
      moments.join(moments_.of(samples_, numbers_.count));
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      first += numbers_.count;
      count -= numbers_.count;
      // From what was seen, at most 16 times as many.
      const double wanted =
          static_cast<double>(numbers_.count) * std::min(walk_launch_seconds / std::max(seconds, 1e-6), 16.0);
      many_ = std::clamp(static_cast<std::uint64_t>(wanted), std::min(room_, walks_.few()), room_);
    }
    return moments;
  }

 private:
  Device device_;
  Walks walks_;
  DeviceMoments<Device> moments_;
  std::uint64_t room_;
  typename Device::template Buffer<Scaled> samples_;
  std::uint64_t many_;
  SampleNumbers numbers_;
};

/// The narrowest kernel that takes the walks, or the one that is asked for.
template <class Device>
std::unique_ptr<DeviceSampler> make_device_walks(const WalkTask& task, const GpuInfo& gpu) {
  const std::uint32_t n = task.matrix->rows.rows;
  if (task.bits) {
    if (n <= 64) return std::make_unique<DeviceSamplerOn<Device, DeviceBitWalks<Device, 1>>>(task, gpu);
    return std::make_unique<DeviceSamplerOn<Device, DeviceBitWalks<Device, 2>>>(task, gpu);
  }
  if (task.settings.scaling && task.matrix->weight.empty() && n <= 64 && !task.lists) {
    if (n <= 32) return std::make_unique<DeviceSamplerOn<Device, DeviceScaledBits<Device, 1>>>(task, gpu);
    return std::make_unique<DeviceSamplerOn<Device, DeviceScaledBits<Device, 2>>>(task, gpu);
  }
  return std::make_unique<DeviceSamplerOn<Device, DeviceLists<Device>>>(task, gpu);
}

}  // namespace countpm
