#pragma once
// A sampler on one GPU out of its parts, a template over CudaDevice and CpuDevice: `Draws` puts samples into
// the device's memory, DeviceMoments adds them up there.
#include <algorithm>
#include <cstdint>

#include "graph/clock.hpp"
#include "kernels/estimate/samples/device_sampler.hpp"
#include "kernels/estimate/samples/gpu/kept_samples.hpp"
#include "kernels/estimate/samples/sample_numbers.hpp"
#include "kernels/gpu/device_info.hpp"

namespace countpm {

/// Samples that lie in the device's memory at a time, of 16 bytes.
inline constexpr std::uint64_t most_samples_a_launch = std::uint64_t{1} << 22;
inline constexpr std::uint64_t most_samples_a_launch_emulated = 1 << 10;

template <class Device, class Draws>
class SamplerOnDevice : public KeptSamples<Device> {
 public:
  template <class Task>
  SamplerOnDevice(const Task& task, const SampleNumbers& numbers, const GpuInfo& gpu)
      : Kept(numbers, gpu),
        draws_(this->device_, task),
        room_(std::min(this->moments_.most_samples(),
                       gpu.emulated ? most_samples_a_launch_emulated : most_samples_a_launch)),
        many_(std::min(room_, draws_.few())) {
    this->samples_ = this->device_.template allocate<Scaled>(room_);
  }

  std::uint64_t few() const override { return std::min(room_, draws_.few()); }

 private:
  using Kept = KeptSamples<Device>;

  void begin(std::uint64_t first, std::uint64_t count, const StopSignal& stop) override {
    std::uint64_t wanted = std::min(count, many_);
    if (this->ahead_ > first) wanted = std::max(wanted, std::min(few(), this->ahead_ - first));
    SampleNumbers& numbers = this->numbers_;
    numbers.first = first;
    numbers.count = wanted;
    const double start = seconds_now();
    try {
      draws_.draw(numbers, this->samples_.data(), stop);
    } catch (...) {
      numbers.count = 0;  // they are not there
      throw;
    }
    const double seconds = std::max(seconds_now() - start, 1e-7);
    this->rate_ = static_cast<double>(wanted) / seconds;
    // From what was seen, at most 16 times as many.
    const double next = paced(static_cast<double>(wanted), seconds, sampling_launch_seconds, 16);
    many_ = std::clamp(static_cast<std::uint64_t>(next), few(), room_);
  }

  Draws draws_;
  std::uint64_t room_;
  std::uint64_t many_;
};

}  // namespace countpm
