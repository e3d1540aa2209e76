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
#include "kernels/estimate/samples/gpu/kept_samples.hpp"
#include "kernels/estimate/samples/sample_numbers.hpp"
#include "kernels/gpu/device_info.hpp"

namespace countpm {

template <class Device, class Draws>
class StreamedSamples : public KeptSamples<Device> {
 public:
  template <class Task>
  StreamedSamples(const Task& task, const SampleNumbers& numbers, const GpuInfo& gpu)
      : Kept(numbers, gpu), draws_(this->device_, task) {}

  std::uint64_t few() const override { return std::min(room(), draws_.few()); }

 private:
  using Kept = KeptSamples<Device>;

  // So many rounds of samples of all blocks lie in memory at a time.
  static constexpr std::uint64_t rounds = 64;
  // The exponent of no sample.
  static constexpr std::int64_t not_yet = std::numeric_limits<std::int64_t>::min();

  std::uint64_t room() const { return std::min(this->moments_.most_samples(), rounds * draws_.few()); }

  void begin(std::uint64_t first, std::uint64_t count, const StopSignal&) override {
    SampleNumbers& numbers = this->numbers_;
    numbers.count = 0;  // should this throw
    const std::uint64_t wanted = std::min(this->ahead_ > first ? this->ahead_ - first : count, room());
    this->samples_ = this->device_.upload(std::vector<Scaled>(wanted, Scaled{0, not_yet}));
    numbers.first = first;
    numbers.count = wanted;
    draws_.begin(numbers, this->samples_.data());
    done_ = 0;
    seconds_ = 0;
  }

  void wait_for(std::uint64_t at, std::uint64_t count, const StopSignal& stop) override {
    while (!are_there(at, count)) {
      stop.check();
      const double start = seconds_now();
      done_ = draws_.go_on();
      seconds_ += seconds_now() - start;
      if (done_ > 0) this->rate_ = static_cast<double>(done_) / seconds_;
    }
  }

  bool are_there(std::uint64_t at, std::uint64_t count) const {
    if (done_ < count) return false;
    const std::vector<Scaled> samples = this->device_.download(this->samples_, count, at);
    return std::none_of(samples.begin(), samples.end(),
                        [](const Scaled& sample) { return sample.exponent == not_yet; });
  }

  Draws draws_;
  std::uint64_t done_ = 0;  // of this stream
  double seconds_ = 0;      // that they took
};

}  // namespace countpm
