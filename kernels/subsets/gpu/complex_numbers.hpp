#pragma once
// Complex numbers of ryser's GPU kernel, beside those of subsets/gpu/numbers.hpp: ComplexDoubles<N> with
// compensated sums, ComplexPairs<N> of double-doubles, ComplexTriples<N>; N == 0: any number of rows. Errors
// are bounded by slopes (slope_bound.hpp), a row's 1 / |x| by 1 / max(|re x|, |im x|), at most sqrt(2) times
// too large, and a product's magnitude by its parts', at most 1.0824 times. Compiled by NVRTC, too.
#include <cmath>
#include <cstdint>

#include "kernels/arithmetic/complex_number.hpp"
#include "kernels/arithmetic/host_device.hpp"
#include "kernels/arithmetic/kahan.hpp"
#include "kernels/subsets/gpu/eight_terms.hpp"
#include "kernels/subsets/gpu/expansions.hpp"
#include "kernels/subsets/gpu/slope_bound.hpp"

namespace countpm {

/// Found by their arguments from SlopeBound.
COUNTPM_HD inline double size_of(const Complex<double>& x) {
  return std::sqrt(x.re * x.re + x.im * x.im);
}
COUNTPM_HD inline double size_of(const Complex<DoubleDouble>& x) {
  return size_of(Complex<double>{x.re.high, x.im.high});
}
COUNTPM_HD inline double size_of(const Complex<TripleDouble>& x) {
  return size_of(Complex<double>{x.re.high, x.im.high});
}

namespace gray {

/// |x| within a few 2^-53, however small.
COUNTPM_HD inline double complex_magnitude(double re, double im) {
  const double fast = size_of(Complex<double>{re, im});
  if (fast > 0x1p-400) return fast;
  return size_of(Complex<double>{re * 0x1p600, im * 0x1p600}) * 0x1p-600;  // squares underflow
}

/// At least |x + iy|, and at most 1.0824 times that, up to a few 2^-53: without a square root, for where
/// nothing is taken from it. With t the smaller part's angle, 0 <= t <= pi / 4, |z| (cos t + (sqrt(2) - 1)
/// sin t): concave, 1 at both ends, sqrt(4 - 2 sqrt(2)) at most between them.
COUNTPM_HD inline double magnitude_from_above(double x, double y) {
  constexpr double share = 0.41421356237309509;  // sqrt(2) - 1 from above
  const double re = magnitude_of(x);
  const double im = magnitude_of(y);
  const double one = multiply_add(share, im, re);
  const double other = multiply_add(share, re, im);
  return one > other ? one : other;
}

/// The product's parts are a sum of two products each, of which one is rounded by itself: within
/// ComplexRing's bound.
COUNTPM_HD inline void multiply_to(Complex<double>& a, const Complex<double>& b) {
  const double re = multiply_add(a.re, b.re, -(a.im * b.im));
  a.im = multiply_add(a.re, b.im, a.im * b.re);
  a.re = re;
}
template <class Number>
COUNTPM_HD void multiply_to(Complex<Number>& a, const Complex<Number>& b) {
  using namespace expansion;
  const Number re = sum(product(a.re, b.re), negative(product(a.im, b.im)));
  a.im = sum(product(a.re, b.im), product(a.im, b.re));
  a.re = re;
}

struct ComplexNeumaierSum {
  NeumaierSum re;
  NeumaierSum im;
};

/// exact_sums: the row sums are exact, and no term has a slope.
template <unsigned N, bool exact_sums = false>
struct ComplexDoubles : SlopeBound {
  using Value = Complex<double>;
  using Total = FloatingTotal<ComplexNeumaierSum>;
  static constexpr unsigned chains = 2;
  static constexpr unsigned rows = N;
  static constexpr bool exact = exact_sums;
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = N > 0 ? 2 : 3;

  ComplexDoubles() = default;
  /// The rows that fill up N are factors 1.
  ComplexDoubles(double its_spread, unsigned its_rows) : SlopeBound(its_spread, N > 0 ? N - its_rows : 0) {}

  COUNTPM_HD static Value one() { return {1, 0}; }
  COUNTPM_HD static void add(Value& x, const Value& a) { x.re += a.re, x.im += a.im; }
  COUNTPM_HD static void subtract(Value& x, const Value& a) { x.re -= a.re, x.im -= a.im; }
  COUNTPM_HD static void multiply(Value& x, const Value& a) { multiply_to(x, a); }
  /// Of 1 / |x|, and |x|: from above.
  COUNTPM_HD static float share_of(const Value& x) {
    return reciprocal_share_of(larger_high_word(x.re, x.im));
  }
  COUNTPM_HD static double above(const Value& x) { return magnitude_from_above(x.re, x.im); }
  COUNTPM_HD static double magnitude(const Value& x) { return complex_magnitude(x.re, x.im); }
  COUNTPM_HD static void add_product(Total& total, const Value& product, bool minus) {
    total.sum.re.add(negated_if(product.re, minus));
    total.sum.im.add(negated_if(product.im, minus));
  }
  COUNTPM_HD static void join(Total& total, const Total& other) {
    total.sum.re.add(other.sum.re.sum);
    total.sum.im.add(other.sum.im.sum);
    total.sum.re.correction += other.sum.re.correction;
    total.sum.im.correction += other.sum.im.correction;
    total.products += other.products;
    total.errors += other.errors;
  }
  template <class Sums>
  COUNTPM_HD void term(Total& total, const Sums& x, unsigned count, bool minus) const {
    add_product(total, bounded_product(total, x, count), minus);
  }
  /// The product; its magnitude and its slope are added to the total.
  template <class Sums>
  COUNTPM_HD Value bounded_product(Total& total, const Sums& x, unsigned count) const {
    Value part[chains] = {{1, 0}, {1, 0}};
    float share[chains] = {start, 0};
    const unsigned end = N > 0 ? N : count;
    COUNTPM_UNROLL
    for (unsigned i = 0; i < end; ++i) {
      const Value factor = x[i];
      if (i < chains) {
        part[i] = factor;
      } else {
        multiply_to(part[i % chains], factor);
      }
      if constexpr (!exact_sums) share[i % chains] += share_of(factor);
    }
    multiply_to(part[0], part[1]);
    if constexpr (exact_sums) {
      total.products += above(part[0]);
    } else {
      bound_term<N>(total, x, count, above(part[0]), share[0] + share[1], [&] { return magnitude(part[0]); });
    }
    return part[0];
  }
};

/// Number: DoubleDouble or TripleDouble. Row sums below 2^-126, of which they may leave traces, count as
/// that, and go to the doubles.
template <class Number, unsigned N>
struct ComplexExpansions : SlopeBound {
  using Value = Complex<Number>;
  using Total = FloatingTotal<Value>;
  static constexpr unsigned rows = N;
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = N > 0 ? 2 : 4;

  ComplexExpansions() = default;
  ComplexExpansions(double its_spread, unsigned its_rows)
      : SlopeBound(its_spread, N > 0 ? N - its_rows : 0) {}

  COUNTPM_HD static Value one() { return {{1}, {}}; }
  /// Of 1 / |x|, and |x|: from above.
  COUNTPM_HD static float share_of(const Value& x) {
    const std::uint32_t word = larger_high_word(x.re.high, x.im.high);
    return reciprocal_share_of(word > least_reciprocal_word ? word : least_reciprocal_word);
  }
  COUNTPM_HD static double above(const Value& x) { return magnitude_from_above(x.re.high, x.im.high); }
  COUNTPM_HD static double magnitude(const Value& x) { return complex_magnitude(x.re.high, x.im.high); }
  COUNTPM_HD static void add_product(Total& total, const Value& product, bool minus) {
    if (minus) {
      subtract(total.sum, product);
    } else {
      add(total.sum, product);
    }
  }
  COUNTPM_HD static void add(Value& x, const Value& a) {
    x.re = expansion::sum(x.re, a.re);
    x.im = expansion::sum(x.im, a.im);
  }
  COUNTPM_HD static void subtract(Value& x, const Value& a) {
    x.re = expansion::sum(x.re, expansion::negative(a.re));
    x.im = expansion::sum(x.im, expansion::negative(a.im));
  }
  COUNTPM_HD static void join(Total& total, const Total& other) {
    add(total.sum, other.sum);
    total.products += other.products;
    total.errors += other.errors;
  }
  template <class Sums>
  COUNTPM_HD void term(Total& total, const Sums& x, unsigned count, bool minus) const {
    Value product = one();
    float reciprocals = start;
    const unsigned end = N > 0 ? N : count;
    COUNTPM_UNROLL
    for (unsigned i = 0; i < end; ++i) {
      const Value factor = x[i];
      if (i == 0) {
        product = factor;
      } else {
        multiply_to(product, factor);
      }
      reciprocals += share_of(factor);
    }
    add_product(total, product, minus);
    bound_term<N>(total, x, count, above(product), reciprocals, [&] { return magnitude(product); });
  }
};
template <unsigned N>
using ComplexPairs = ComplexExpansions<DoubleDouble, N>;
template <unsigned N>
using ComplexTriples = ComplexExpansions<TripleDouble, N>;

}  // namespace gray
}  // namespace countpm
