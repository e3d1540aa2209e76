#pragma once
// How far samples are spread, by a few that are thrown away, and how long it takes, with such samples, until
// the mean is known: by which samplers are chosen.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace countpm {

constexpr int few_pilots = 8;
constexpr int many_pilots = 64;

// Of pilots: where samples are numbered from 0.
inline constexpr std::uint64_t pilot_substream = std::uint64_t{1} << 62;

/// The standard deviation of ln of so many samples; infinity where one is 0. Each is what sample(k) says.
template <class Sample>
double spread_of(int samples, const Sample& sample) {
  double sum = 0;
  double squares = 0;
  double first = 0;
  for (int k = 0; k < samples; ++k) {
    const double log2 = sample(static_cast<std::uint64_t>(k)).log2();
    if (!std::isfinite(log2)) return std::numeric_limits<double>::infinity();
    if (k == 0) first = log2;
    const double value = (log2 - first) * std::log(2.0);
    sum += value;
    squares += value * value;
  }
  return std::sqrt(std::max(0.0, (squares - sum * sum / samples) / (samples - 1)));
}

/// Of some samples draw(random), with random numbers of their own.
template <class Random, class Draw>
double pilot_spread(std::uint64_t seed, std::uint64_t stream, const Draw& draw, int pilots = few_pilots) {
  return spread_of(pilots, [&](std::uint64_t k) {
    Random random(seed, stream, pilot_substream + k);
    return draw(random);
  });
}

/// How long it takes until an interval of 95 % is within 1 %: `work` is the time of a sample, of so many
/// walks, and its logarithm is spread so far, as if by the normal law. With d the standard deviation of a
/// sample over the mean that is n samples with 1.96 d / sqrt(n) + 3 / (n walks) = ln 1.01, at least the 64
/// that are drawn before the interval is looked at; d^2 = exp(spread^2) - 1.
inline double work_to_goal(double spread, double work, double walks) {
  constexpr double fewest_samples = 64;
  constexpr double quantile = 1.959964;
  constexpr double unseen = 3;
  if (!std::isfinite(spread)) return std::numeric_limits<double>::infinity();
  const double error = std::log1p(0.01);
  const double normal = quantile * std::sqrt(std::expm1(spread * spread));
  const double root = (normal + std::sqrt(normal * normal + 4 * error * unseen / walks)) / (2 * error);
  return work * std::max(fewest_samples, root * root);
}

/// Where two samplers are predicted to be about as fast more pilots of each decide: 8 may be off by a third.
inline bool about_as_fast(double one, double other) {
  constexpr double apart = 4;
  return one < apart * other && other < apart * one;
}
/// So many, as long as they take a twentieth of what the goal does.
inline int closer_pilots(double work_to_goal, double work) {
  constexpr double share_of_pilots = 0.05;
  return static_cast<int>(std::clamp<double>(share_of_pilots * work_to_goal / work, few_pilots, many_pilots));
}

/// What a step of a trial of another sampler may take, where samples of the best one so far would take
/// `best`: so little that it hardly matters if it is in vain, or 20 ms.
inline double most_work_of_trial(double best) {
  constexpr double least = 2e7;
  return std::max(best / 8, least);
}

}  // namespace countpm
