#pragma once
// A coefficient in floating point on a GPU: doubles and pairs of doubles, real and complex, with the
// operations of the SIMD lanes (../simd.inc) in their order, so that ../rounding.hpp bounds both.
#include <cmath>
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/hafnian/simd.hpp"

namespace countpm::pair_sets {

/// high + low = a sum so far; what additions lose of `high` goes to `low`.
struct alignas(16) CompensatedSum {
  double high = 0;
  double low = 0;

  COUNTPM_HD_INLINE void add(double term, double lost) {
    const double sum = high + term;
    const double part = sum - high;
    low += ((high - (sum - part)) + (term - part)) + lost;
    high = sum;
  }
  /// += (a_high + a_low) b, without the product of the low parts.
  COUNTPM_HD_INLINE void add_product(double a_high, double a_low, const CompensatedSum& b) {
    const double product = a_high * b.high;
    add(product, std::fma(a_low, b.high, std::fma(a_high, b.low, std::fma(a_high, b.high, -product))));
  }
  /// The same with |low| at most half a unit of `high`'s last place.
  COUNTPM_HD_INLINE CompensatedSum normal() const {
    const double sum = high + low;
    const double part = sum - high;
    return {sum, (high - (sum - part)) + (low - part)};
  }
  /// += factor term, where the factor is exact.
  COUNTPM_HD_INLINE void add_times(double factor, const CompensatedSum& term) {
    add_product(factor, 0, term.normal());
    *this = normal();
  }
};

/// What these lanes have alike: a sum begins with its summand.
template <class Number>
struct FloatingLane {
  using Value = Number;
  using Accumulator = Number;

  COUNTPM_HD_INLINE Accumulator start(const Value& summand) const { return summand; }
  COUNTPM_HD_INLINE static double factor_of(bool minus, std::uint32_t weight) {
    return minus ? -static_cast<double>(weight) : static_cast<double>(weight);
  }
};

struct RealLane : FloatingLane<double> {
  using Total = CompensatedSum;
  static constexpr lanes::Kind kind = lanes::Kind::real;
  static constexpr unsigned blocks_per_multiprocessor = 4;

  COUNTPM_HD_INLINE static void multiply_add(double& sum, double a, double b) { sum = std::fma(a, b, sum); }
  COUNTPM_HD_INLINE double finish(double sum, double /*summand*/) const { return sum; }
  COUNTPM_HD_INLINE void add(Total& total, double term, bool minus, std::uint32_t weight) const {
    total.add(term * factor_of(minus, weight), 0);
  }
};

struct alignas(16) ComplexValue {
  double re = 0;
  double im = 0;
};

struct ComplexLane : FloatingLane<ComplexValue> {
  struct Total {
    CompensatedSum re;
    CompensatedSum im;
  };
  static constexpr lanes::Kind kind = lanes::Kind::complex;
  static constexpr unsigned blocks_per_multiprocessor = 3;

  COUNTPM_HD_INLINE static void multiply_add(Accumulator& sum, const Value& a, const Value& b) {
    sum.re = std::fma(a.re, b.re, sum.re);
    sum.im = std::fma(a.re, b.im, sum.im);
    sum.re = std::fma(-a.im, b.im, sum.re);
    sum.im = std::fma(a.im, b.re, sum.im);
  }
  COUNTPM_HD_INLINE Value finish(const Accumulator& sum, const Value& /*summand*/) const { return sum; }
  COUNTPM_HD_INLINE void add(Total& total, const Accumulator& term, bool minus, std::uint32_t weight) const {
    const double factor = factor_of(minus, weight);
    total.re.add(term.re * factor, 0);
    total.im.add(term.im * factor, 0);
  }
};

struct RealPairLane : FloatingLane<CompensatedSum> {
  using Total = CompensatedSum;
  static constexpr lanes::Kind kind = lanes::Kind::real_pair;
  static constexpr unsigned blocks_per_multiprocessor = 3;

  COUNTPM_HD_INLINE static void multiply_add(Accumulator& sum, const Value& a, const Value& b) {
    sum.add_product(a.high, a.low, b);
  }
  COUNTPM_HD_INLINE Value finish(const Accumulator& sum, const Value& /*summand*/) const {
    return sum.normal();
  }
  COUNTPM_HD_INLINE void add(Total& total, const Accumulator& term, bool minus, std::uint32_t weight) const {
    total.add_times(factor_of(minus, weight), term);
  }
};

struct ComplexPair {
  CompensatedSum re;
  CompensatedSum im;
};

struct ComplexPairLane : FloatingLane<ComplexPair> {
  using Total = ComplexPair;
  static constexpr lanes::Kind kind = lanes::Kind::complex_pair;
  static constexpr unsigned blocks_per_multiprocessor = 2;

  COUNTPM_HD_INLINE static void multiply_add(Accumulator& sum, const Value& a, const Value& b) {
    sum.re.add_product(a.re.high, a.re.low, b.re);
    sum.im.add_product(a.re.high, a.re.low, b.im);
    sum.re.add_product(-a.im.high, -a.im.low, b.im);
    sum.im.add_product(a.im.high, a.im.low, b.re);
  }
  COUNTPM_HD_INLINE Value finish(const Accumulator& sum, const Value& /*summand*/) const {
    return {sum.re.normal(), sum.im.normal()};
  }
  COUNTPM_HD_INLINE void add(Total& total, const Accumulator& term, bool minus, std::uint32_t weight) const {
    const double factor = factor_of(minus, weight);
    total.re.add_times(factor, term.re);
    total.im.add_times(factor, term.im);
  }
};

}  // namespace countpm::pair_sets
