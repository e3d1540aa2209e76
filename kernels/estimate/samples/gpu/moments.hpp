#pragma once
// The moments of samples on a device: a template over CudaDevice and CpuDevice.
#include <gmpxx.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/estimate/samples/gpu/kernel.hpp"
#include "kernels/estimate/samples/sample_moments.hpp"

namespace countpm {

/// SampleMoments of samples in device memory, the same as SampleMoments::add finds them one by one.
template <class Device>
class DeviceMoments {
 public:
  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  explicit DeviceMoments(const Device& device)
      : device_(device),
        range_blocks_(device.template blocks<SampleRangeKernel>(0)),
        sum_blocks_(device.template blocks<MomentsKernel>(shared_bytes())),
        ranges_(device.template allocate<SampleRange>(range_warps())),
        words_(device.template allocate<std::uint64_t>(shared_bytes() / sizeof(std::uint32_t))) {}

  /// Samples that it takes at a time.
  std::uint64_t most_samples() const { return sum_blocks_ * MomentsKernel::most_samples_a_block; }

  /// Of samples[first] .. samples[first + count - 1]. Precondition: 1 <= count <= most_samples().
  SampleMoments of(const Buffer<Scaled>& samples, std::uint64_t first, std::uint64_t count) const {
    const Scaled* const begin = samples.data() + first;
    device_.launch(SampleRangeKernel{begin, count, ranges_.data()}, range_blocks_, 0);
    SampleRange range;
    for (const SampleRange& one : device_.download(ranges_, range_warps())) range.join(one);
    SampleMoments moments;
    moments.samples = count;
    if (range.nonzero == 0) return moments;
    constexpr std::int64_t most_octaves = 1 << 20;
    const std::int64_t octaves = range.largest.exponent - range.low + 1;
    MomentWindow window;
    window.low = range.low;
    window.octaves = static_cast<std::uint32_t>(std::min(octaves, most_octaves));
    if (window.words() * sizeof(std::uint32_t) > shared_bytes()) return one_by_one(samples, first, count);
    device_.clear(words_);
    device_.launch(MomentsKernel{begin, count, window, words_.data()}, sum_blocks_,
                   window.words() * sizeof(std::uint32_t));
    const std::vector<std::uint64_t> words = device_.download(words_, window.words());
    moments.nonzero = range.nonzero;
    moments.largest = to_scaled(range.largest);
    moments.sum = sum_of(words, window, 1);
    moments.squares = sum_of(words, window, 2);
    moments.cubes = sum_of(words, window, 3);
    constexpr int first_bit = ScaledInteger::bits - 1;
    for (std::uint32_t w = window.histogram(); w < window.words(); ++w) {
      if (words[w] == 0) continue;
      moments.histogram[(window.low + first_bit) * SampleMoments::bins_an_octave + w - window.histogram()] =
          words[w];
    }
    return moments;
  }

 private:
  /// Windows of 2900 octaves: samples are hardly ever so far apart.
  std::size_t shared_bytes() const {
    return std::min<std::size_t>(device_.gpu().shared_bytes, std::size_t{192} * 1024);
  }
  std::size_t range_warps() const { return std::size_t{range_blocks_} * (SampleRangeKernel::threads / 32); }

  static ExactSum sum_of(const std::vector<std::uint64_t>& words, const MomentWindow& window,
                         unsigned power) {
    mpz_class sum = 0;
    for (std::uint32_t d = window.digits(power); d-- > 0;) {
      sum <<= MomentWindow::digit_bits;
      sum += static_cast<std::uint64_t>(words[window.begin(power) + d]);
    }
    ExactSum result;
    result.add(sum, power * window.low);
    return result;
  }

  SampleMoments one_by_one(const Buffer<Scaled>& samples, std::uint64_t first, std::uint64_t count) const {
    SampleMoments moments;
    for (const Scaled& sample : device_.download(samples, count, first)) moments.add(sample);
    return moments;
  }

  const Device& device_;
  unsigned range_blocks_;
  unsigned sum_blocks_;
  Buffer<SampleRange> ranges_;
  Buffer<std::uint64_t> words_;
};

}  // namespace countpm
