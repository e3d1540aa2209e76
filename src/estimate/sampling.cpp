#include "src/estimate/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "src/run/first_failure.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t first_samples = 64;
// Batches take about so long: stops are prompt and threads evenly busy.
constexpr double batch_seconds = 0.05;
constexpr std::uint64_t largest_batch = 1 << 16;
// A block's samples grow by at least and at most these factors at a time: fewer looks at the interval mean
// fewer chances to stop when it happens to be narrow.
constexpr double least_growth = 1.25;
constexpr double most_growth = 2;
constexpr double growth_margin = 1.05;

/// Hands out batches in order, none after the deadline or a failure.
class Batches {
 public:
  Batches(std::uint64_t first, std::uint64_t end, std::uint64_t size, double deadline, Monitor& monitor)
      : next_(first), end_(end), size_(size), deadline_(deadline), monitor_(monitor) {}

  bool take(std::uint64_t& first, std::uint64_t& count) {
    const std::lock_guard lock(mutex_);
    if (next_ == end_ || monitor_.stop_signal().requested()) return false;
    if (taken_ && monitor_.elapsed() > deadline_) return false;
    taken_ = true;
    first = next_;
    count = std::min(size_, end_ - next_);
    next_ += count;
    return true;
  }

 private:
  std::mutex mutex_;
  std::uint64_t next_;
  std::uint64_t end_;
  std::uint64_t size_;
  double deadline_;
  Monitor& monitor_;
  bool taken_ = false;
};

/// Samples up to number `end`; fewer where the deadline comes.
void extend(SampledBlock& block, std::uint64_t end, const SamplingLimits& limits, Monitor& monitor) {
  const std::uint64_t drawn = block.moments.samples;
  const double begin = monitor.elapsed();
  const double each = drawn == 0 ? batch_seconds : block.seconds / static_cast<double>(drawn);
  const auto size = static_cast<std::uint64_t>(
      std::clamp(batch_seconds / std::max(each, 1e-9), 1.0, static_cast<double>(largest_batch)));
  Batches batches(drawn, end, size, limits.deadline_seconds, monitor);
  std::mutex mutex;
  FirstFailure failure;
  SampleMoments sum;
#pragma omp parallel num_threads(limits.threads) if (limits.threads > 1)
  {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    SampleMoments own;
    const bool fine = failure.guard([&] {
      while (batches.take(first, count)) own.join(block.sampler.run(first, count, monitor.stop_signal()));
    });
    if (!fine) monitor.request_stop();
    const std::lock_guard lock(mutex);
    sum.join(own);
  }
  failure.rethrow();
  monitor.explain_stop();
  block.moments.join(sum);
  block.mean = sampled_mean(block.moments);
  block.seconds += (monitor.elapsed() - begin) * limits.threads;
}

/// The variance that the interval of the product may have.
double allowed_variance(const SamplingLimits& limits) {
  const double error = std::log1p(limits.relative_error) / two_sided_quantile(limits.confidence);
  return error * error;
}

bool good_enough(const std::vector<SampledBlock>& blocks, const SamplingLimits& limits) {
  std::vector<SampledMean> means;
  means.reserve(blocks.size());
  for (const SampledBlock& block : blocks) means.push_back(block.mean);
  const SampledMean product = join(means);
  return product.doubt.empty() &&
         interval_of(product, limits.confidence).high - product.log_mean <= std::log1p(limits.relative_error);
}

double uncertainty(const SampledBlock& block) {
  return block.mean.doubt.empty()
             ? block.mean.variance
             : std::numeric_limits<double>::max() / static_cast<double>(block.moments.samples);
}

std::uint64_t next_target(const SampledBlock& block, std::size_t blocks, const SamplingLimits& limits) {
  double growth = most_growth;
  if (block.mean.doubt.empty()) {
    const double allowed = allowed_variance(limits) / static_cast<double>(blocks);
    growth = std::clamp(growth_margin * block.mean.variance / allowed, least_growth, most_growth);
  }
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(block.moments.samples) * growth));
}

}  // namespace

void sample_blocks(std::vector<SampledBlock>& blocks, const SamplingLimits& limits, Monitor& monitor) {
  for (SampledBlock& block : blocks)
    extend(block, limits.samples > 0 ? limits.samples : first_samples, limits, monitor);
  if (limits.samples > 0) return;
  while (!good_enough(blocks, limits) && monitor.elapsed() <= limits.deadline_seconds) {
    SampledBlock& least_certain = *std::max_element(
        blocks.begin(), blocks.end(),
        [](const SampledBlock& a, const SampledBlock& b) { return uncertainty(a) < uncertainty(b); });
    extend(least_certain, next_target(least_certain, blocks.size(), limits), limits, monitor);
  }
}

}  // namespace countpm
