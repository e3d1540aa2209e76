#include "kernels/estimate/sample_moments.hpp"

#include <cmath>

namespace countpm {
namespace {

constexpr std::int64_t bins_an_octave = 16;
constexpr int mantissa_bits = 53;

bool less(const Scaled& a, const Scaled& b) {
  if (a.is_zero() || b.is_zero()) return a.is_zero() && !b.is_zero();
  int shift_a = 0;
  int shift_b = 0;
  const double mantissa_a = std::frexp(a.mantissa, &shift_a);
  const double mantissa_b = std::frexp(b.mantissa, &shift_b);
  const std::int64_t exponent_a = a.exponent + shift_a;
  const std::int64_t exponent_b = b.exponent + shift_b;
  return exponent_a != exponent_b ? exponent_a < exponent_b : mantissa_a < mantissa_b;
}

}  // namespace

void SampleMoments::add(const Scaled& sample) {
  ++samples;
  if (sample.is_zero()) return;
  ++nonzero;
  int shift = 0;
  const double mantissa = std::frexp(sample.mantissa, &shift);  // in [1/2, 1)
  const std::int64_t octave = sample.exponent + shift - 1;
  const auto place = static_cast<std::int64_t>((2 * mantissa - 1) * static_cast<double>(bins_an_octave));
  ++histogram[octave * bins_an_octave + place];

  const std::int64_t exponent = sample.exponent + shift - mantissa_bits;
  const mpz_class integer(std::ldexp(mantissa, mantissa_bits));
  const mpz_class square = integer * integer;
  sum.add(integer, exponent);
  squares.add(square, 2 * exponent);
  cubes.add(square * integer, 3 * exponent);
  if (less(largest, sample)) largest = sample;
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
  std::int64_t at = histogram.begin()->first;
  for (const auto& [bin, count] : histogram) {
    at = bin;
    below += static_cast<double>(count);
    if (below >= wanted) break;
  }
  const std::int64_t octave = at >= 0 ? at / bins_an_octave : -((bins_an_octave - 1 - at) / bins_an_octave);
  const auto place = static_cast<double>(at - octave * bins_an_octave);
  return std::log(1 + (place + 0.5) / static_cast<double>(bins_an_octave)) +
         static_cast<double>(octave) * std::log(2.0);
}

}  // namespace countpm
