// The fitted guess of populations: unbiased whatever it says, closer than the guess by columns alone, and
// fitted where that pays.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "graph/stop_poll.hpp"
#include "kernels/estimate/population/count_fit.hpp"
#include "kernels/estimate/population/fit_guess.hpp"
#include "kernels/estimate/samples/sample_matrix.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "kernels/support/spare_threads.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm::population_guess_test {
namespace {

using testing::repeats;

const StopSignal never;

/// The cells of a box, those with an even sum of coordinates as rows.
AnyBlock cells(int a, int b, int c) {
  std::array<std::vector<std::array<int, 3>>, 2> sides;
  for (int x = 0; x < a; ++x) {
    for (int y = 0; y < b; ++y) {
      for (int z = 0; z < c; ++z) sides[static_cast<std::size_t>((x + y + z) % 2)].push_back({x, y, z});
    }
  }
  return oracle::pattern_block(static_cast<Index>(sides[0].size()), [&](Index i, Index j) {
    int apart = 0;
    for (std::size_t k = 0; k < 3; ++k) apart += std::abs(sides[0][i][k] - sides[1][j][k]);
    return apart == 1;
  });
}

/// With the guess by columns alone, every row and column of which has about the same share.
std::optional<PopulationPlan> plan_of(const AnyBlock& block, SampleMatrix& matrix) {
  matrix = make_sample_matrix(block);
  return plan_population(block, matrix, std::vector<double>(matrix.rows.rows, 1.0), most_population_width);
}

std::optional<PopulationPlan> fitted_plan(const PopulationPlan& plan, std::uint32_t members, unsigned rows,
                                          std::uint64_t seed) {
  PopulationTrace trace;
  trace.most_states = members;
  CounterRandom random(seed, 0, 0);
  if (!(make_population_walk(plan, 2 * members)->record(random, never, trace).mantissa > 0)) return {};
  GuessFit fit(plan, rows);
  if (!fit.fit(trace, never)) return {};
  PopulationPlan fitted = plan;
  fitted.fitted = fit.factors();
  return fitted;
}

struct Drawn {
  double mean = 0;
  double variance = 0;  // of a sample
};
Drawn draw(const PopulationPlan& plan, std::uint32_t members, int samples, double unit) {
  Drawn drawn;
  const auto walk = make_population_walk(plan, members);
  for (int k = 0; k < samples; ++k) {
    CounterRandom random(11, 1, static_cast<std::uint64_t>(k));
    const double value = std::exp2(walk->draw(random, never).log2() - unit);
    drawn.mean += value / samples;
    drawn.variance += value * value / samples;
  }
  drawn.variance -= drawn.mean * drawn.mean;
  return drawn;
}

/// A band of 0 to 2 columns each way, with some entries beyond; half of them with weights.
AnyBlock band(oracle::Random& random, int round) {
  const auto n = static_cast<Index>(oracle::uniform(random, 6, 10));
  return oracle::make_block<std::int64_t>(n, n, [&](Index i, Index j) -> std::int64_t {
    const Index apart = i < j ? j - i : i - j;
    if (apart > 2 && oracle::uniform(random, 0, 9) > 0) return 0;
    if (apart == 2 && oracle::uniform(random, 0, 3) == 0) return 0;
    return round % 2 == 0 ? 1 : oracle::uniform(random, 1, 9);
  });
}

// What a factor brings in has to go out again on every way: with room for every state nothing is left to
// chance. And with few states the mean stays.
TEST(FittedGuesses, ChangeNoMean) {
  oracle::Random random(20);
  int fits = 0;
  for (int round = 0; round < repeats(60); ++round) {
    const AnyBlock block = band(random, round);
    const double exact = oracle::permanent(block).re.get_d();
    SampleMatrix matrix;
    const auto plan = plan_of(block, matrix);
    ASSERT_TRUE(plan);
    const auto fitted = fitted_plan(*plan, 4 + static_cast<std::uint32_t>(round % 3) * 20,
                                    1 + static_cast<unsigned>(round % 2), static_cast<std::uint64_t>(round));
    if (!fitted) continue;
    ++fits;
    const double unit = std::log2(exact) - static_cast<double>(matrix.exponent);
    EXPECT_NEAR(draw(*fitted, 1 << 12, 1, unit).mean, 1, 1e-12) << oracle::show(block);
    constexpr int samples = 400;
    const Drawn few = draw(*fitted, 2 + static_cast<std::uint32_t>(round % 3), samples, unit);
    EXPECT_NEAR(few.mean, 1, 5 * std::sqrt(few.variance / samples) + 1e-12) << oracle::show(block);
  }
  EXPECT_GT(fits, 0);
}

TEST(FittedGuesses, KnowWhatIsNear) {
  // 5,051,532,105 matchings of 4 x 4 x 4 cells.
  SampleMatrix matrix;
  const auto plan = plan_of(cells(4, 4, 4), matrix);
  ASSERT_TRUE(plan);
  const double unit = std::log2(5051532105.0) - static_cast<double>(matrix.exponent);
  EXPECT_NEAR(draw(*plan, 1 << 14, 1, unit).mean, 1, 1e-12);
  const Drawn before = draw(*plan, 32, 300, unit);
  for (const unsigned rows : {1U, 2U}) {
    const auto fitted = fitted_plan(*plan, 500, rows, 3);
    ASSERT_TRUE(fitted);
    EXPECT_NEAR(draw(*fitted, 1 << 14, 1, unit).mean, 1, 1e-12);
    const Drawn after = draw(*fitted, 32, 300, unit);
    EXPECT_LT(after.variance, before.variance / 2) << rows;
    EXPECT_NEAR(after.mean, 1, 5 * std::sqrt(after.variance / 300));
  }
}

// More than 64 live columns: sums of three random permutations of 160 rows.
TEST(FittedGuesses, OfWideStates) {
  constexpr Index n = 160;
  oracle::Random random(5);
  std::array<std::vector<Index>, 3> of;
  for (auto& permutation : of) {
    permutation.resize(n);
    std::iota(permutation.begin(), permutation.end(), Index{0});
    for (Index i = n; i-- > 1;)
      std::swap(permutation[i],
                permutation[static_cast<std::size_t>(oracle::uniform(random, 0, static_cast<int>(i)))]);
  }
  const AnyBlock block = oracle::pattern_block(
      n, [&](Index i, Index j) { return of[0][i] == j || of[1][i] == j || of[2][i] == j; });
  SampleMatrix matrix;
  auto plan = plan_of(block, matrix);
  ASSERT_TRUE(plan);
  EXPECT_GT(plan->width, 32U);
  // As if there were other columns, in two words before them.
  for (PopulationPlan::Entry& entry : plan->entries) entry.bit += 100;
  plan->width += 100;
  const double unit = draw(*plan, 512, 1, 0).mean;
  ASSERT_GT(unit, 0);
  const auto fitted = fitted_plan(*plan, 512, 2, 3);
  ASSERT_TRUE(fitted);
  const Drawn before = draw(*plan, 256, 60, std::log2(unit));
  const Drawn after = draw(*fitted, 256, 60, std::log2(unit));
  EXPECT_NEAR(after.mean, before.mean, 5 * std::sqrt((before.variance + after.variance) / 60));
  EXPECT_LT(after.variance, before.variance);
}

TEST(FittedGuesses, NotWhereRowsAreLong) {
  SampleMatrix matrix;
  const auto plan = plan_of(oracle::pattern_block(50, [](Index, Index) { return true; }), matrix);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(fitted_plan(*plan, 50, 2, 1)) << "50 columns are near every row";
}

TEST(FittedGuesses, WhereTheyPay) {
  SamplerOptions options;
  options.kind = SamplerKind::population;
  EXPECT_EQ(BlockSampler(cells(3, 3, 4), options, 1, 0).plan().find("fitted"), std::string::npos);
  const BlockSampler chosen(cells(6, 6, 6), options, 1, 0);
  EXPECT_NE(chosen.plan().find("fitted guess"), std::string::npos) << chosen.plan();
  // The fit has random numbers of its own and no clock: the same samples, whoever draws them.
  options.population = 300;
  const BlockSampler one(cells(5, 6, 6), options, 1, 0);
  const BlockSampler other(cells(5, 6, 6), options, 1, 0);
  EXPECT_EQ(one.plan(), other.plan());
  SampleMoments parts = other.run(0, 1, never);
  parts.join(other.run(1, 2, never));
  EXPECT_EQ(one.run(0, 3, never).sum.log2(), parts.sum.log2());
}

TEST(FittedGuesses, AreTheSameOnAnyThreads) {
  SampleMatrix matrix;
  const auto plan = plan_of(cells(4, 4, 5), matrix);
  ASSERT_TRUE(plan);
  PopulationTrace trace;
  trace.most_states = 700;
  CounterRandom random(1, 0, 0);
  ASSERT_GT(make_population_walk(*plan, 1400)->record(random, never, trace).mantissa, 0);
  GuessFit alone(*plan, 2);
  ASSERT_TRUE(alone.fit(trace, never, 1));
  for (const int threads : {2, 5}) {
    GuessFit together(*plan, 2);
    ASSERT_TRUE(together.fit(trace, never, threads));
    EXPECT_EQ(together.factors().near, alone.factors().near);
    EXPECT_EQ(together.factors().of_steps.exponent, alone.factors().of_steps.exponent);
    EXPECT_EQ(together.factors().of_entries.exponent, alone.factors().of_entries.exponent);
  }
  const auto sampler_on = [](int threads) {
    const SpareThreads spare(threads);
    SamplerOptions options;
    options.kind = SamplerKind::population;
    return BlockSampler(cells(6, 6, 6), options, 1, 0);
  };
  const BlockSampler one = sampler_on(1);
  const BlockSampler other = sampler_on(3);
  EXPECT_EQ(one.plan(), other.plan());
  EXPECT_EQ(one.run(0, 2, never).sum.log2(), other.run(0, 2, never).sum.log2());
  const auto population = other.population();
  ASSERT_TRUE(population);
  ASSERT_TRUE(population->guess);
  EXPECT_TRUE(population->guess->kept);
  EXPECT_GT(population->guess->factors, 1000U);
  EXPECT_LT(population->guess->variance_after, population->guess->variance_before);
  EXPECT_EQ(population->guess->variance_after, one.population()->guess->variance_after);
}

TEST(CountFits, FindTheirCoefficients) {
  for (const double x : {-300.0, -1.5, -1e-9, 0.0, 0.3, 1.0, 20.25, 400.0}) {
    EXPECT_NEAR(plain_exp(x) / std::exp(x), 1, 1e-13) << x;
    EXPECT_NEAR(plain_log(std::exp(x)), x, 1e-13 * (1 + std::fabs(x))) << x;
  }
  // Three traits; ln y = 0.2 + t0 - 2 t1 + 0.5 t0 t2, and 0 where both t1 and t2 are there.
  const std::vector<std::uint64_t> features{1, 2, 4, 5, 6};
  const std::vector<double> truth{1, -2, 0, 0.5, 0};
  CountFitSamples samples;
  for (std::uint64_t k = 0; k < 8000; ++k) {
    const std::uint64_t traits = k % 8;
    double log_y = 0.2;
    for (std::size_t f = 0; f < features.size(); ++f)
      log_y += (features[f] & traits) == features[f] ? truth[f] : 0;
    samples.weight.push_back(1);
    samples.offset.push_back(0.5 + static_cast<double>(k % 3) / 4);
    samples.y.push_back((traits & 6) == 6 ? 0 : samples.offset.back() * std::exp(log_y));
    samples.traits.push_back(traits);
  }
  CountFit fit;
  StepTeam alone(1);
  const std::vector<double> found = fit.run(features, samples, alone);
  ASSERT_EQ(found.size(), features.size());
  for (std::size_t f = 0; f + 1 < features.size(); ++f) EXPECT_NEAR(found[f], truth[f], 0.1) << f;
  EXPECT_LT(found.back(), -1) << "counts of 0";
  StepTeam team(3);
  EXPECT_EQ(fit.run(features, samples, team), found);
  samples.y.assign(samples.y.size(), 0.0);
  EXPECT_TRUE(fit.run(features, samples, team).empty());
}

}  // namespace
}  // namespace countpm::population_guess_test
