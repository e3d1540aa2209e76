// A second sampler beside the first: what one never meets the other tells. Random numbers of seed and input.
#include "src/sampling/second_sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "graph/errors.hpp"
#include "src/estimate/estimate.hpp"
#include "src/sampling/block_key.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/pipeline/trap.hpp"

namespace countpm {
namespace {

using testing::Trap;

EstimateOptions sampled(std::uint64_t samples) {
  EstimateOptions options;
  options.all_sampled = true;
  options.samples = samples;
  options.time_limit_seconds = std::numeric_limits<double>::infinity();
  return options;
}

TEST(SecondSampler, TellsOfWhatTheFirstNeverMeets) {
  const Source trap = Source::from_bytes(Trap(140, 13).text());
  CountOptions count_options;
  count_options.threads = 2;
  const double truth = count(trap, {}, count_options).log10;
  EstimateOptions options = sampled(100);
  options.sampler.tail_rows = 0;  // bethe, as it would be were the ring too wide for a population
  for (const std::uint64_t seed : {1U, 2U}) {
    count_options.seed = seed;
    const EstimateResult result = estimate(trap, {}, count_options, options);
    const Estimate& value = *result.estimate;
    ASSERT_TRUE(result.blocks[0].second);
    const SecondEstimate& second = *result.blocks[0].second;
    EXPECT_EQ(second.sampler, "scaling+");
    EXPECT_EQ(second.samples, second.planned);
    // The first by itself is far off, and nothing in its samples tells.
    EXPECT_LT(result.blocks[0].log10, truth - 4);
    EXPECT_TRUE(second.contradicts);
    EXPECT_NE(value.doubt.find("samples of scaling+ say at least"), std::string::npos) << value.doubt;
    EXPECT_TRUE(std::isinf(value.relative_error));
    EXPECT_LE(value.low_log10, truth);
    EXPECT_GE(value.high_log10, truth);
    EXPECT_GE(value.low_log10, result.blocks[0].log10) << "what the second knows counts";
  }
}

// One kind of its matchings has rests worth 10^-10 of the other's.
TEST(SecondSampler, StatesOfTheBoundaryKeepBothKindsOfATrap) {
  const Source trap = Source::from_bytes(Trap(21, 2).text());
  CountOptions count_options;
  count_options.threads = 2;
  const double truth = count(trap, {}, count_options).log10;
  EstimateOptions options = sampled(100);
  options.sampler.kind = SamplerKind::boundary;
  for (const std::uint64_t seed : {1U, 2U}) {
    count_options.seed = seed;
    EXPECT_NEAR(estimate(trap, {}, count_options, options).blocks[0].log10, truth, 1e-4) << seed;
  }
}

Source dense() {
  std::string text;
  for (int i = 0; i < 24; ++i) {
    for (int j = 0; j < 24; ++j) text += i == j || (i * 7 + j * 13 + i * j) % 5 < 2 ? "1 " : "0 ";
    text += '\n';
  }
  return Source::from_bytes(text);
}

TEST(SecondSampler, IsTheSameForEveryNumberOfThreads) {
  EstimateOptions options = sampled(400);
  options.sampler.tail_rows = 0;
  std::vector<EstimateResult> results;
  for (const int threads : {1, 3}) {
    CountOptions count_options;
    count_options.threads = threads;
    results.push_back(estimate(dense(), {}, count_options, options));
  }
  const SecondEstimate& one = results[0].blocks[0].second.value();
  const SecondEstimate& other = results[1].blocks[0].second.value();
  EXPECT_GE(one.samples, 32U);
  EXPECT_EQ(one.samples, other.samples);
  EXPECT_EQ(one.log10, other.log10);
  EXPECT_FALSE(one.contradicts);
  EXPECT_NEAR(one.log10, results[0].blocks[0].log10, 0.3);
  EXPECT_EQ(results[0].estimate->low_log10, results[1].estimate->low_log10);
  // A sampler that is asked for stands alone.
  options.sampler.kind = SamplerKind::bethe;
  EXPECT_FALSE(estimate(dense(), {}, {}, options).blocks[0].second);
}

// Ten times as much lies where links are used, beyond a place that holes cross only because activities have
// been learned there.
TEST(SecondSampler, AnnealingSeesBothKindsOfMatchings) {
  const Source trap = Source::from_bytes(Trap(24, 2).text());
  const double truth = count(trap, {}, {}).log10;
  EstimateOptions options = sampled(60);
  options.sampler.kind = SamplerKind::annealed;
  CountOptions count_options;
  count_options.threads = 2;
  const EstimateResult result = estimate(trap, {}, count_options, options);
  EXPECT_EQ(result.sampler, "annealed");
  EXPECT_FALSE(result.blocks[0].second);
  EXPECT_LE(result.estimate->low_log10, truth);
  EXPECT_GE(result.estimate->high_log10, truth);
  // A tenth is all that the other kind would be.
  EXPECT_NEAR(result.estimate->log10, truth, 0.4);
}

TEST(SecondSampler, AnnealingIsAnOpinionOnWhatWasAskedFor) {
  EstimateOptions options = sampled(300);
  options.sampler.kind = SamplerKind::bethe;
  options.second = SecondOpinion::annealed;
  std::vector<EstimateResult> results;
  for (const int threads : {1, 3}) {
    CountOptions count_options;
    count_options.threads = threads;
    results.push_back(estimate(dense(), {}, count_options, options));
  }
  const SecondEstimate& one = results[0].blocks[0].second.value();
  EXPECT_EQ(one.sampler, "annealed");
  EXPECT_GE(one.samples, 64U);
  EXPECT_EQ(one.samples, one.planned);
  EXPECT_FALSE(one.contradicts);
  EXPECT_NEAR(one.log10, results[0].blocks[0].log10, 0.2);
  EXPECT_EQ(one.samples, results[1].blocks[0].second->samples);
  EXPECT_EQ(one.log10, results[1].blocks[0].second->log10);
  options.sampler.kind.reset();
  options.second = SecondOpinion::none;
  EXPECT_FALSE(estimate(dense(), {}, {}, options).blocks[0].second);
  options.sampler.kind = SamplerKind::annealed;
  options.second = SecondOpinion::annealed;
  EXPECT_THROW(estimate(dense(), {}, {}, options), UsageError);
  options.sampler.kind.reset();
  options.guarantee = GuaranteeGoal{0.5, 0.3};
  EXPECT_THROW(estimate(dense(), {}, {}, options), UsageError);
}

SampledMean mean_of(double log_mean, double variance, const std::string& doubt = {}) {
  SampledMean mean;
  mean.log_mean = log_mean;
  mean.variance = variance;
  mean.unseen = 0.001;
  mean.effective = 1000;
  mean.doubt = doubt;
  return mean;
}

TEST(SecondSampler, ContradictsByMarkovOrByAnIntervalOfItsOwn) {
  const SampledMean first = mean_of(10, 1e-4);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(contradiction(first, mean_of(10.01, 1e-4), "s", 0.95), "");
  EXPECT_EQ(contradiction(first, mean_of(10 + std::log(19), 4, "spread"), "s", 0.95), "");
  EXPECT_NE(contradiction(first, mean_of(10 + std::log(22), 4, "spread"), "s", 0.95), "");
  EXPECT_EQ(contradiction(first, mean_of(2, 4, "spread"), "s", 0.95), "") << "it may have seen nothing";
  EXPECT_EQ(contradiction(first, mean_of(-infinity, infinity, "zero"), "s", 0.95), "");
  EXPECT_NE(contradiction(first, mean_of(10.2, 1e-4), "s", 0.95), "");
  EXPECT_NE(contradiction(first, mean_of(9.8, 1e-4), "s", 0.95), "");
  EXPECT_EQ(contradiction(mean_of(10, 1e-4, "few"), mean_of(20, 1e-4), "s", 0.95), "") << "in doubt anyway";
  EXPECT_NEAR(mean_of_both(first, mean_of(12, 1)).log_mean, std::log((std::exp(10) + std::exp(12)) / 2),
              1e-12);
}

TEST(SecondSampler, TakesAboutATenthOfTheTime) {
  oracle::Random random(4);
  const AnyBlock block = oracle::random_block<std::int64_t>(random, 40, 0.5, 1, 1);
  const BlockSampler first(block, {}, 1, 0);
  const BlockSampler second = second_sampler(block, first.kind(), 1, 0);
  EXPECT_NE(first.kind(), second.kind());
  EXPECT_EQ(second_samples(first, second, 1), 32U);
  const std::uint64_t drawn = 10000;
  const auto many = static_cast<double>(second_samples(first, second, drawn));
  EXPECT_NEAR(many * second.work(), 0.1 * static_cast<double>(drawn) * first.work(), second.work());
  EXPECT_EQ(second_samples(first, second, std::uint64_t{1} << 40), 4096U);
  // Beyond ten seconds as the root of what the first takes; not where it was asked for.
  const BlockSampler dear =
      second_sampler(oracle::pattern_block(200, [](Index, Index) { return true; }), SamplerKind::bethe, 1, 0);
  EXPECT_NEAR(static_cast<double>(second_samples(1e9, dear, 400, share_of_second)), 2e10 / dear.work(), 1);
  EXPECT_EQ(second_samples(1e9, dear, 400, share_of_asked_second), 4096U);
  EXPECT_EQ(second_sampler(block, SamplerKind::scaling_plus, 1, 0).kind(), SamplerKind::rasmussen_plus);
}

TEST(BlockKey, DependsOnSeedAndMatrix) {
  oracle::Random random(5);
  const AnyBlock one = oracle::random_block<std::int64_t>(random, 8, 0.5, 1, 1);
  const AnyBlock other = oracle::random_block<std::int64_t>(random, 8, 0.5, 1, 1);
  EXPECT_EQ(block_key(one, 1), block_key(one, 1));
  EXPECT_NE(block_key(one, 1), block_key(one, 2));
  EXPECT_NE(block_key(one, 1), block_key(other, 1));
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  double sum_a = 0;
  double sum_b = 0;
  double aa = 0;
  double bb = 0;
  double ab = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    sum_a += a[k];
    sum_b += b[k];
    aa += a[k] * a[k];
    bb += b[k] * b[k];
    ab += a[k] * b[k];
  }
  return (n * ab - sum_a * sum_b) / std::sqrt((n * aa - sum_a * sum_a) * (n * bb - sum_b * sum_b));
}

// The seeds are the same, the errors have nothing to do with one another: of 100 pairs a correlation of 0.25
// is one in a hundred by chance, and it was 0.4.
TEST(BlockKey, ErrorsOfDifferentInputsAreIndependent) {
  EstimateOptions options = sampled(0);
  options.guarantee = GuaranteeGoal{0.5, 0.3};
  options.time_limit_seconds = 60;
  const auto values = [&](const std::string& input) {
    std::vector<double> log10s;
    CountOptions count_options;
    count_options.threads = 1;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      count_options.seed = seed;
      log10s.push_back(estimate(Source::from_argument(input), {}, count_options, options).estimate->log10);
    }
    return log10s;
  };
  const double found = correlation(values("lattice:square:6x6"), values("lattice:square:4x6"));
  EXPECT_LT(std::abs(found), 0.25);
}

}  // namespace
}  // namespace countpm
