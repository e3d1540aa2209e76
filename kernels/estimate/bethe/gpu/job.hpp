#pragma once
// The walks by belief propagation that a DeviceSampler launches: a template over CudaDevice and CpuDevice.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/estimate/bethe/gpu/kernel.hpp"
#include "kernels/estimate/samples/gpu/launches.hpp"
#include "kernels/estimate/walks/walk_task.hpp"

namespace countpm {

template <class Device>
class DeviceBethe {
 public:
  /// Precondition: task.bethe->matched().
  DeviceBethe(const Device& device, const WalkTask& task)
      : kernel_{task.bethe->layout(), task.bethe->settings(), task.tail}, launches_(device) {
    const BetheLayout& layout = task.bethe->layout();
    const std::byte* const image = task.bethe->memory().data();
    image_ = device.upload(std::vector<std::byte>(image, image + layout.image_bytes));
    kernel_.image = image_.data();
    const std::uint64_t bytes = layout.bytes + task.tail.bytes;
    unsigned warps = launches_.blocks_with(bytes, 0);
    if (warps > 1 && warps * bytes > much_memory) warps /= 2;
    if (warps == 0)
      throw UnableError("the GPU has too little memory for a walk by belief propagation",
                        "--device cpu needs none of it");
    launches_.prepare(kernel_, warps, bytes, 0, counters, steps_emulated);
  }

  std::uint64_t few() const { return launches_.blocks(); }

  void begin(const SampleNumbers& numbers, Scaled* samples) { launches_.begin(kernel_, numbers, samples); }
  std::uint64_t go_on() const { return launches_.go_on(kernel_)[1]; }

 private:
  // Graphs of all warps together that take more: half as many walk faster, as caches, and what keeps the
  // addresses of pages, serve each of them better (bench/results/estimates.md).
  static constexpr std::uint64_t much_memory = std::uint64_t{2} << 30;
  static constexpr std::uint32_t steps_emulated = 64;
  static constexpr std::size_t counters = 2;

  BetheWalkKernel kernel_;
  ResumedLaunches<Device, BetheWalkKernel, BetheWalkPlace> launches_;
  typename Device::template Buffer<std::byte> image_;
};

}  // namespace countpm
