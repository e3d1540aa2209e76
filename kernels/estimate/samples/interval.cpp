#include "kernels/estimate/samples/interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace countpm {
namespace {

constexpr double fewest_nonzero = 50;
constexpr double fewest_effective = 50;
constexpr double largest_share = 0.1;
constexpr double largest_error = 0.35;
// Above this many effective samples their own variance stands alone.
constexpr double enough_effective = 4000;
// Quantiles by which the upper spread is told, with their places in the normal law, and how many samples have
// to lie above.
struct UpperQuantile {
  double share;
  double normal;
};
constexpr UpperQuantile upper_quantiles[] = {
    {0.84, 0.994458}, {0.95, 1.644854}, {0.975, 1.959964}, {0.99, 2.326348}, {0.995, 2.575829}};
constexpr double fewest_above = 10;
// Samples worth more than this share of their number have no tail that could matter.
constexpr double steady_worth = 0.5;
// What is nearer to the median may lie in its bin.
constexpr double least_apart = 1.0 / SampleMoments::bins_an_octave;
// Samples worth fewer than twice what is asked for are perhaps shown because chance was kind, and then the
// mean is off the same way: of the 5 % of a normal law above 1.65, 92 % are below 1.96 sqrt(2).
constexpr double clearly_enough = 100;
constexpr double variance_near_gate = 2;
// With N walks, what has a probability below 3/N is missed with a chance of 5 % or more.
constexpr double rule_of_three = 3;
const double log_2 = std::log(2.0);

// a / b of exact integers with exponents of two, as a double (it may be infinite).
double ratio(const mpz_class& a, std::int64_t exponent_a, const mpz_class& b, std::int64_t exponent_b) {
  if (a == 0) return 0;
  std::int64_t bits_a = 0;
  std::int64_t bits_b = 0;
  const double top = mpz_get_d_2exp(&bits_a, a.get_mpz_t());
  const double bottom = mpz_get_d_2exp(&bits_b, b.get_mpz_t());
  const std::int64_t exponent = std::int64_t{bits_a} - bits_b + exponent_a - exponent_b;
  return std::ldexp(top / bottom, static_cast<int>(std::clamp<std::int64_t>(exponent, -5000, 5000)));
}

// With p_k = sum X^k brought to integers over one power of two (p_k 2^(k e)), the central moments over powers
// of the mean are exact fractions of integers: n p_2 / p_1^2 - 1, and so on.
struct Relative {
  double variance = 0;  // of one sample, over the squared mean
  double third = 0;     // third central moment over the cubed mean
};

Relative relative_moments(const SampleMoments& moments) {
  const mpz_class n(static_cast<std::uint64_t>(moments.samples));
  std::int64_t e = std::min(moments.sum.exponent(), moments.squares.exponent() / 2);
  e = std::min(e, moments.cubes.exponent() / 3) - 1;
  const auto whole = [](const ExactSum& sum, std::int64_t exponent) {
    return mpz_class(sum.integer() << static_cast<mp_bitcnt_t>(sum.exponent() - exponent));
  };
  const mpz_class p1 = whole(moments.sum, e);
  const mpz_class p2 = whole(moments.squares, 2 * e);
  const mpz_class p3 = whole(moments.cubes, 3 * e);
  const mpz_class square = p1 * p1;
  const mpz_class cube = square * p1;
  const mpz_class variance = n * p2 - square;
  const mpz_class third = n * n * p3 - 3 * n * p1 * p2 + 2 * cube;
  Relative result;
  result.variance = ratio(variance, 0, square, 0);
  result.third = third < 0 ? -ratio(mpz_class(-third), 0, cube, 0) : ratio(third, 0, cube, 0);
  return result;
}

/// The standard deviation of the log-normal law with the samples' upper half. Where few are above a quantile
/// their own noise would tell. Precondition: some are not zero.
double upper_spread(const SampleMoments& moments) {
  const double median = moments.log_quantile(0.5);
  double spread = 0;
  for (const UpperQuantile& quantile : upper_quantiles) {
    const double above = (1 - quantile.share) * static_cast<double>(moments.nonzero);
    if (quantile.share != upper_quantiles[0].share && above < fewest_above) break;
    const double apart = moments.log_quantile(quantile.share) - median;
    if (apart > least_apart) spread = std::max(spread, apart / quantile.normal);
  }
  return spread;
}

/// How many equal samples these are worth by the variance that is taken, the slope's where that is larger.
double worth_of(const SampleMoments& moments, const SampledMean& mean) {
  const auto samples = static_cast<double>(moments.samples);
  return std::min(mean.effective, samples / (1 + samples * mean.variance));
}

bool steady(const SampleMoments& moments, const SampledMean& mean) {
  return mean.effective >= steady_worth * static_cast<double>(moments.samples);
}

std::string doubt_of(const SampleMoments& moments, const SampledMean& mean) {
  const auto nonzero = static_cast<double>(moments.nonzero);
  if (nonzero < fewest_nonzero && nonzero < static_cast<double>(moments.samples))
    return fmt::format("only {} of {} samples are not zero", moments.nonzero, moments.samples);
  if (nonzero < fewest_nonzero)
    return fmt::format("only {} sample{}", moments.samples, moments.samples == 1 ? "" : "s");
  if (mean.largest_share > largest_share)
    return fmt::format("one sample of {} carries {:.0f} % of the sum", moments.samples,
                       100 * mean.largest_share);
  const double worth = worth_of(moments, mean);
  if (worth < fewest_effective)
    return fmt::format("{} samples have an effective size of only {:.0f}", moments.samples, worth);
  if (std::sqrt(mean.variance) > largest_error)
    return fmt::format("the samples are spread so widely that {} of them leave a standard error of {:.2g}",
                       moments.samples, std::sqrt(mean.variance));
  if (mean.pareto_k > largest_pareto_k && !steady(moments, mean))
    return fmt::format("the tail of {} samples is too heavy for an interval: Pareto k {:.2f}, above {}",
                       moments.samples, mean.pareto_k, largest_pareto_k);
  return {};
}

}  // namespace

SampledMean sampled_mean(const SampleMoments& moments, double walks) {
  SampledMean mean;
  mean.unseen = rule_of_three / (static_cast<double>(moments.samples) * walks);
  if (moments.nonzero == 0) {
    mean.log_mean = -std::numeric_limits<double>::infinity();
    mean.variance = std::numeric_limits<double>::infinity();
    mean.doubt = moments.samples == 1 ? "the only sample is zero"
                                      : fmt::format("all of {} samples are zero", moments.samples);
    return mean;
  }
  const auto samples = static_cast<double>(moments.samples);
  mean.log_mean = moments.sum.log2() * log_2 - std::log(samples);
  const Relative relative = relative_moments(moments);
  mean.effective = samples / (1 + relative.variance);
  mean.largest_share = std::exp2(moments.largest.log2() - moments.sum.log2());
  double variance = relative.variance;
  if (mean.effective < enough_effective) {
    const double spread = upper_spread(moments);
    variance =
        std::max(variance, std::exp(spread * spread) * samples / static_cast<double>(moments.nonzero) - 1);
  }
  mean.variance = variance / samples;
  mean.third = relative.third / (samples * samples);
  mean.pareto_k = pareto_k(moments);
  mean.tail_excess =
      tail_excess(moments, steady(moments, mean) ? mean.pareto_k : upper_pareto_k(moments, mean.pareto_k));
  mean.doubt = doubt_of(moments, mean);
  if (worth_of(moments, mean) < clearly_enough) mean.variance *= variance_near_gate;
  return mean;
}

SampledMean join(const std::vector<SampledMean>& factors) {
  SampledMean product;
  product.effective = std::numeric_limits<double>::infinity();
  for (const SampledMean& factor : factors) {
    product.log_mean += factor.log_mean;
    product.variance += factor.variance;
    product.third += factor.third;
    product.unseen += factor.unseen;
    product.tail_excess += factor.tail_excess;
    product.effective = std::min(product.effective, factor.effective);
    product.largest_share = std::max(product.largest_share, factor.largest_share);
    product.pareto_k = std::fmax(product.pareto_k, factor.pareto_k);  // a number, where one is
    if (product.doubt.empty()) product.doubt = factor.doubt;
  }
  if (product.doubt.empty() && std::sqrt(product.variance) > largest_error)
    product.doubt =
        fmt::format("the standard error of all factors together is {:.2g}", std::sqrt(product.variance));
  return product;
}

double two_sided_quantile(double confidence) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) > 1 - confidence ? low : high) = middle;
  }
  return (low + high) / 2;
}

LogInterval interval_of(const SampledMean& mean, double confidence) {
  if (mean.variance == 0) return {mean.log_mean - mean.unseen, mean.log_mean + mean.unseen};
  const double z = two_sided_quantile(confidence);
  const double error = std::sqrt(mean.variance);
  const double skewness = std::max(0.0, mean.third / (mean.variance * error));
  return {mean.log_mean - z * error - mean.unseen,
          mean.log_mean + (z + skewness * (2 * z * z + 1) / 6) * error + mean.unseen + mean.tail_excess};
}

double markov_lower_end(const SampledMean& mean, double confidence) {
  return mean.log_mean + std::log1p(-confidence);
}

}  // namespace countpm
