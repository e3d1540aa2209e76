#pragma once
// A sampler on one GPU whose launches go on where those before have stopped (launches.hpp), a template over
// CudaDevice and CpuDevice: samples are drawn in a stream. Blocks that have ended one begin the next, also
// beyond what is asked for where that may be, so that none waits for the longest sample of a batch. `Draws`
// puts samples into the device's memory: begin(numbers, samples), then go_on(), which returns how many there
// are, again and again.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "graph/clock.hpp"
#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/samples/device_sampler.hpp"
#include "kernels/estimate/samples/gpu/moments.hpp"
#include "kernels/estimate/samples/sample_numbers.hpp"
#include "kernels/gpu/device_info.hpp"

namespace countpm {

template <class Device, class Draws>
class SampleStream : public DeviceSampler {
 public:
  template <class Task>
  SampleStream(const Task& task, const SampleNumbers& numbers, const GpuInfo& gpu)
      : device_(gpu), draws_(device_, task), moments_(device_), numbers_(numbers) {}

  std::uint64_t few() const override { return std::min(room(), draws_.few()); }

  void may_draw_ahead(std::uint64_t end) override {
    if (end < ahead_) numbers_.count = 0;  // what is under way beyond what was asked for is forgotten
    ahead_ = end;
  }

  double samples_a_second() const override { return rate_; }

  SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) override {
    SampleMoments moments;
    while (count > 0) {
      stop.check();
      if (first < numbers_.first || first >= numbers_.first + numbers_.count) begin(first, count);
      const std::uint64_t at = first - numbers_.first;
      const std::uint64_t some = std::min(count, numbers_.count - at);
      while (!are_there(at, some)) {
        stop.check();
        go_on();
      }
      moments.join(moments_.of(samples_, at, some));
      first += some;
      count -= some;
    }
    return moments;
  }

 private:
  // So many rounds of samples of all blocks lie in memory at a time.
  static constexpr std::uint64_t rounds = 64;
  // The exponent of no sample.
  static constexpr std::int64_t not_yet = std::numeric_limits<std::int64_t>::min();

  std::uint64_t room() const { return std::min(moments_.most_samples(), rounds * draws_.few()); }

  void begin(std::uint64_t first, std::uint64_t count) {
    numbers_.count = 0;  // should this throw
    const std::uint64_t wanted = std::min(ahead_ > first ? ahead_ - first : count, room());
    samples_ = device_.upload(std::vector<Scaled>(wanted, Scaled{0, not_yet}));
    numbers_.first = first;
    numbers_.count = wanted;
    draws_.begin(numbers_, samples_.data());
    done_ = 0;
    seconds_ = 0;
  }

  void go_on() {
    const double start = seconds_now();
    done_ = draws_.go_on();
    seconds_ += seconds_now() - start;
    if (done_ > 0) rate_ = static_cast<double>(done_) / seconds_;
  }

  bool are_there(std::uint64_t at, std::uint64_t count) const {
    if (done_ < count) return false;
    const std::vector<Scaled> samples = device_.download(samples_, count, at);
    return std::none_of(samples.begin(), samples.end(),
                        [](const Scaled& sample) { return sample.exponent == not_yet; });
  }

  Device device_;
  Draws draws_;
  DeviceMoments<Device> moments_;
  typename Device::template Buffer<Scaled> samples_;
  SampleNumbers numbers_;   // those that lie in samples_, or will
  std::uint64_t done_ = 0;  // of these
  double seconds_ = 0;      // that they took
  double rate_ = 0;
  std::uint64_t ahead_ = 0;  // may_draw_ahead
};

}  // namespace countpm
