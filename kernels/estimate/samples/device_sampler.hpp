#pragma once
// A sampler on one GPU: BlockSampler::on_device makes one.
#include <algorithm>
#include <cstdint>

#include "kernels/estimate/samples/sample_moments.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// A launch lasts about that long: a stop is soon heard, and starting it does not show.
inline constexpr double sampling_launch_seconds = 0.02;

/// How much to do next: what has been done in so many seconds, by as much as makes it last `wanted` of them,
/// but at most `most_growth` times as much.
inline double paced(double done, double seconds, double wanted, double most_growth) {
  return done * std::min(wanted / std::max(seconds, 1e-6), most_growth);
}

class DeviceSampler {
 public:
  virtual ~DeviceSampler() = default;

  /// At least so many samples at a time keep the device busy.
  virtual std::uint64_t few() const = 0;

  /// Samples below `end` may be drawn before they are asked for: where run() is asked for fewer than keep the
  /// device busy it draws others, too, and the next calls find theirs drawn. Without this, none are.
  virtual void may_draw_ahead(std::uint64_t end) = 0;

  /// As it drew last; 0: nothing yet.
  virtual double samples_a_second() const = 0;

  /// As BlockSampler::run, and what that finds, bit for bit. One call at a time, from any thread. Looks at
  /// `stop` at least every 100 ms and throws Stopped. Throws CudaError, or UnableError where memory does not
  /// suffice.
  virtual SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) = 0;
};

}  // namespace countpm
