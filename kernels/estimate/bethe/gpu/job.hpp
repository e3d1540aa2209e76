#pragma once
// The walks by belief propagation that a DeviceSampler launches: a template over CudaDevice and CpuDevice.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/estimate/bethe/gpu/kernel.hpp"
#include "kernels/estimate/samples/device_sampler.hpp"
#include "kernels/estimate/walks/walk_task.hpp"
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
    kernel_.steps = device.gpu().emulated ? steps_emulated : ~std::uint32_t{0};
    kernel_.nanoseconds = launch_nanoseconds;
  }

  std::uint64_t few() const { return warps_; }

  /// Launch after launch until all is done.
  void draw(const SampleNumbers& numbers, Scaled* samples, const StopSignal& stop) {
    kernel_.numbers = numbers;
    kernel_.samples = samples;
    device_.clear(places_);
    device_.clear(counters_);
    const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>(warps_, numbers.count));
    do {
      stop.check();
      device_.launch(kernel_, blocks, 0);
    } while (device_.download(counters_, 2)[1] != numbers.count);
  }

 private:
  static constexpr std::uint32_t steps_emulated = 64;
  static constexpr std::uint64_t launch_nanoseconds = 50'000'000;

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
