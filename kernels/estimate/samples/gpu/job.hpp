#pragma once
// A sampler on one GPU out of its parts, a template over CudaDevice and CpuDevice: `Draws` puts samples into
// the device's memory, DeviceMoments adds them up there.
#include <algorithm>
#include <cstdint>

#include "graph/clock.hpp"
#include "kernels/estimate/samples/device_sampler.hpp"
#include "kernels/estimate/samples/gpu/moments.hpp"
#include "kernels/estimate/samples/sample_numbers.hpp"
#include "kernels/gpu/device_info.hpp"

namespace countpm {

/// Samples that lie in the device's memory at a time, of 16 bytes.
inline constexpr std::uint64_t most_samples_a_launch = std::uint64_t{1} << 22;
inline constexpr std::uint64_t most_samples_a_launch_emulated = 1 << 10;

template <class Device, class Draws>
class SamplerOnDevice : public DeviceSampler {
 public:
  template <class Task>
  SamplerOnDevice(const Task& task, const SampleNumbers& numbers, const GpuInfo& gpu)
      : device_(gpu),
        draws_(device_, task),
        moments_(device_),
        room_(std::min(moments_.most_samples(),
                       gpu.emulated ? most_samples_a_launch_emulated : most_samples_a_launch)),
        samples_(device_.template allocate<Scaled>(room_)),
        many_(std::min(room_, draws_.few())),
        numbers_(numbers) {}

  std::uint64_t few() const override { return std::min(room_, draws_.few()); }

  SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) override {
    SampleMoments moments;
    while (count > 0) {
      stop.check();
      numbers_.first = first;
      numbers_.count = std::min(count, many_);
      const double start = seconds_now();
      draws_.draw(numbers_, samples_.data(), stop);
      moments.join(moments_.of(samples_, numbers_.count));
      const double seconds = seconds_now() - start;
      first += numbers_.count;
      count -= numbers_.count;
      // From what was seen, at most 16 times as many.
      const double wanted = paced(static_cast<double>(numbers_.count), seconds, sampling_launch_seconds, 16);
      many_ = std::clamp(static_cast<std::uint64_t>(wanted), few(), room_);
    }
    return moments;
  }

 private:
  Device device_;
  Draws draws_;
  DeviceMoments<Device> moments_;
  std::uint64_t room_;
  typename Device::template Buffer<Scaled> samples_;
  std::uint64_t many_;
  SampleNumbers numbers_;
};

}  // namespace countpm
