#pragma once
// What BlockSampler hands its calls to: samples of a matrix (sampler.cpp) or of a graph (graph_sampler.hpp).
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/uniform.hpp"
#include "kernels/estimate/samples/device_sampler.hpp"
#include "kernels/estimate/samples/population_report.hpp"
#include "kernels/estimate/samples/sample_moments.hpp"
#include "kernels/estimate/samples/sampler_options.hpp"
#include "kernels/estimate/walks/strata.hpp"
#include "kernels/gpu/device_info.hpp"

namespace countpm {

/// As BlockSampler, which has what they say.
class SamplerCore {
 public:
  virtual ~SamplerCore() = default;
  virtual SamplerKind kind() const = 0;
  virtual std::string plan() const = 0;
  virtual double walks() const = 0;
  virtual double work() const = 0;
  virtual std::uint64_t bytes_a_thread() const = 0;
  virtual std::optional<PopulationReport> population() const { return std::nullopt; }
  virtual std::string device_obstacle() const = 0;
  virtual std::unique_ptr<DeviceSampler> on_device(const GpuInfo& gpu, bool lists) const = 0;
  virtual SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) const = 0;
  virtual void run_each(std::uint64_t first, std::uint64_t count, const StopSignal& stop,
                        const std::function<void(const SampleMoments&)>& take) const {
    for (std::uint64_t k = first; k < first + count; ++k) take(run(k, 1, stop));
  }
};

/// Streams of estimates are told from those of other uses of the same seed.
inline constexpr std::uint64_t estimate_stream = std::uint64_t{1} << 63;

/// Which samples are drawn.
struct SampleStream {
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
  std::int64_t exponent = 0;  // of the power of two that every sample is multiplied by
};

/// Samples first .. first + count - 1, each what sample(random) says by numbers of its own.
template <class Random, class Sample>
SampleMoments draw_samples(const SampleStream& from, std::uint64_t first, std::uint64_t count,
                           const StopSignal& stop, const Sample& sample) {
  SampleMoments moments;
  constexpr std::uint64_t samples_a_look = 16;
  for (std::uint64_t k = first; k < first + count; ++k) {
    if (k % samples_a_look == 0) stop.check();
    Random random(from.seed, from.stream, k);
    Scaled value = sample(random);
    value.exponent += from.exponent;
    moments.add(value);
  }
  return moments;
}

/// The random numbers of walk m of a sample that is the mean of so many. offset: the first of the sample's
/// own, uniform.
template <class Random>
StratifiedRandom<Random> random_of_walk(Random& random, double offset, std::uint32_t m,
                                        std::uint32_t strata) {
  const double walks = strata;
  return {random, std::min((m + offset) / walks, 1 - 0x1p-53), walks};
}

/// The same, each the mean of `strata` walks with stratified first choices (walks/strata.hpp).
template <class Random, class Walk>
SampleMoments draw_stratified(const SampleStream& from, std::uint32_t strata, std::uint64_t first,
                              std::uint64_t count, const StopSignal& stop, const Walk& walk) {
  if (strata == 1) return draw_samples<Random>(from, first, count, stop, walk);
  return draw_samples<Random>(from, first, count, stop, [&](Random& random) {
    const double offset = uniform(random);
    Scaled sum{0, 0};
    constexpr std::uint32_t walks_a_look = 16;
    for (std::uint32_t m = 0; m < strata; ++m) {
      if (m % walks_a_look == 0) stop.check();
      StratifiedRandom<Random> one = random_of_walk(random, offset, m, strata);
      sum.add(walk(one));
    }
    sum.multiply(1.0 / strata);
    return sum;
  });
}

}  // namespace countpm
