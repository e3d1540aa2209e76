#pragma once
// Sums of products with a rigorous bound on their error: what every kernel adds its terms to, in any ring.
//
// A term is +- x_1 ... x_n, true factors x_i, computed ones y_i with |x_i - y_i| <= delta and |y_i| <= 1
// (ring_values.hpp scales the rows for that). Three things go wrong, and each is bounded:
// 1. the factors: |prod x_i - prod y_i| <= f(delta), f(s) = prod(|y_i| + s) - prod |y_i|. f is convex with
// f(0) = 0, so f(delta) <= f(s) delta / s
//    for every s >= delta. With the spread s = max(delta, 2^-24) the difference is computed in plain doubles
//    whatever the ring: its own rounding noise (some n 2^-53) is shrunk by delta / s with it, so that it is
//    right for 106 and for 1000 bits too.
// 2. the multiplications: the computed product is off by at most (1 + e_mul)^n - 1 relatively, plus
// underflow.
// 3. the additions: sum_error(N) times the sum of the magnitudes.
// What the user pays: one addition and one multiplication of doubles a factor. Every slack below is stated
// where it is used.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/float_ring.hpp"
#include "kernels/arithmetic/kahan.hpp"
#include "kernels/arithmetic/ring.hpp"

namespace countpm {

/// A product on its way: `wide` is prod (|y_i| + spread), in floating rings only.
template <Ring R>
struct Term {
  typename R::Element value;
  double wide = 1;
};

/// Sums terms. In an exact ring everything but the sum itself vanishes at compile time. Not for sharing
/// between threads. Call one of expect_... first.
template <Ring R>
class RunningSum {
 public:
  using Element = typename R::Element;

  explicit RunningSum(const R& ring) : ring_(ring), sum_(ring.empty_sum()) {}

  /// Each factor is a sum that saw at most `additions` additions (or subtractions) since its entries were
  /// converted, and all its partial sums, like the sum of its entries' magnitudes, are at most 1 in
  /// magnitude: each addition errs by at most e_add (1 + delta), conversions together by e_add.
  void expect_sums(std::uint64_t factors, std::uint64_t additions) {
    factors_ = static_cast<double>(factors);
    if constexpr (!R::exact) {
      delta_ = ring_.add_error() * 1.02 * (static_cast<double>(additions) + 2) + underflow_bound;
      spread_ = std::max(delta_, 0x1p-24);
      relative_ = factors_ * std::log1p(ring_.mul_error());
    }
  }
  /// Each factor is an entry as converted: its error is relative, and no spread is needed.
  void expect_entries(std::uint64_t factors) {
    factors_ = static_cast<double>(factors);
    if constexpr (!R::exact) {
      delta_ = spread_ = 0;
      relative_ = factors_ * (std::log1p(ring_.mul_error()) + std::log1p(ring_.add_error()));
    }
  }

  /// Each factor is what it should be: a sum of numbers so few bits long that no addition rounds
  /// (row_units.hpp).
  void expect_exact_sums(std::uint64_t factors) {
    factors_ = static_cast<double>(factors);
    if constexpr (!R::exact) {
      delta_ = spread_ = 0;
      relative_ = factors_ * std::log1p(ring_.mul_error());
    }
  }

  Term<R> start() const { return {ring_.one(), 1}; }
  void times(Term<R>& term, const Element& factor) const {
    ring_.mul_to(term.value, factor);
    if constexpr (!R::exact) term.wide *= ring_.magnitude(factor) + spread_;
  }
  void add(const Term<R>& term) { add(term.value, term.wide); }
  void subtract(const Term<R>& term) { add(ring_.neg(term.value), term.wide); }
  /// A term whose product and `wide` the kernel computed by itself.
  void add(const Element& product, double wide) {
    ring_.accumulate(sum_, product);
    if constexpr (!R::exact) {
      ++terms_;
      ++additions_;
      products_.add(ring_.magnitude(product));
      wides_.add(wide);
    }
  }
  /// `terms` terms that were added up elsewhere, in any order, so that none passed more than `longest`
  /// additions: `parts` add up to their sum as the ring's own accumulation would give it; products and wides
  /// are the sums of |product| and of `wide`, of doubles, likewise. For `wides` anything will do of which
  /// `wides - products` is at least the sum of f(delta) spread / delta.
  void add_sum(const std::vector<Element>& parts, double products, double wides, std::uint64_t terms,
               std::uint64_t longest) requires(!R::exact) {
    for (const Element& part : parts) ring_.accumulate(sum_, part);
    // What an addition rounds, or of compensated sums what is rounded of the roundings, is 2^-53 of a partial
    // sum, which a term is part of on its way: sum_error() of as many additions as the way is long bounds a
    // tree as it does a chain. Twice, since joining two sums joins their corrections, too.
    terms_ += terms;
    additions_ += 2 * longest + 2 * parts.size();
    // Upwards, and their difference too: it is what the factors' errors are bounded by.
    const double slack = std::max(0x1p-30, static_cast<double>(longest) * 0x1p-52);
    products_.add(products * (1 + slack));
    wides_.add(wides + 4 * slack * (products + wides));
  }
  /// What to add to a factor's magnitude for `wide`.
  double spread() const { return spread_; }
  /// The whole sum is to be multiplied by 2^exponent (RingValues::exponent, and powers of two that a formula
  /// has in front).
  void scale(std::int64_t exponent) { exponent_ += exponent; }

  Element exact_value() const requires ExactRing<R> { return sum_; }
  /// Adds this sum to a ball.
  void store(Ball& ball) const requires FloatingRing<R>;

 private:
  double error_bound() const;

  R ring_;
  typename R::Accumulator sum_;
  NeumaierSum products_;  // sum of |computed product|
  NeumaierSum wides_;     // sum of wide
  std::uint64_t terms_ = 0;
  std::uint64_t additions_ = 0;  // that a term passes, at most
  double factors_ = 0;
  double delta_ = 0;
  double spread_ = 0;
  double relative_ = 0;  // log of the largest relative growth of a product
  std::int64_t exponent_ = 0;
};

template <Ring R>
double RunningSum<R>::error_bound() const {
  if constexpr (R::exact) {
    return 0;
  } else {
    constexpr double slack = 1 + 0x1p-20;  // for the few dozen roundings of this function itself
    const double terms = static_cast<double>(terms_);
    // A product loses at most 2^-1000 to underflow each time, all later factors are at most 1 + spread, and
    // (1 + 2^-24)^n < 2.
    const double lost = 2 * terms * (factors_ + 1) * underflow_bound;
    // Sums of doubles: Neumaier's bound (kahan.hpp) and its final rounding.
    const double summing = KahanRing().sum_error(additions_) + 2 * unit_roundoff;
    // sum |y_1 ... y_n| lies between these: the computed products are off by mul_growth at most; magnitudes
    // by 2^-50 relatively.
    const double growth = std::expm1(relative_) * slack;
    const double products = products_.value();
    const double products_high = (products * (1 + summing + 0x1p-50) * (1 + 2 * growth) + lost) * slack;
    // 1. n additions, n multiplications and n magnitudes: at most 12 n roundings of a double (an mpfr or
    // double-double magnitude included).
    const double noise = 12 * (factors_ + 2) * unit_roundoff + summing + 0x1p-50;
    double factors = 0;
    if (delta_ > 0) {
      const double difference =
          (wides_.value() - products) + 2 * noise * wides_.value() + 2 * growth * products + lost;
      factors = std::max(difference, 0.0) * (delta_ / spread_);
    }
    // 2. and 3.
    const double multiplications = growth * products_high + lost;
    const double additions = ring_.sum_error(additions_) * products_high;
    return (factors + multiplications + additions) * slack;
  }
}

template <Ring R>
void RunningSum<R>::store(Ball& ball) const requires FloatingRing<R> {
  Ball own{BigFloat(ball.re.bits()), BigFloat(ball.im.bits()), BigFloat(ball.error.bits())};
  ring_.store(sum_, own);
  const BigFloat bound(error_bound());  // 128 bits hold a double
  mpfr_add(own.error.get(), own.error.get(), bound.get(), MPFR_RNDU);
  scale_by_power_of_two(own, exponent_);
  countpm::add(ball, own);
}

}  // namespace countpm
