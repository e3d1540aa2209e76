#pragma once
// From samples to a mean with an interval, and to the plain word where samples do not carry one.
#include <cmath>
#include <string>
#include <vector>

#include "kernels/estimate/samples/pareto_tail.hpp"
#include "kernels/estimate/samples/sample_moments.hpp"

namespace countpm {

/// The mean of samples and how it is spread, in natural logarithms. Means of independent factors multiply;
/// join() adds their figures.
struct SampledMean {
  double log_mean = 0;     // ln; -infinity where every sample is zero
  double variance = 0;     // of the mean over its square: about the variance of log_mean
  double third = 0;        // third cumulant of the mean over its cube
  double unseen = 0;       // 3 / walks: what is less probable than that may not have been met (rule of three)
  double tail_excess = 0;  // tail_excess() of the samples: the upper end is so much further
  double effective = 0;    // (sum X)^2 / sum X^2: how many equal samples would say as much
  double largest_share = 0;       // of the sum, in one sample
  double pareto_k = no_pareto_k;  // pareto_k() of the samples; of factors the largest
  std::string doubt;  // why no interval by the central limit theorem can be trusted; empty: it can

  /// The standard error of log_mean, with what walks may not have met.
  double standard_error() const { return std::sqrt(variance + unseen * unseen); }
};

/// The variance is the samples' own; where they are worth fewer than 4000 equal ones, at least that of the
/// log-normal law with their upper spread (the 84 % quantile over the median, or any higher one with 10
/// samples above it that says more): a heavy tail that has not been drawn yet does not show in the samples'
/// own variance, its slope does. Doubts: fewer than 50 nonzero samples, fewer than 50 effective ones, by
/// their own variance or by the slope, one that carries a tenth of the sum, a standard error above 0.35, or a
/// tail of pareto_k above 0.7 in samples that are worth less than half as many equal ones (of steadier ones,
/// whatever their tail, it says that some values are rare, not that they are large).
/// Where they are worth fewer than 100 the variance is doubled, lest those that barely pass are shown too
/// sure. The slope hardly depends on whether the heaviest samples came: a gate that looked at the samples'
/// own variance alone would show intervals just where they did not, and are too low. walks: that a sample is
/// made of (BlockSampler::walks).
SampledMean sampled_mean(const SampleMoments& moments, double walks = 1);

/// The product of independent means. No means: 1, exactly.
SampledMean join(const std::vector<SampledMean>& factors);

/// z with P(|N(0,1)| <= z) = confidence. Precondition: 0 < confidence < 1.
double two_sided_quantile(double confidence);

/// ln of an interval's ends. By the central limit theorem on the logarithm, its upper end moved outward for
/// the skewness of the mean by the first Edgeworth term (P. Hall, On the removal of skewness by
/// transformation, J. R. Statist. Soc. B 54 (1992)); the lower end is not moved inward. The upper one
/// is further by `tail_excess`, too, as means of heavy tails are mostly too low. Both ends are moved outward
/// by `unseen`: N equal samples leave room for whatever N walks meet with a chance below 95 %.
struct LogInterval {
  double low = 0;
  double high = 0;
};
LogInterval interval_of(const SampledMean& mean, double confidence);

/// For a mean in doubt: with probability `confidence` the true value is at least (1 - confidence) times the
/// mean of non-negative unbiased samples, whatever their law (Markov). ln.
double markov_lower_end(const SampledMean& mean, double confidence);

}  // namespace countpm
