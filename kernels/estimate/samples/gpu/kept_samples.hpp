#pragma once
// Samples in a device's memory, and the moments of those that are asked for: what samplers on a GPU have in
// common, a template over CudaDevice and CpuDevice.
#include <algorithm>
#include <cstdint>

#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/samples/device_sampler.hpp"
#include "kernels/estimate/samples/gpu/moments.hpp"
#include "kernels/estimate/samples/sample_numbers.hpp"
#include "kernels/gpu/device_info.hpp"

namespace countpm {

template <class Device>
class KeptSamples : public DeviceSampler {
 public:
  void may_draw_ahead(std::uint64_t end) override {
    if (end < ahead_) numbers_.count = 0;  // what is beyond is forgotten
    ahead_ = end;
  }

  double samples_a_second() const override { return rate_; }

  SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) override {
    SampleMoments moments;
    while (count > 0) {
      stop.check();
      if (first < numbers_.first || first >= numbers_.first + numbers_.count) begin(first, count, stop);
      const std::uint64_t at = first - numbers_.first;
      const std::uint64_t some = std::min(count, numbers_.count - at);
      wait_for(at, some, stop);
      moments.join(moments_.of(samples_, at, some));
      first += some;
      count -= some;
    }
    return moments;
  }

 protected:
  KeptSamples(const SampleNumbers& numbers, const GpuInfo& gpu)
      : device_(gpu), moments_(device_), numbers_(numbers) {}

  /// Draws samples number first, first + 1, ... into samples_, or begins to: `count`, fewer where there is no
  /// room, more where they may be drawn ahead. numbers_ are these then, and none if it throws.
  virtual void begin(std::uint64_t first, std::uint64_t count, const StopSignal& stop) = 0;
  /// Until samples_[at] .. samples_[at + count - 1] are there.
  virtual void wait_for([[maybe_unused]] std::uint64_t at, [[maybe_unused]] std::uint64_t count,
                        [[maybe_unused]] const StopSignal& stop) {}

  Device device_;
  DeviceMoments<Device> moments_;
  typename Device::template Buffer<Scaled> samples_;
  SampleNumbers numbers_;    // those that lie in samples_, or will
  double rate_ = 0;          // samples_a_second
  std::uint64_t ahead_ = 0;  // may_draw_ahead
};

}  // namespace countpm
