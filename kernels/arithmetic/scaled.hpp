#pragma once
// Non-negative numbers that never overflow: what a sample is worth.
#include <cmath>
#include <cstdint>
#include <cstring>

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

/// integer * 2^exponent, 2^52 <= integer < 2^53.
struct ScaledInteger {
  static constexpr int bits = 53;
  std::uint64_t integer = 0;
  std::int64_t exponent = 0;
};

/// The same number. Precondition: the mantissa is a normal number above 0.
COUNTPM_HD inline ScaledInteger to_integer(const Scaled& value) {
  std::uint64_t bits = 0;
  memcpy(&bits, &value.mantissa, sizeof bits);
  constexpr int stored = ScaledInteger::bits - 1;
  constexpr std::int64_t bias = 1023 + stored;
  constexpr std::uint64_t leading = std::uint64_t{1} << stored;
  return {(bits & (leading - 1)) | leading,
          value.exponent + static_cast<std::int64_t>(bits >> stored) - bias};
}

/// The same number, its mantissa in [1/2, 1).
inline Scaled to_scaled(const ScaledInteger& value) {
  return {std::ldexp(static_cast<double>(value.integer), -ScaledInteger::bits),
          value.exponent + ScaledInteger::bits};
}

COUNTPM_HD inline bool less(const ScaledInteger& a, const ScaledInteger& b) {
  return a.exponent != b.exponent ? a.exponent < b.exponent : a.integer < b.integer;
}

}  // namespace countpm
