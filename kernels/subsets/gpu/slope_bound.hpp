#pragma once
// What bounds the rounding errors of ryser's floating sums on a GPU: a slope for every term, summed up beside
// the terms. Compiled by NVRTC, too.
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/subsets/gpu/reciprocal_bound.hpp"

namespace countpm::gray {

/// A floating sum and what bounds its error.
template <class Sum>
struct FloatingTotal {
  Sum sum;
  double products = 0;  // sum of |product|, from above
  double errors = 0;    // Pairs: sum of prod (|x_i| + spread). Others: of slopes
};

/// a b + c, rounded once or twice.
COUNTPM_HD inline double multiply_add(double a, double b, double c) {
#ifdef __CUDA_ARCH__
  return __fma_rn(a, b, c);
#else
  return a * b + c;
#endif
}

/// |x| for the slope's doubles, right within a few 2^-53, or 2^-500 of 1 where x is small. Other kinds of
/// numbers have theirs beside them.
COUNTPM_HD inline double size_of(double x) {
  return std::fabs(x);
}

/// The slope of a term is what running_error.hpp's f(delta) / delta is bounded by: with R = sum 1 / |x_i|,
///   f(delta) <= prod |x_i| (exp(delta R) - 1) <= delta prod |x_i| R (1 + delta R)   where delta R <= 1.
/// R is a sum of floats, two 32-bit instructions a row that leave the FP64 units alone; the share of sqrt(2)
/// that reciprocal_share() leaves out is put in by wides(). Where R is large, or the product 0 (a row is),
/// the slope is (prod (|x_i| + s) - prod |x_i|) / s, in doubles, as on the CPU.
struct SlopeBound {
  double spread = 0;
  double over_spread = 0;  // 1 / spread, rounded up
  float start = 0;         // -R of the factors 1 that fill up a kernel's rows
  float limit = 0;         // of R: 2^30, so that delta R < 2^-11 where delta <= 2^-42

  SlopeBound() = default;
  SlopeBound(double its_spread, unsigned filling)
      : spread(its_spread),
        over_spread((1 + 0x1p-50) / its_spread),
        start(-static_cast<float>(filling) * reciprocal_share(1)) {
    allow_reciprocals(true);
  }
  /// `allowed`: all row sums are 0 or at least 2^-126 in magnitude.
  void allow_reciprocals(bool allowed) {
    limit = allowed ? 0x1p30F : -std::numeric_limits<float>::infinity();
  }

  /// Whether a product's slope is its magnitude times R. Written so that a NaN goes to the doubles, too, like
  /// any product below 2^-1041.
  COUNTPM_HD bool has_reciprocals(double magnitude, float reciprocals) const {
    return high_word(magnitude) != 0 && reciprocals < limit;
  }
  /// A term of N factors x, or `count` where N == 0. above: its product's magnitude, or somewhat more;
  /// magnitude(): that itself. reciprocals: R over sqrt(2), from above, without the filling factors.
  template <unsigned N, class Total, class Sums, class Magnitude>
  COUNTPM_HD void bound_term(Total& total, const Sums& x, unsigned count, double above, float reciprocals,
                             const Magnitude& magnitude) const {
    const auto wide = [&] {
      double product = 1;
      const unsigned end = N > 0 ? N : count;
      COUNTPM_UNROLL
      for (unsigned i = 0; i < end; ++i) product *= size_of(x[i]) + spread;
      return product;
    };
    bound_product(total, above, reciprocals, wide, magnitude);
  }
  /// The same of a product of which wide() is prod (|x_i| + spread), for where that is needed.
  template <class Total, class Wide, class Magnitude>
  COUNTPM_HD void bound_product(Total& total, double above, float reciprocals, const Wide& wide,
                                const Magnitude& magnitude) const {
    total.products += above;
    if (has_reciprocals(above, reciprocals)) {
      total.errors = multiply_add(above, static_cast<double>(reciprocals), total.errors);
    } else {
      total.errors += slope(wide(), magnitude());
    }
  }
  /// Of a total: what RunningSum::add_sum takes. Where sums are exact there are no slopes. n <= 1024 floats
  /// add up to R within 2^-13, and delta R < 2^-11.
  template <class Total>
  double wides(const Total& total) const {
    return total.products + spread * reciprocal_unit * (1 + 0x1p-10) * std::fmax(total.errors, 0);
  }

 private:
  /// Not less than (prod (|x_i| + s) - |product|) / s over sqrt(2). wide: that first product.
  COUNTPM_HD double slope(double wide, double magnitude) const {
    // Both products are right within 8 n 2^-53 < 2^-40 of `wide`, complex ones included.
    const double all = (wide - magnitude + 0x1p-39 * wide) * over_spread * 0.70711;
    // k factors 1 have made (W - P) / s into (W (1 + s)^k - P) / s >= (W - P) / s + k P.
    return all + magnitude * static_cast<double>(start) * (1 - 0x1p-19);
  }
};

}  // namespace countpm::gray
