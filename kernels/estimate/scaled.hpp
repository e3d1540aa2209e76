#pragma once
// Non-negative numbers that never overflow: what a sample is worth.
#include <cmath>
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// mantissa * 2^exponent; zero has mantissa 0. Not normalised: two pairs may be the same number.
struct Scaled {
  double mantissa = 1;
  std::int64_t exponent = 0;

  /// Precondition: 2^-400 <= factor <= 2^400, or 0. One rounding.
  COUNTPM_HD void multiply(double factor) {
    mantissa *= factor;
    if (mantissa > 0x1p+500) {
      mantissa *= 0x1p-500;
      exponent += 500;
    } else if (mantissa < 0x1p-500) {
      mantissa *= 0x1p+500;
      exponent -= 500;
    }
  }
  COUNTPM_HD void multiply(const Scaled& factor) {
    multiply(factor.mantissa);
    exponent += factor.exponent;
  }
  /// One rounding; exponents apart by more than doubles tell leave the larger term.
  COUNTPM_HD void add(const Scaled& term) {
    if (term.is_zero()) return;
    if (is_zero()) {
      *this = term;
      return;
    }
    int own_shift = 0;
    int other_shift = 0;
    double large = std::frexp(mantissa, &own_shift);
    double small = std::frexp(term.mantissa, &other_shift);
    std::int64_t top = exponent + own_shift;
    std::int64_t apart = top - (term.exponent + other_shift);
    if (apart < 0) {
      const double swapped = large;
      large = small;
      small = swapped;
      top -= apart;
      apart = -apart;
    }
    mantissa = apart > 200 ? large : large + std::ldexp(small, -static_cast<int>(apart));
    exponent = top;
  }
  COUNTPM_HD bool is_zero() const { return mantissa == 0; }
  /// -infinity for zero.
  COUNTPM_HD double log2() const { return std::log2(mantissa) + static_cast<double>(exponent); }
};

}  // namespace countpm
