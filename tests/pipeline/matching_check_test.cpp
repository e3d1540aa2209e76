// What another sampler says of samples of matchings, and what their tails may yet add.
#include "src/matchings/matching_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "src/matchings/ratio_tally.hpp"
#include "src/matchings/sampled_marginals.hpp"
#include "src/sampling/block_key.hpp"
#include "src/sampling/missed_goal.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm::matching_check_test {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

// The first's mean is what it is, or as if it had never met nine tenths of the sum.
TEST(MatchingCheck, ContradictsWhatLacksMostOfTheSum) {
  oracle::Random random(3);
  const AnyBlock block = oracle::random_block<std::int64_t>(random, 20, 0.5, 1, 1);
  const std::uint64_t key = block_key(block, 1);
  const auto sampler = make_matching_sampler(block, SamplerKind::bethe, key, 7);
  const CountOptions options;
  Monitor monitor(options);
  SampleMoments moments;
  sampler->draw(0, 1000, monitor.stop_signal(), [&](double ln, const VertexPairs&) {
    moments.add({std::exp(ln), 0});
    return true;
  });
  const SampledMean mean = sampled_mean(moments);
  ASSERT_EQ(mean.doubt, "");
  SampledMean low = mean;
  low.log_mean -= std::log(10.0);
  for (const int threads : {1, 3}) {
    const auto check = [&](const SampledMean& said, SecondOpinion how) {
      return check_samples({block, *sampler, said, 1000, key, 7}, how, 0.95, endless, threads, monitor);
    };
    const MatchingCheck fine = check(mean, SecondOpinion::automatic);
    EXPECT_EQ(fine.sampler, "scaling+");
    EXPECT_GE(fine.samples, 32U);
    EXPECT_EQ(fine.contradiction, "");
    EXPECT_NE(check(low, SecondOpinion::automatic).contradiction.find("samples of scaling+ say"),
              std::string::npos);
    EXPECT_NE(check(low, SecondOpinion::annealed).contradiction.find("samples of annealed say"),
              std::string::npos);
    EXPECT_EQ(check(mean, SecondOpinion::none).sampler, "");
  }
  low.doubt = "few";
  EXPECT_EQ(
      check_samples({block, *sampler, low, 1000, key, 7}, SecondOpinion::automatic, 0.95, endless, 1, monitor)
          .sampler,
      "")
      << "in doubt anyway";
}

TEST(MatchingCheck, IsOfSamplesThatWereNotAskedFor) {
  CountOptions options;
  options.threads = 2;
  EdgeSampling sampling;
  sampling.samples = 300;
  const auto read = [] { return read_graph(Source::from_argument("lattice:cubic:2x3x4"), {}); };
  const SampledMarginals unasked = sampled_marginals(read(), options, sampling);
  EXPECT_NE(unasked.second, "");
  EXPECT_GE(unasked.second_samples, 32U);
  EXPECT_EQ(unasked.doubt, "");
  sampling.sampler = "bethe";
  EXPECT_EQ(sampled_marginals(read(), options, sampling).second, "");
}

TEST(MissedGoal, AdvisesATimeLimit) {
  // A quarter of the samples were drawn in the 8 of 10 seconds; a fifth more than the rest predicts.
  EXPECT_DOUBLE_EQ(advised_seconds(4, 2, 10), 2 + 4 * 8 * 1.2);
  EXPECT_EQ(advice(4, advised_seconds(4, 2, 10)), "; --time-limit 41s should suffice");
  EXPECT_EQ(advised_seconds(0, 2, 10), 0) << "it is not known";
  EXPECT_EQ(advice(0, 0), "");
  EXPECT_EQ(advised_seconds(1e9, 2, 10), 0) << "hardly anybody waits so long";
  EXPECT_EQ(advice(1e9, 0), "; it would take some 1e+09 times as many samples");
}

/// u^-k, a law of Pareto whose moments exist below 1/k, over its mean.
double pareto(oracle::Random& random, double k) {
  const double u = (static_cast<double>(oracle::uniform(random, 0, 999'999)) + 0.5) / 1e6;
  return std::pow(u, -k) * (1 - k);
}

struct Coverage {
  double held = 0;  // shares of the runs
  double held_by_variance = 0;
  double wider = 0;  // what the tails add to the interval, over it, on average
};

/// Of the quotient of a sum of samples with that tail and one of samples that hardly vary: 1.
Coverage coverage_of(double k, int samples, int runs) {
  oracle::Random random(11);
  Coverage coverage;
  for (int run = 0; run < runs; ++run) {
    RatioTally tally;
    for (int s = 0; s < samples; ++s)
      tally.add({0, std::log(pareto(random, k)), 0.01 * std::log(pareto(random, 0.1))});
    const double error = std::sqrt(tally.variance());
    const RatioTail tail = tail_of(tally, false);
    const double low = tally.log_ratio() - 2 * error;
    const double high = tally.log_ratio() + 2 * error;
    if (low <= 0 && 0 <= high) coverage.held_by_variance += 1.0 / runs;
    if (low - tail.below <= 0 && 0 <= high + tail.above) coverage.held += 1.0 / runs;
    coverage.wider += (tail.above + tail.below) / (high - low) / runs;
  }
  return coverage;
}

// Means of a heavy tail are mostly too low: intervals by the variance alone miss too often, on one side.
// Light tails add next to nothing.
TEST(RatioTail, MakesUpForWhatHasNotCome) {
  const auto runs = testing::repeats<int>(900);
  const double noise = 4 * std::sqrt(0.09 / runs);
  const Coverage heavy = coverage_of(0.65, 400, runs);
  EXPECT_GE(heavy.held, 0.9 - noise);
  EXPECT_LT(heavy.held_by_variance, heavy.held - 0.05);
  const Coverage light = coverage_of(0.1, 1000, std::min(runs, 100));
  EXPECT_GE(light.held, 0.95 - noise);
  EXPECT_LT(light.wider, 0.25);
}

// What both sums have in common, however heavy, is in no tail.
TEST(RatioTail, KnowsNothingOfWhatIsInCommon) {
  oracle::Random random(12);
  RatioTally apart;
  RatioTally common;
  for (int s = 0; s < 1000; ++s) {
    const double heavy = std::log(pareto(random, 0.6));
    const double other = 0.01 * std::log(pareto(random, 0.1));
    common.add({heavy, heavy, heavy + other});
    apart.add({heavy, heavy, other});
  }
  const RatioTail of_common = tail_of(common, false);
  const RatioTail of_apart = tail_of(apart, false);
  EXPECT_GT(of_apart.above, 0.01);
  EXPECT_LT(std::max(of_common.above, of_common.below), 0.03 * of_apart.above);
}

}  // namespace
}  // namespace countpm::matching_check_test
