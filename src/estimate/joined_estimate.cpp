#include "src/estimate/joined_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/checks/estimate_checks.hpp"
#include "src/sampling/second_sampler.hpp"

namespace countpm {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
const double log10_of_two = std::log10(2.0);
const double log10_of_euler = std::log10(std::exp(1.0));

}  // namespace

Estimate joined_estimate(double exact_log10, const std::vector<SampledBlock>& sampled,
                         const std::vector<CertifiedBounds>& bounds_of, double confidence, Checks& checks) {
  double least = exact_log10;
  double most = exact_log10;
  std::vector<SampledMean> means;
  std::uint64_t samples = 0;
  std::uint64_t nonzero = 0;
  for (std::size_t b = 0; b < sampled.size(); ++b) {
    means.push_back(sampled[b].contradiction.empty()
                        ? sampled[b].mean
                        : mean_of_both(sampled[b].mean, sampled[b].second->mean));
    samples += sampled[b].drawn.moments.samples;
    nonzero += sampled[b].drawn.moments.nonzero;
    const CertifiedBounds& bounds = bounds_of[b];
    least += bounds.log2_lower * log10_of_two;
    most += bounds.log2_upper * log10_of_two;
  }
  Estimate estimate = estimate_of_mean(join(means), exact_log10, least, most, confidence, checks);
  estimate.samples = samples;
  estimate.nonzero = nonzero;
  return estimate;
}

Estimate estimate_of_mean(const SampledMean& product, double exact_log10, double least, double most,
                          double confidence, Checks& checks) {
  Estimate estimate;
  estimate.log10 = exact_log10 + product.log_mean * log10_of_euler;
  estimate.confidence = confidence;
  estimate.effective_samples = product.effective;
  estimate.largest_share = product.largest_share;
  estimate.pareto_k = product.pareto_k;
  estimate.variance = product.variance;
  estimate.third = product.third;
  estimate.bounds_low_log10 = least;
  estimate.bounds_high_log10 = most;
  estimate.unseen = product.unseen;
  estimate.tail_excess = product.tail_excess;
  estimate.doubt = product.doubt;
  LogInterval interval = interval_of(product, confidence);
  const auto log10_of = [&](double ln) { return exact_log10 + ln * log10_of_euler; };
  const IntervalWithinBounds beside{estimate.log10, log10_of(interval.low), log10_of(interval.high), least,
                                    most};
  if (estimate.doubt.empty() && beside.misses())
    estimate.doubt =
        fmt::format("the samples' interval, from 10^{:.6g} to 10^{:.6g}, misses the certified bounds",
                    beside.low, beside.high);
  verify_interval(beside, !estimate.doubt.empty(), checks);
  if (!estimate.doubt.empty()) interval = {markov_lower_end(product, confidence), infinite};
  estimate.low_log10 = log10_of(interval.low);
  estimate.high_log10 = log10_of(interval.high);
  estimate.low_log10 = std::clamp(estimate.low_log10, least, std::max(least, most));
  estimate.high_log10 = std::clamp(estimate.high_log10, estimate.low_log10, most + log_rounding(most));
  estimate.relative_error =
      estimate.doubt.empty() ? std::expm1(std::max(interval.high - product.log_mean, 0.0)) : infinite;
  estimate.log10_sample_mean = estimate.log10;
  if (estimate.log10 != -infinite)
    estimate.log10 = std::clamp(estimate.log10, estimate.low_log10, estimate.high_log10);
  // Of what the certified bounds have cut or moved, the ends are others.
  const bool cut = estimate.high_log10 < log10_of(interval.high);
  if (estimate.doubt.empty() && (cut || was_moved(estimate)))
    estimate.relative_error = std::expm1(
        std::max(estimate.high_log10 - estimate.log10, estimate.log10 - estimate.low_log10) / log10_of_euler);
  return estimate;
}

}  // namespace countpm
