#pragma once
// What samples leave behind: exact power sums and a histogram, from which every figure of an estimate comes.
#include <cstdint>
#include <map>

#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/guarantee/exact_sum.hpp"

namespace countpm {

/// Adding is exact, so that moments of batches joined in any order are the same, bit for bit.
struct SampleMoments {
  std::uint64_t samples = 0;
  std::uint64_t nonzero = 0;
  ExactSum sum;
  ExactSum squares;
  ExactSum cubes;
  Scaled largest{0, 0};  // its mantissa in [1/2, 1), or 0
  /// How many nonzero samples lie where: bin 16 e + k holds [1 + k/16, 1 + (k+1)/16) * 2^e, 0 <= k < 16.
  std::map<std::int64_t, std::uint64_t> histogram;
  static constexpr std::int64_t bins_an_octave = 16;
  COUNTPM_HD static std::int64_t bin_of(const ScaledInteger& value) {
    return (value.exponent + ScaledInteger::bits - 1) * bins_an_octave +
           static_cast<std::int64_t>(value.integer >> (ScaledInteger::bits - 5) & 15);
  }

  void add(const Scaled& sample);
  void join(const SampleMoments& other);

  /// ln of the q-quantile of the nonzero samples, to within a bin, as if they lay evenly there. Precondition:
  /// nonzero >= 1, 0 < q <= 1.
  double log_quantile(double q) const;
};

}  // namespace countpm
