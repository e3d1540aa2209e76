#include "kernels/estimate/samples/sample_moments.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace countpm {
namespace {

bool less(const Scaled& a, const Scaled& b) {
  if (a.is_zero() || b.is_zero()) return a.is_zero() && !b.is_zero();
  return less(to_integer(a), to_integer(b));
}

}  // namespace

void SampleMoments::add(const Scaled& sample) {
  ++samples;
  if (sample.is_zero()) return;
  ++nonzero;
  const ScaledInteger value = to_integer(sample);
  ++histogram[bin_of(value)];
  const mpz_class integer(static_cast<std::uint64_t>(value.integer));
  const mpz_class square = integer * integer;
  sum.add(integer, value.exponent);
  squares.add(square, 2 * value.exponent);
  cubes.add(square * integer, 3 * value.exponent);
  const Scaled normalised = to_scaled(value);
  if (less(largest, normalised)) largest = normalised;
}

void SampleMoments::join(const SampleMoments& other) {
  samples += other.samples;
  nonzero += other.nonzero;
  sum.add(other.sum);
  squares.add(other.squares);
  cubes.add(other.cubes);
  if (less(largest, other.largest)) largest = other.largest;
  for (const auto& [bin, count] : other.histogram) histogram[bin] += count;
}

double SampleMoments::log_quantile(double q) const {
  const double wanted = q * static_cast<double>(nonzero);
  double below = 0;
  double inside = 0.5;
  std::int64_t at = histogram.begin()->first;
  for (const auto& [bin, count] : histogram) {
    at = bin;
    const auto many = static_cast<double>(count);
    inside = std::clamp((wanted - below - 0.5) / many, 0.5 / many, 1 - 0.5 / many);
    below += static_cast<double>(count);
    if (below >= wanted) break;
  }
  const std::int64_t octave = at >= 0 ? at / bins_an_octave : -((bins_an_octave - 1 - at) / bins_an_octave);
  const auto place = static_cast<double>(at - octave * bins_an_octave);
  return std::log(1 + (place + inside) / static_cast<double>(bins_an_octave)) +
         static_cast<double>(octave) * std::log(2.0);
}

}  // namespace countpm
