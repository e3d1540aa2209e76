#pragma once
// How far samples are spread, by a few that are thrown away.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace countpm {

/// The standard deviation of ln of 8 samples draw(random); infinity where one is 0. They have random numbers
/// of their own: substreams from 2^62 on, where samples are numbered from 0.
template <class Random, class Draw>
double pilot_spread(std::uint64_t seed, std::uint64_t stream, const Draw& draw) {
  constexpr int pilots = 8;
  constexpr std::uint64_t pilot_substream = std::uint64_t{1} << 62;
  double sum = 0;
  double squares = 0;
  double first = 0;
  for (int k = 0; k < pilots; ++k) {
    Random random(seed, stream, pilot_substream + static_cast<std::uint64_t>(k));
    const double log2 = draw(random).log2();
    if (!std::isfinite(log2)) return std::numeric_limits<double>::infinity();
    if (k == 0) first = log2;
    const double value = (log2 - first) * std::log(2.0);
    sum += value;
    squares += value * value;
  }
  return std::sqrt(std::max(0.0, (squares - sum * sum / pilots) / (pilots - 1)));
}

}  // namespace countpm
