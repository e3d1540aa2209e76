#pragma once
// Log-linear fits of expected counts: y_k is about mu_k = offset_k exp(b + sum of the coefficients of the
// features that k has), found as Poisson regression finds it: least squares of logarithms first, then steps
// of Newton's method. A coefficient far from 0 is penalised a little, so that features that few samples have
// stay near 0.
//
// Only additions, multiplications, divisions and square roots, in a fixed order: the same digits everywhere.
// P. McCullagh, J. A. Nelder, Generalized Linear Models (1989).
#include <cstdint>
#include <vector>

namespace countpm {

/// e^x and ln x without the library's, which differ between machines in their last digits. To 1e-15 or so.
/// Precondition: |x| <= 700.
double plain_exp(double x);
/// Precondition: 0 < x < infinity.
double plain_log(double x);

struct CountFitSamples {
  std::vector<double> weight;         // of every sample; all add up to about their number
  std::vector<double> offset;         // above 0
  std::vector<double> y;              // at least 0
  std::vector<std::uint64_t> traits;  // a sample has a feature if it has all traits of it
};

/// The coefficients of the features, each between -6 and 6; empty where nothing can be fitted.
/// O(samples * features^2) time at most.
std::vector<double> fit_counts(const std::vector<std::uint64_t>& features, const CountFitSamples& samples);

}  // namespace countpm
