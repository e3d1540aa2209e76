#include "src/matchings/signed_tally.hpp"

#include <algorithm>
#include <cmath>

#include "src/matchings/piece_tally.hpp"
#include "src/matchings/ratio_tally.hpp"

namespace countpm {
namespace {

void rescale(SignedTally& tally, double to) {
  const double factor = std::isinf(tally.unit) ? 1 : std::exp(tally.unit - to);
  tally.weights *= factor;
  tally.squares *= factor * factor;
  tally.sum *= factor;
  tally.signed_squares *= factor * factor;
  tally.unit = to;
}

}  // namespace

void SignedTally::add(double ln, std::complex<double> sign) {
  moments.add(scaled_exponential(ln));
  if (std::isinf(ln)) return;
  rescale(*this, std::max(unit, ln));
  const double weight = std::exp(ln - unit);
  weights += weight;
  squares += weight * weight;
  sum += weight * sign;
  signed_squares += weight * weight * sign;
}

void SignedTally::join(const SignedTally& next) {
  moments.join(next.moments);
  if (std::isinf(next.unit)) return;
  SignedTally other;
  other.unit = next.unit;
  other.weights = next.weights;
  other.squares = next.squares;
  other.sum = next.sum;
  other.signed_squares = next.signed_squares;
  const double to = std::max(unit, next.unit);
  rescale(*this, to);
  rescale(other, to);
  weights += other.weights;
  squares += other.squares;
  sum += other.sum;
  signed_squares += other.signed_squares;
}

SignedMean signed_mean(const SignedTally& tally) {
  SignedMean mean;
  mean.weight = sampled_mean(tally.moments);
  const auto samples = static_cast<double>(tally.moments.samples);
  const double all = tally.weights * tally.weights;
  const double factor = missing_factor(mean.weight, samples);
  mean.sign = tally.sum / tally.weights;
  const double square = std::norm(mean.sign);
  mean.variance = factor * std::max(tally.squares / all - square / samples, 0.0);
  // |s - sign|^2 = 1 + |sign|^2 - 2 Re (s conj(sign)) of a sample's sign s.
  const double cross = 2 * (tally.signed_squares * std::conj(mean.sign)).real();
  mean.sign_variance = factor * std::max(tally.squares * (1 + square) - cross, 0.0) / all;
  mean.missed = mean.weight.unseen + mean.weight.tail_excess;
  return mean;
}

}  // namespace countpm
