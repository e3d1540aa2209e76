#pragma once
// How heavy the tail of samples is: the shape k of a generalised Pareto law fitted to the largest of them.
#include <limits>

#include "kernels/estimate/samples/sample_moments.hpp"

namespace countpm {

/// Above it the mean of that many samples is no measure of what the next ones say, nor their variance of the
/// error: a doubt.
constexpr double largest_pareto_k = 0.7;
/// Where there is no tail to fit.
constexpr double no_pareto_k = std::numeric_limits<double>::quiet_NaN();

/// The k of Pareto-smoothed importance sampling: moments of the samples' law exist below the order 1/k, so
/// that with k < 1/2 their variance is finite, and from 1/2 to 0.7 the error still falls, more slowly. Of S
/// samples the largest min(S/5, 3 sqrt(S)) are taken, by the posterior mean of Zhang and Stephens, drawn to
/// 1/2 as by ten samples more. The histogram says where they lie, to a 16th of an octave: no_pareto_k where
/// they are fewer than 5 or within a quarter of an octave, so that a tail could not be told. A. Vehtari, D.
/// Simpson, A. Gelman, Y. Yao, J. Gabry, Pareto smoothed importance sampling, J. Mach. Learn. Res. 25 (2024);
/// J. Zhang, M. A. Stephens, Technometrics 51 (2009).
double pareto_k(const SampleMoments& moments);

/// Of a pareto_k() that is a number: (1 + k) / sqrt(samples of the tail).
double pareto_k_error(const SampleMoments& moments, double k);

/// What k may well be: 2.5 standard errors more. Samples whose largest happen not to have come have a mean
/// that is too low and a k that is, too, and it is just these that the doubt above largest_pareto_k lets pass
/// (bench/results/estimates.md, Heavy tails).
double upper_pareto_k(const SampleMoments& moments, double k);

/// What samples beyond the third largest may add to the mean, over the mean: a law of shape k whose tail
/// three of S samples reach has (3/S) x k / (1 - k) above their least, x. Means of samples with a heavy tail
/// are mostly too low, and the more so where its largest happen not to have come, which the third largest
/// depends on less than the largest does. k is taken as 0.9 where it is more; 0 where there is none.
double tail_excess(const SampleMoments& moments, double k);

}  // namespace countpm
