#pragma once
// The walks by belief propagation that a DeviceSampler launches: a template over CudaDevice and CpuDevice.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/estimate/bethe_walk_kernel.hpp"
#include "kernels/estimate/device_sampler.hpp"
#include "kernels/estimate/walk_task.hpp"
#include "kernels/method.hpp"

namespace countpm {

template <class Device>
class DeviceBethe {
 public:
  /// Precondition: task.bethe->matched().
  DeviceBethe(const Device& device, const WalkTask& task)
      : device_(device), kernel_{task.bethe->layout(), task.bethe->settings()} {
    const BetheLayout& layout = task.bethe->layout();
    const std::byte* const image = task.bethe->memory().data();
    image_ = device.upload(std::vector<std::byte>(image, image + layout.image_bytes));
    kernel_.image = image_.data();
    // Half of the memory at most: others may need some.
    const std::uint64_t most = device.gpu().memory_bytes / 2 / layout.bytes;
    if (most == 0)
      throw UnableError("the GPU has too little memory for a walk by belief propagation",
                        "--device cpu needs none of it");
    warps_ = static_cast<unsigned>(std::min<std::uint64_t>(device.template blocks<BetheWalkKernel>(0), most));
    memory_ = device.template allocate<std::byte>(warps_ * layout.bytes);
    places_ = device.template allocate<BetheWalkPlace>(warps_);
    counters_ = device.template allocate<std::uint64_t>(2);
    kernel_.memory = memory_.data();
    kernel_.places = places_.data();
    kernel_.counters = counters_.data();
    kernel_.steps = first_steps;
  }

  std::uint64_t few() const { return warps_; }

  /// Launches of some steps each until all is done.
  void draw(const SampleNumbers& numbers, Scaled* samples, const StopSignal& stop) {
    kernel_.numbers = numbers;
    kernel_.samples = samples;
    device_.clear(places_);
    device_.clear(counters_);
    const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>(warps_, numbers.count));
    for (;;) {
      stop.check();
      const auto start = std::chrono::steady_clock::now();
      device_.launch(kernel_, blocks, 0);
      if (device_.download(counters_, 2)[1] == numbers.count) return;
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const double wanted = paced(kernel_.steps, seconds, sampling_launch_seconds, 4);
      kernel_.steps = static_cast<std::uint32_t>(std::clamp(wanted, 1.0, most_steps));
    }
  }

 private:
  // Some milliseconds.
  static constexpr std::uint32_t first_steps = 16;
  static constexpr double most_steps = 1 << 24;

  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  const Device& device_;
  BetheWalkKernel kernel_;
  unsigned warps_ = 1;
  Buffer<std::byte> image_;
  Buffer<std::byte> memory_;
  Buffer<BetheWalkPlace> places_;
  Buffer<std::uint64_t> counters_;
};

}  // namespace countpm
