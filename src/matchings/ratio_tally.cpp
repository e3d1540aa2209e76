#include "src/matchings/ratio_tally.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "src/matchings/piece_tally.hpp"

namespace countpm {
namespace {

// The tail of differences is told by so many samples at most: 64 MiB.
constexpr std::size_t most_kept_weights = std::size_t{1} << 22;

double weight_in_units(double log, double unit) {
  return std::isinf(log) ? 0 : std::exp(log - unit);
}

}  // namespace

void RatioTally::add(const RatioSample& sample) {
  const auto& [log, log_a, log_b] = sample;
  moments_both.add(scaled_exponential(log));
  moments_a.add(scaled_exponential(log_a));
  moments_b.add(scaled_exponential(log_b));
  logs.emplace_back(log_a, log_b);
  rescale(std::max(unit_a, log_a), std::max(unit_b, log_b));
  const double x = weight_in_units(log_a, unit_a);
  const double y = weight_in_units(log_b, unit_b);
  a += x, b += y, aa += x * x, ab += x * y, bb += y * y;
}

void RatioTally::join(RatioTally&& next) {
  moments_a.join(next.moments_a);
  moments_b.join(next.moments_b);
  moments_both.join(next.moments_both);
  const std::size_t room = most_kept_weights - std::min(logs.size(), most_kept_weights);
  logs.insert(logs.end(), next.logs.begin(),
              next.logs.begin() + static_cast<std::ptrdiff_t>(std::min(room, next.logs.size())));
  rescale(std::max(unit_a, next.unit_a), std::max(unit_b, next.unit_b));
  next.rescale(unit_a, unit_b);
  a += next.a, b += next.b, aa += next.aa, ab += next.ab, bb += next.bb;
}

double RatioTally::log_ratio() const {
  return std::log(a) + unit_a - std::log(b) - unit_b;
}

double RatioTally::variance() const {
  return std::max(aa / (a * a) - 2 * ab / (a * b) + bb / (b * b), 0.0);
}

void RatioTally::rescale(double to_a, double to_b) {
  const double x = std::isinf(unit_a) ? 1 : std::exp(unit_a - to_a);
  const double y = std::isinf(unit_b) ? 1 : std::exp(unit_b - to_b);
  a *= x, aa *= x * x, ab *= x * y, b *= y, bb *= y * y;
  unit_a = to_a;
  unit_b = to_b;
}

RatioChunk ratio_chunk(RatioSamples samples) {
  RatioChunk chunk{std::move(samples), {}};
  for (const RatioSample& sample : chunk.samples) chunk.tally.add(sample);
  return chunk;
}

RatioTail tail_of(const RatioTally& tally, bool steady) {
  const auto samples = static_cast<double>(tally.moments_a.samples);
  const double mean_a = tally.moments_a.sum.log2() * std::log(2.0) - std::log(samples);
  const double mean_b = tally.moments_b.sum.log2() * std::log(2.0) - std::log(samples);
  SampleMoments above;
  SampleMoments below;
  for (const auto& [log_a, log_b] : tally.logs) {
    const double apart = std::exp(log_a - mean_a) - std::exp(log_b - mean_b);
    above.add({std::max(apart, 0.0), 0});
    below.add({std::max(-apart, 0.0), 0});
  }
  RatioTail tail;
  for (const bool up : {true, false}) {
    const SampleMoments& one = up ? above : below;
    const double k = pareto_k(one);
    if (std::isnan(k)) continue;
    const double mean = std::exp2(one.sum.log2()) / static_cast<double>(one.samples);
    (up ? tail.above : tail.below) = mean * tail_excess(one, steady ? k : upper_pareto_k(one, k));
    tail.pareto_k = std::fmax(tail.pareto_k, k);
  }
  return tail;
}

double missing_factor(const SampledMean& mean, double samples) {
  const double own = (samples / mean.effective - 1) / samples;
  return own > 0 ? std::max(mean.variance / own, 1.0) : 1;
}

}  // namespace countpm
