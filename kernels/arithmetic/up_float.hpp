#pragma once
// Non-negative numbers rounded upwards, with exponents that never overflow: for bounds.
#include <gmpxx.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace countpm {

/// mantissa * 2^exponent, mantissa in [1/2, 1], or zero. Every operation returns at least the true result:
/// what the operation on doubles lost is computed exactly, and where it is positive nextafter goes up by one
/// unit, which is more than the half unit lost.
struct UpFloat {
  double mantissa = 0;
  std::int64_t exponent = 0;

  static double up(double value) { return std::nextafter(value, std::numeric_limits<double>::infinity()); }
  static UpFloat normalised(double value, std::int64_t exponent) {
    if (value == 0) return {};
    int shift = 0;
    const double mantissa = std::frexp(value, &shift);
    return {mantissa, exponent + shift};
  }
  /// |value|, rounded up (exact below 2^53).
  static UpFloat of(const mpz_class& value) {
    if (value == 0) return {};
    std::int64_t exponent = 0;
    const double truncated = std::fabs(mpz_get_d_2exp(&exponent, value.get_mpz_t()));
    const bool whole = mpz_sizeinbase(value.get_mpz_t(), 2) <= 53;
    return normalised(whole ? truncated : up(truncated), exponent);
  }
  static UpFloat of(const mpq_class& value) {
    const UpFloat numerator = of(value.get_num());
    if (value.get_den() == 1 || numerator.mantissa == 0) return numerator;
    std::int64_t exponent = 0;
    const double denominator =
        mpz_get_d_2exp(&exponent, value.get_den_mpz_t());  // truncated: the quotient can only grow
    return normalised(up(numerator.mantissa / denominator), numerator.exponent - exponent);
  }

  friend UpFloat operator+(UpFloat a, UpFloat b) {
    if (a.mantissa == 0) return b;
    if (b.mantissa == 0) return a;
    if (a.exponent < b.exponent) std::swap(a, b);
    const std::int64_t gap = a.exponent - b.exponent;
    // Beyond 1000 bits the smaller one stands in for itself as 2^-1000. two-sum: sum + lost is the true sum
    // exactly.
    const double small = gap > 1000 ? 0x1p-1000 : std::ldexp(b.mantissa, -static_cast<int>(gap));
    const double sum = a.mantissa + small;
    const double part = sum - a.mantissa;
    const double lost = (a.mantissa - (sum - part)) + (small - part);
    return normalised(lost > 0 ? up(sum) : sum, a.exponent);
  }
  friend UpFloat operator*(UpFloat a, UpFloat b) {
    if (a.mantissa == 0 || b.mantissa == 0) return {};
    const double product = a.mantissa * b.mantissa;
    const bool below = std::fma(a.mantissa, b.mantissa, -product) > 0;
    return normalised(below ? up(product) : product, a.exponent + b.exponent);
  }
  static UpFloat root(UpFloat a) {
    if (a.mantissa == 0) return {};
    if (a.exponent % 2 != 0) a = {a.mantissa / 2, a.exponent + 1};
    const double root = std::sqrt(a.mantissa);
    const bool below = std::fma(root, root, -a.mantissa) < 0;
    return normalised(below ? up(root) : root, a.exponent / 2);
  }
  friend bool operator<(const UpFloat& a, const UpFloat& b) {
    if (a.mantissa == 0 || b.mantissa == 0) return a.mantissa == 0 && b.mantissa != 0;
    return a.exponent != b.exponent ? a.exponent < b.exponent : a.mantissa < b.mantissa;
  }
};

/// log2 of the value, rounded up. 0 for zero and for one, exactly.
double log2_up(const UpFloat& value);

}  // namespace countpm
