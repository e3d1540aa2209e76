#pragma once
// What samples of matchings say of two sums at a time, and of their quotient.
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/pareto_tail.hpp"
#include "kernels/estimate/samples/sample_moments.hpp"
#include "src/journal/ratio_ledger.hpp"

namespace countpm {

/// Sums over samples of a piece, A's weights in units of e^unit_a and B's of e^unit_b, so that the largest is
/// about 1.
struct RatioTally {
  double unit_a = -std::numeric_limits<double>::infinity();
  double unit_b = -std::numeric_limits<double>::infinity();
  double a = 0;
  double b = 0;
  double aa = 0;
  double ab = 0;
  double bb = 0;
  SampleMoments moments_a;
  SampleMoments moments_b;
  SampleMoments moments_both;                   // of the weights that the sampler itself knows of
  std::vector<std::pair<double, double>> logs;  // of A's and B's weight, of the first 2^22 samples

  void add(const RatioSample& sample);
  /// What comes after it. The order decides how sums are rounded.
  void join(RatioTally&& next);

  double log_ratio() const;
  /// Of log_ratio(). Precondition: neither sum is 0.
  double variance() const;

 private:
  void rescale(double to_a, double to_b);
};

/// Samples one after another, and what they add up to.
struct RatioChunk {
  RatioSamples samples;
  RatioTally tally;
};
/// O(samples).
RatioChunk ratio_chunk(RatioSamples samples);

/// What heavy samples that have not come may add to ln of the quotient, and take from it.
struct RatioTail {
  double above = 0;
  double below = 0;
  double pareto_k = no_pareto_k;  // the larger
};

/// The differences A / mean(A) - B / mean(B), which ln of the quotient is the mean of, have two tails: what
/// both sums have in common is in neither. Each is that of samples that are 0 where the difference has the
/// other sign (tail_excess()). steady: their k is taken as it is, else upper_pareto_k(). Precondition:
/// neither sum is 0. O(samples).
RatioTail tail_of(const RatioTally& tally, bool steady);

/// By how much the samples' own variance falls short of what sampled_mean() takes.
double missing_factor(const SampledMean& mean, double samples);

}  // namespace countpm
