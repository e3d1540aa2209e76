#include "kernels/estimate/guarantee/gamma_bernoulli.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "kernels/arithmetic/big_float.hpp"
#include "kernels/arithmetic/counter_random.hpp"

namespace countpm {
namespace {

constexpr double margin = 1e-4;  // of delta
constexpr mpfr_prec_t working_bits = 192;
constexpr mpfr_rnd_t nearest = MPFR_RNDN;

GammaBernoulliRule rule_of(std::uint64_t successes, double epsilon) {
  const double middle = (1 - epsilon * epsilon) * std::atanh(epsilon) / epsilon;
  return {successes, static_cast<double>(successes) * middle};
}

/// In (0, 1), 128 bits and a half.
BigFloat uniform_number(CounterRandom& random) {
  BigFloat result(working_bits);
  mpfr_set_ui(result.get(), random.next(), nearest);
  mpfr_mul_2ui(result.get(), result.get(), 64, nearest);
  mpfr_add_ui(result.get(), result.get(), random.next(), nearest);
  mpfr_add_d(result.get(), result.get(), 0.5, nearest);
  mpfr_div_2ui(result.get(), result.get(), 128, nearest);
  return result;
}

/// G. E. P. Box, M. E. Muller, A note on the generation of random normal deviates, Ann. Math. Statist. 29
/// (1958).
BigFloat normal_number(CounterRandom& random) {
  BigFloat radius = uniform_number(random);
  mpfr_log(radius.get(), radius.get(), nearest);
  mpfr_mul_si(radius.get(), radius.get(), -2, nearest);
  mpfr_sqrt(radius.get(), radius.get(), nearest);
  const BigFloat turn = uniform_number(random);
  BigFloat cosine(working_bits);
  mpfr_const_pi(cosine.get(), nearest);
  mpfr_mul_2ui(cosine.get(), cosine.get(), 1, nearest);
  mpfr_mul(cosine.get(), cosine.get(), turn.get(), nearest);
  mpfr_cos(cosine.get(), cosine.get(), nearest);
  mpfr_mul(cosine.get(), cosine.get(), radius.get(), nearest);
  return cosine;
}

}  // namespace

double failure_probability(const GammaBernoulliRule& rule, double epsilon) {
  const auto shape = static_cast<double>(rule.successes);
#ifdef __wasm__
  // Not by way of long double, which has 128 bits there: clang 19 ends with a fault where it computes with
  // such at compile time.
  const boost::math::policies::policy<boost::math::policies::promote_double<false>> policy;
#else
  const boost::math::policies::policy<> policy;
#endif
  return boost::math::gamma_p(shape, rule.factor / (1 + epsilon), policy) +
         boost::math::gamma_q(shape, rule.factor / (1 - epsilon), policy);
}

GammaBernoulliRule gamma_bernoulli(double epsilon, double delta) {
  const auto holds = [&](std::uint64_t k) {
    return failure_probability(rule_of(k, epsilon), epsilon) <= delta * (1 - margin);
  };
  std::uint64_t too_few = 0;
  std::uint64_t enough = 1;
  while (!holds(enough)) too_few = enough, enough *= 2;
  while (enough - too_few > 1) {
    const std::uint64_t middle = too_few + (enough - too_few) / 2;
    (holds(middle) ? enough : too_few) = middle;
  }
  return rule_of(enough, epsilon);
}

// Why 2^-50: but for a probability of 2^-60 no uniform number is within 2^-62 of 0 or 1. Then a normal number
// is within 2^-60 of the one that real numbers lead to (128 bits, and a square root near 0 halves them), its
// size is below 10, and both sides of the comparison move by less than 2^-56: it is decided alike but for a
// probability of 2^-55. d v moves by 3 c 2^-60 of itself, c <= 0.41, as long as 1 + c x is not near 0, where
// the comparison refuses.
double exponential_sum(std::uint64_t seed, std::uint64_t stream, std::uint64_t tosses) {
  if (tosses == 0) return 0;
  CounterRandom random(seed, stream, 0);
  // d = N - 1/3, c = 1 / sqrt(9 d).
  BigFloat d(working_bits);
  mpfr_set_ui(d.get(), 1, nearest);
  mpfr_div_si(d.get(), d.get(), -3, nearest);
  mpfr_add_ui(d.get(), d.get(), tosses, nearest);
  BigFloat c(working_bits);
  mpfr_mul_ui(c.get(), d.get(), 9, nearest);
  mpfr_rec_sqrt(c.get(), c.get(), nearest);
  for (;;) {
    const BigFloat x = normal_number(random);
    BigFloat v(working_bits);
    mpfr_mul(v.get(), c.get(), x.get(), nearest);
    mpfr_add_ui(v.get(), v.get(), 1, nearest);
    if (mpfr_sgn(v.get()) <= 0) continue;
    mpfr_pow_ui(v.get(), v.get(), 3, nearest);
    // ln u < x^2 / 2 + d (1 - v + ln v)
    BigFloat bound(working_bits);
    mpfr_log(bound.get(), v.get(), nearest);
    mpfr_sub(bound.get(), bound.get(), v.get(), nearest);
    mpfr_add_ui(bound.get(), bound.get(), 1, nearest);
    mpfr_mul(bound.get(), bound.get(), d.get(), nearest);
    BigFloat half_square(working_bits);
    mpfr_sqr(half_square.get(), x.get(), nearest);
    mpfr_div_2ui(half_square.get(), half_square.get(), 1, nearest);
    mpfr_add(bound.get(), bound.get(), half_square.get(), nearest);
    BigFloat level = uniform_number(random);
    mpfr_log(level.get(), level.get(), nearest);
    if (mpfr_less_p(level.get(), bound.get()) == 0) continue;
    mpfr_mul(v.get(), v.get(), d.get(), nearest);
    return v.to_double();
  }
}

}  // namespace countpm
