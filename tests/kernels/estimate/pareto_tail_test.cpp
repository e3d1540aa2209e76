// The shape of a tail, against laws whose shape is known.
#include "kernels/estimate/samples/pareto_tail.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>

#include "kernels/estimate/samples/interval.hpp"

namespace countpm {
namespace {

/// `samples` numbers with P(X > x) = x^(-1/k), times 2^exponent.
SampleMoments pareto_samples(double k, int samples, std::uint64_t seed, std::int64_t exponent = 0) {
  std::mt19937_64 random(seed);
  SampleMoments moments;
  for (int s = 0; s < samples; ++s)
    moments.add({std::pow(1 - std::generate_canonical<double, 53>(random), -k), exponent});
  return moments;
}

TEST(ParetoTail, IsThatOfTheLaw) {
  for (const double k : {0.3, 0.5, 0.8, 1.2}) {
    for (const int samples : {1000, 10'000}) {
      double mean = 0;
      constexpr int runs = 20;
      for (int run = 0; run < runs; ++run)
        mean += pareto_k(pareto_samples(k, samples, static_cast<std::uint64_t>(run))) / runs;
      // Of 94 in the tail, drawn towards 1/2 by 10 more; of 300. The standard error of one is (1 + k) / 10.
      const double drawn = samples == 1000 ? 10.0 / 104 : 10.0 / 310;
      EXPECT_NEAR(mean, k + drawn * (0.5 - k), 0.06) << k << ' ' << samples;
    }
  }
}

TEST(ParetoTail, IsTheSameWhateverTheUnit) {
  EXPECT_NEAR(pareto_k(pareto_samples(0.6, 2000, 1)), pareto_k(pareto_samples(0.6, 2000, 1, 5000)), 1e-9);
  EXPECT_NEAR(pareto_k(pareto_samples(0.6, 2000, 1)), pareto_k(pareto_samples(0.6, 2000, 1, -5000)), 1e-9);
}

TEST(ParetoTail, IsNotToldOfTooFewSamplesNorOfLikeOnes) {
  EXPECT_TRUE(std::isnan(pareto_k(pareto_samples(0.6, 20, 1))));
  EXPECT_FALSE(std::isnan(pareto_k(pareto_samples(0.6, 200, 1))));
  EXPECT_TRUE(std::isnan(pareto_k(pareto_samples(0.01, 1000, 1))));
  EXPECT_TRUE(std::isnan(pareto_k(SampleMoments())));
}

TEST(ParetoTail, ExcessIsWhatTheTailHoldsAboveTheThirdLargest) {
  const SampleMoments moments = pareto_samples(0.5, 10'000, 3);
  const double third = std::exp(moments.log_quantile(1 - 2.0 / 10'000));  // to within a bin
  const double mean = std::exp2(moments.sum.log2()) / 10'000;
  for (const double k : {0.2, 0.5, 0.8}) {
    const double excess = tail_excess(moments, k);
    EXPECT_NEAR(excess, 3 * third / (10'000 * mean) * k / (1 - k), 0.08 * excess) << k;
  }
  EXPECT_EQ(tail_excess(moments, no_pareto_k), 0);
  EXPECT_EQ(tail_excess(moments, -0.1), 0);
  EXPECT_EQ(tail_excess(moments, 5), tail_excess(moments, 0.9));
  // Three hundred are the tail; the samples are worth less than half as many.
  const double k = pareto_k(moments);
  EXPECT_NEAR(pareto_k_error(moments, k), (1 + k) / std::sqrt(300.0), 1e-12);
  SampledMean with = sampled_mean(moments);
  EXPECT_EQ(with.tail_excess, tail_excess(moments, k + 2.5 * pareto_k_error(moments, k)));
  const LogInterval wide = interval_of(with, 0.95);
  const double excess = std::exchange(with.tail_excess, 0);
  EXPECT_DOUBLE_EQ(wide.high - excess, interval_of(with, 0.95).high);
  EXPECT_EQ(wide.low, interval_of(with, 0.95).low);
  // These are steady.
  const SampleMoments light = pareto_samples(0.2, 10'000, 3);
  EXPECT_EQ(sampled_mean(light).tail_excess, tail_excess(light, pareto_k(light)));
}

TEST(ParetoTail, AboveSevenTenthsIsADoubtOfSamplesThatAreSpread) {
  int doubts = 0;
  constexpr int runs = 20;
  for (int run = 0; run < runs; ++run) {
    const SampledMean mean = sampled_mean(pareto_samples(1.0, 20'000, static_cast<std::uint64_t>(run)));
    EXPECT_GT(mean.pareto_k, largest_pareto_k);
    if (!mean.doubt.empty()) ++doubts;
  }
  EXPECT_EQ(doubts, runs);
  // One in a hundred is worth fifty of the others, which is no power law, but leaves as much in the dark.
  SampleMoments two;
  for (int s = 0; s < 2000; ++s) two.add({s % 100 == 0 ? 50.0 : 1.0, 0});
  EXPECT_EQ(sampled_mean(two).doubt.substr(0, 54), "the tail of 2000 samples is too heavy for an interval:");
  // Worth twice the others: nothing that could matter.
  SampleMoments steady;
  for (int s = 0; s < 2000; ++s) steady.add({s % 100 == 0 ? 2.0 : 1.0, 0});
  EXPECT_EQ(sampled_mean(steady).doubt, "");
  EXPECT_DOUBLE_EQ(join({sampled_mean(two), sampled_mean(steady)}).pareto_k,
                   std::fmax(sampled_mean(two).pareto_k, sampled_mean(steady).pareto_k));
}

}  // namespace
}  // namespace countpm
