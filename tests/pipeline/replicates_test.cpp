// Several estimates and what they say together; ln Z as the goal; the weights of samples.
#include "src/estimate/replicates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "src/estimate/compare.hpp"
#include "src/estimate/estimate.hpp"
#include "tests/repeats.hpp"

namespace countpm::replicates_test {
namespace {

const double ln_10 = std::log(10.0);

CountOptions with_seed(std::uint64_t seed, int threads = 2) {
  CountOptions options;
  options.seed = seed;
  options.threads = threads;
  return options;
}

EstimateOptions of_walks(double ln_error) {
  EstimateOptions options;
  options.all_sampled = true;
  options.ln_error = ln_error;
  options.sampler.kind = SamplerKind::scaling_plus;
  options.sampler.tail_rows = 0;
  options.time_limit_seconds = std::numeric_limits<double>::infinity();
  return options;
}

EstimateResult estimate_of(const char* input, const CountOptions& options, const EstimateOptions& sampling) {
  return estimate(Source::from_argument(input), {}, options, sampling);
}

TEST(Replicates, ChiSquareIsThatOfTables) {
  // Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.8.
  EXPECT_NEAR(chi_square_tail(3.84146, 1), 0.05, 1e-6);
  EXPECT_NEAR(chi_square_tail(5.99147, 2), 0.05, 1e-6);
  EXPECT_NEAR(chi_square_tail(16.2662, 3), 0.001, 1e-7);
  EXPECT_NEAR(chi_square_tail(9.48773, 4), 0.05, 1e-6);
  EXPECT_NEAR(chi_square_tail(22.1577, 9), 0.00838, 1e-4);
  EXPECT_NEAR(chi_square_tail(124.342, 100), 0.05, 1e-5);
  EXPECT_EQ(chi_square_tail(0, 3), 1);
  EXPECT_LT(chi_square_tail(5000, 7), 1e-300);
}

TEST(Coverage, SoFewByChanceIsTheBinomialLaw) {
  EXPECT_NEAR(at_most_by_chance(18, 20, 0.95), 0.26416, 1e-5);
  EXPECT_NEAR(at_most_by_chance(0, 1, 0.95), 0.05, 1e-12);
  EXPECT_NEAR(at_most_by_chance(20, 20, 0.95), 1, 1e-12);
  EXPECT_EQ(at_most_by_chance(0, 0, 0.95), 1);
  EXPECT_LT(at_most_by_chance(900, 1000, 0.95), 1e-9);
}

TEST(Replicates, SpreadIsContradictedByChanceHardlyEver) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  int contradicted = 0;
  const int runs = 5000;
  double probabilities = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<Replicate> replicates(5);
    for (Replicate& one : replicates) {
      one.ln_error = 0.01 * (1 + static_cast<double>(random() % 3));
      one.log10 = 700 + normal(random) * one.ln_error / ln_10;
    }
    const ReplicateSpread spread = spread_of(replicates);
    probabilities += spread.probability / runs;
    if (spread.contradicts) ++contradicted;
  }
  EXPECT_LE(contradicted, 5 + 9);  // of 1 in 1000, four standard deviations more
  EXPECT_NEAR(probabilities, 0.5, 4 * 0.289 / std::sqrt(runs));
  std::vector<Replicate> apart(2);
  apart[0].ln_error = apart[1].ln_error = 0.01;
  apart[1].log10 = 0.06 / ln_10;
  EXPECT_TRUE(spread_of(apart).contradicts);
  EXPECT_NEAR(spread_of(apart).chi_square, 18, 1e-9);
  EXPECT_NEAR(spread_of(apart).observed, 0.06 / std::sqrt(2.0), 1e-12);
}

TEST(Replicates, TogetherAreTheirMeanAndDoubtWhatContradicts) {
  std::vector<Estimate> estimates(2);
  std::vector<Replicate> replicates(2);
  for (std::size_t k = 0; k < 2; ++k) {
    Estimate& one = estimates[k];
    one.log10_sample_mean = one.log10 = k == 0 ? 2.0 : std::log10(102.0);
    one.variance = 1e-4;
    one.confidence = 0.95;
    one.bounds_low_log10 = 0;
    one.bounds_high_log10 = 10;
    one.samples = one.nonzero = 1000;
    one.effective_samples = 900;
    replicates[k].log10 = one.log10;
    replicates[k].ln_error = one.ln_error();
  }
  Checks checks;
  const Estimate both = joined_replicates(estimates, replicates, spread_of(replicates), checks);
  EXPECT_NEAR(both.log10, std::log10(101.0), 1e-12);
  EXPECT_NEAR(both.variance, 1e-4 * (100 * 100 + 102 * 102) / (202.0 * 202), 1e-12);
  EXPECT_EQ(both.samples, 2000U);
  EXPECT_EQ(both.doubt, "");
  replicates[1].log10 = 3;
  EXPECT_TRUE(joined_replicates(estimates, replicates, spread_of(replicates), checks)
                  .doubt.starts_with("the replicates contradict their errors: "));
  estimates[1].doubt = "only 3 samples";
  EXPECT_EQ(joined_replicates(estimates, replicates, std::nullopt, checks).doubt,
            "replicate 2, of seed 0: only 3 samples");
}

TEST(Replicates, AreTheEstimatesOfTheirSeedsWithAnErrorThatFalls) {
  EstimateOptions sampling = of_walks(0.05);
  sampling.replicates = 6;
  const EstimateResult all = estimate_of("lattice:square:6x6", with_seed(7), sampling);
  ASSERT_EQ(all.replicates.size(), 6U);
  ASSERT_TRUE(all.spread.has_value());
  EXPECT_FALSE(all.spread->contradicts);
  std::set<std::uint64_t> seeds;
  double squares = 0;
  for (const Replicate& one : all.replicates) {
    seeds.insert(one.seed);
    EXPECT_LE(one.ln_error, 0.05);
    squares += one.ln_error * one.ln_error / 36;
  }
  EXPECT_EQ(seeds.size(), 6U);
  EXPECT_EQ(all.replicates.front().seed, 7U);
  EXPECT_NEAR(all.estimate->ln_error(), std::sqrt(squares), 0.15 * std::sqrt(squares));
  EXPECT_NEAR(all.estimate->log(), std::log(6728), 4 * all.estimate->ln_error());
  EstimateOptions one = of_walks(0.05);
  const EstimateResult alone = estimate_of("lattice:square:6x6", with_seed(all.replicates[4].seed, 1), one);
  EXPECT_EQ(alone.estimate->log10, all.replicates[4].log10);
  EXPECT_EQ(alone.estimate->samples, all.replicates[4].samples);
  // Where nothing is sampled there is nothing to repeat.
  sampling.all_sampled = false;
  const EstimateResult exact = estimate_of("lattice:square:6x6", with_seed(7), sampling);
  EXPECT_EQ(*exact.exact_count, "6728");
  EXPECT_TRUE(exact.replicates.empty());
}

/// Of so many seeds, how many errors of ln Z are above two standard errors; what is shown is never above the
/// goal.
int far_off(int runs) {
  int off = 0;
  for (int run = 1; run <= runs; ++run) {
    const EstimateResult result =
        estimate_of("lattice:square:6x6", with_seed(static_cast<std::uint64_t>(run), 1), of_walks(0.05));
    EXPECT_TRUE(result.estimate->doubt.empty());
    EXPECT_LE(result.estimate->ln_error(), 0.05);
    if (std::abs(result.estimate->log() - std::log(6728)) > 2 * result.estimate->ln_error()) ++off;
  }
  return off;
}

TEST(LogError, IsWhatStopsTheSamplesAndHolds) {
  // 5 % and four standard deviations.
  const int runs = testing::repeats(120);
  EXPECT_LE(far_off(runs), 0.05 * runs + 4 * std::sqrt(0.05 * 0.95 * runs));
}

TEST(LogWeights, AreThoseOfAllSamplesWhateverTheThreads) {
  std::map<int, std::vector<double>> weights;
  EstimateResult result;
  for (const int threads : {1, 3}) {
    EstimateOptions sampling = of_walks(0.05);
    sampling.weights = [&](const SampleWeights& some) {
      EXPECT_EQ(some.block, 0U);
      EXPECT_EQ(some.first, weights[threads].size());
      weights[threads].insert(weights[threads].end(), some.ln.begin(), some.ln.end());
    };
    result = estimate_of("lattice:square:6x6", with_seed(1, threads), sampling);
  }
  EXPECT_EQ(weights[1], weights[3]);
  ASSERT_EQ(weights[1].size(), result.estimate->samples);
  double sum = 0;
  double squares = 0;
  for (const double ln : weights[1]) {
    sum += std::exp(ln);
    squares += std::exp(2 * ln);
  }
  EXPECT_NEAR(sum / static_cast<double>(weights[1].size()), std::exp(result.estimate->log()), 1e-8 * sum);
  EXPECT_NEAR(sum * sum / squares, result.estimate->effective_samples, 1e-6 * sum * sum / squares);
  // Beside them the estimate is the same.
  const EstimateResult plain = estimate_of("lattice:square:6x6", with_seed(1), of_walks(0.05));
  EXPECT_EQ(plain.estimate->log10, result.estimate->log10);
}

TEST(Replicates, WhatDoesNotGoTogetherIsRefused) {
  const auto refused = [](const EstimateOptions& sampling, const CountOptions& options = {}) {
    EXPECT_THROW(estimate_of("lattice:square:4x4", options, sampling), UsageError);
  };
  EstimateOptions sampling = of_walks(0.05);
  sampling.ln_error = 0.4;
  refused(sampling);
  sampling = of_walks(0.05);
  sampling.guarantee = GuaranteeGoal{};
  refused(sampling);
  sampling = {};
  sampling.replicates = 0;
  refused(sampling);
  sampling.replicates = 2;
  CountOptions kept;
  kept.checkpoint.file = "/nonexistent/journal";
  refused(sampling, kept);
  sampling = {};
  sampling.weights = [](const SampleWeights&) {};
  refused(sampling, kept);
  sampling.gpus = 1;
  refused(sampling);
}

}  // namespace
}  // namespace countpm::replicates_test
