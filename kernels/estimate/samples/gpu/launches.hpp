#pragma once
// Launches of a kernel whose blocks stop after some time, wherever they are, and go on in the next launch: a
// template over CudaDevice and CpuDevice.
//
// Such a kernel has `places` (Place, one for each block; cleared: nowhere), `counters` (samples begun,
// samples done, and others), `steps` and `nanoseconds` (of a block and launch, at most), `numbers` and
// `samples`.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/samples/sample_numbers.hpp"

namespace countpm {

template <class Device, class Kernel, class Place>
class ResumedLaunches {
 public:
  explicit ResumedLaunches(const Device& device) : device_(device) {}

  /// How many of the blocks that fill the device have `bytes` each; half of the memory at most, as others may
  /// need some. 0: not even one.
  unsigned blocks_with(std::uint64_t bytes, std::size_t shared_bytes) const {
    const std::uint64_t most = device_.gpu().memory_bytes / 2 / bytes;
    return static_cast<unsigned>(
        std::min<std::uint64_t>(device_.template blocks<Kernel>(shared_bytes), most));
  }

  /// Memory of that size for each of so many blocks, with so many counters, and how long a launch lasts.
  void prepare(Kernel& kernel, unsigned blocks, std::uint64_t bytes, std::size_t shared_bytes,
               std::size_t counters, std::uint32_t steps_emulated) {
    blocks_ = blocks;
    shared_bytes_ = shared_bytes;
    memory_ = device_.template allocate<std::byte>(blocks * bytes);
    places_ = device_.template allocate<Place>(blocks);
    counters_ = device_.template allocate<std::uint64_t>(counters);
    kernel.memory = memory_.data();
    kernel.places = places_.data();
    kernel.counters = counters_.data();
    kernel.steps = device_.gpu().emulated ? steps_emulated : ~std::uint32_t{0};
    kernel.nanoseconds = launch_nanoseconds;
  }
  unsigned blocks() const { return blocks_; }

  /// From here on it is the samples of `numbers` that launches draw; what was under way is forgotten.
  void begin(Kernel& kernel, const SampleNumbers& numbers, Scaled* samples) const {
    kernel.numbers = numbers;
    kernel.samples = samples;
    device_.clear(places_);
    device_.clear(counters_);
  }

  /// One launch; the counters then. Blocks that have ended a sample begin the next one of them.
  std::vector<std::uint64_t> go_on(const Kernel& kernel) const {
    const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>(blocks_, kernel.numbers.count));
    device_.launch(kernel, blocks, shared_bytes_);
    return device_.download(counters_, counters_.size());
  }

 private:
  static constexpr std::uint64_t launch_nanoseconds = 50'000'000;

  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  const Device& device_;
  unsigned blocks_ = 1;
  std::size_t shared_bytes_ = 0;
  Buffer<std::byte> memory_;
  Buffer<Place> places_;
  Buffer<std::uint64_t> counters_;
};

}  // namespace countpm
