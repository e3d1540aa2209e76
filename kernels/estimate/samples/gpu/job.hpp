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

  void may_draw_ahead(std::uint64_t end) override { ahead_ = end; }

  double samples_a_second() const override { return rate_; }

  SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) override {
    SampleMoments moments;
    while (count > 0) {
      stop.check();
      if (first < numbers_.first || first >= numbers_.first + numbers_.count) draw(first, count, stop);
      const std::uint64_t at = first - numbers_.first;
      const std::uint64_t some = std::min(count, numbers_.count - at);
      moments.join(moments_.of(samples_, at, some));
      first += some;
      count -= some;
    }
    return moments;
  }

 private:
  /// Into samples_: so many of them, or what one launch takes.
  void draw(std::uint64_t first, std::uint64_t count, const StopSignal& stop) {
    std::uint64_t wanted = std::min(count, many_);
    if (ahead_ > first) wanted = std::max(wanted, std::min(few(), ahead_ - first));
    numbers_.first = first;
    numbers_.count = wanted;
    const double start = seconds_now();
    try {
      draws_.draw(numbers_, samples_.data(), stop);
    } catch (...) {
      numbers_.count = 0;  // they are not there
      throw;
    }
    const double seconds = std::max(seconds_now() - start, 1e-7);
    rate_ = static_cast<double>(wanted) / seconds;
    // From what was seen, at most 16 times as many.
    const double next = paced(static_cast<double>(wanted), seconds, sampling_launch_seconds, 16);
    many_ = std::clamp(static_cast<std::uint64_t>(next), few(), room_);
  }

  Device device_;
  Draws draws_;
  DeviceMoments<Device> moments_;
  std::uint64_t room_;
  typename Device::template Buffer<Scaled> samples_;
  std::uint64_t many_;
  SampleNumbers numbers_;  // those that lie in samples_
  double rate_ = 0;
  std::uint64_t ahead_ = 0;  // may_draw_ahead
};

}  // namespace countpm
