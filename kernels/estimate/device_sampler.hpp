#pragma once
// A sampler on one GPU: BlockSampler::on_device makes one.
#include <cstdint>

#include "kernels/estimate/sample_moments.hpp"
#include "kernels/method.hpp"

namespace countpm {

class DeviceSampler {
 public:
  virtual ~DeviceSampler() = default;

  /// As BlockSampler::run, and what that finds, bit for bit. One call at a time, from any thread. Looks at
  /// `stop` at least every 100 ms and throws Stopped. Throws CudaError, or UnableError where memory does not
  /// suffice.
  virtual SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) = 0;
};

}  // namespace countpm
