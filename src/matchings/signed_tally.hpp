#pragma once
// What samples of absolute weights with signs or phases add up to.
#include <complex>
#include <limits>

#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sample_moments.hpp"

namespace countpm {

/// Weights are in units of e^unit, so that the largest is about 1.
struct SignedTally {
  double unit = -std::numeric_limits<double>::infinity();
  double weights = 0;
  double squares = 0;
  std::complex<double> sum = 0;             // of weight times sign
  std::complex<double> signed_squares = 0;  // of squared weight times sign
  SampleMoments moments;                    // of the weights

  /// A sample: ln of its weight (-infinity: 0), and its sign or phase.
  void add(double ln, std::complex<double> sign);
  /// What comes after it. The order decides how sums are rounded.
  void join(const SignedTally& next);
};

/// Of one piece, in units of the mean weight.
struct SignedMean {
  std::complex<double> sign = 0;
  double variance = 0;       // of the mean of weight times sign
  double sign_variance = 0;  // of the quotient of the means
  double missed = 0;         // what samples may not have met, and what a heavy tail may yet add
  SampledMean weight;

  /// Of the mean of weight times sign, with what walks may not have met.
  double error_square() const { return variance + weight.unseen * weight.unseen; }
};
/// Precondition: a weight is above 0.
SignedMean signed_mean(const SignedTally& tally);

}  // namespace countpm
