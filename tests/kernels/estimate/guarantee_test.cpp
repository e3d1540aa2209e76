// Trials succeed as often as they should, the rule fails as rarely as it says, and both together keep the
// guarantee.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>

#include "graph/errors.hpp"
#include "kernels/arithmetic/big_float.hpp"
#include "kernels/estimate/guarantee/betting_rule.hpp"
#include "kernels/estimate/guarantee/gamma_bernoulli.hpp"
#include "kernels/estimate/guarantee/rejection_trials.hpp"
#include "tests/kernels/estimate/estimate_device_testing.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm::guarantee_test {
namespace {

using testing::repeats;

const StopSignal never;

/// P(Gamma(shape) > x), by MPFR.
double upper_tail(double shape, double x) {
  constexpr mpfr_prec_t bits = 200;
  BigFloat a(shape, bits);
  BigFloat result(x, bits);
  mpfr_gamma_inc(result.get(), a.get(), result.get(), MPFR_RNDN);
  BigFloat whole(bits);
  mpfr_gamma(whole.get(), a.get(), MPFR_RNDN);
  mpfr_div(result.get(), result.get(), whole.get(), MPFR_RNDN);
  return result.to_double();
}

double exact_failure(const GammaBernoulliRule& rule, double epsilon) {
  const auto shape = static_cast<double>(rule.successes);
  return 1 - upper_tail(shape, rule.factor / (1 + epsilon)) + upper_tail(shape, rule.factor / (1 - epsilon));
}

TEST(GammaBernoulli, FailsAsRarelyAsItSaysByMpfr) {
  for (const double epsilon : {0.9, 0.5, 0.3, 0.1, 0.05}) {
    for (const double delta : {0.5, 0.3, 0.05, 0.001, 1e-6}) {
      const GammaBernoulliRule rule = gamma_bernoulli(epsilon, delta);
      const double failure = exact_failure(rule, epsilon);
      EXPECT_LE(failure, delta) << epsilon << ' ' << delta;
      EXPECT_NEAR(failure_probability(rule, epsilon), failure, 1e-9 * failure) << epsilon << ' ' << delta;
      if (rule.successes == 1) continue;
      // One success fewer would not do, with this factor or any near it.
      for (const double shift : {0.97, 0.99, 1.0, 1.01, 1.03}) {
        const double less = static_cast<double>(rule.successes - 1) / static_cast<double>(rule.successes);
        const GammaBernoulliRule fewer{rule.successes - 1, rule.factor * less * shift};
        EXPECT_GT(exact_failure(fewer, epsilon), delta * (1 - 2e-4)) << epsilon << ' ' << delta;
      }
    }
  }
}

TEST(GammaBernoulli, KnownCases) {
  // Huber's factor k - 1 needs a few successes more.
  const GammaBernoulliRule rule = gamma_bernoulli(0.1, 0.05);
  EXPECT_GT(rule.successes, 370U);
  EXPECT_LT(rule.successes, 390U);
  // By the normal law, (1.96 / epsilon)^2.
  const GammaBernoulliRule fine = gamma_bernoulli(1e-4, 0.05);
  EXPECT_NEAR(static_cast<double>(fine.successes), 3.8414588e8, 4e4);
}

// Down to what may be asked for, and a little below: blocks share epsilon.
TEST(GammaBernoulli, TheSmallestGoals) {
  for (const double epsilon : {1e-4, 5e-5}) {
    for (const double delta : {0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 5e-7}) {
      const GammaBernoulliRule rule = gamma_bernoulli(epsilon, delta);
      EXPECT_GT(static_cast<double>(rule.successes), 0.4 / (epsilon * epsilon)) << epsilon << ' ' << delta;
    }
  }
}

TEST(GammaBernoulli, SumsOfExponentialsHaveTheirMeanAndVariance) {
  constexpr std::uint64_t rounds = 4000;
  constexpr std::uint64_t tosses = 37;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t k = 0; k < rounds; ++k) {
    const double one = exponential_sum(5, k, tosses);
    sum += one;
    squares += one * one;
  }
  const double mean = sum / rounds;
  EXPECT_NEAR(mean, tosses, 4 * std::sqrt(static_cast<double>(tosses) / rounds));
  EXPECT_NEAR(squares / rounds - mean * mean, tosses, 4 * tosses * std::sqrt(2.4 / rounds));
  EXPECT_EQ(exponential_sum(5, 1, tosses), exponential_sum(5, 1, tosses));
  EXPECT_NE(exponential_sum(5, 1, tosses), exponential_sum(6, 1, tosses));
}

// Smirnov's statistic against MPFR's Gamma law; beyond 2.2 once in 8,000 times.
TEST(GammaBernoulli, SumsOfExponentialsHaveTheirLaw) {
  for (const std::uint64_t tosses : {1U, 2U, 3U, 20U, 1000U}) {
    std::vector<double> found;
    const std::uint64_t rounds = repeats<std::uint64_t>(600);
    for (std::uint64_t k = 0; k < rounds; ++k) found.push_back(exponential_sum(7, k, tosses));
    std::sort(found.begin(), found.end());
    double most = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double below = 1 - upper_tail(static_cast<double>(tosses), found[k]);
      const auto count = static_cast<double>(found.size());
      most = std::max(
          {most, below - static_cast<double>(k) / count, static_cast<double>(k + 1) / count - below});
    }
    EXPECT_LT(most * std::sqrt(static_cast<double>(rounds)), 2.2) << tosses;
  }
  EXPECT_EQ(exponential_sum(7, 1, 0), 0);
  // Of 10^18 numbers, to within 6 standard deviations.
  EXPECT_NEAR(exponential_sum(7, 1, 1'000'000'000'000'000'000U), 1e18, 6e9);
}

/// Blocks with entries 0 and 1, far beyond 1, and rationals.
AnyBlock some_block(oracle::Random& random, std::uint64_t round) {
  const auto n = static_cast<Index>(oracle::uniform(random, 2, 7));
  const double density = static_cast<double>(oracle::uniform(random, 5, 10)) / 10;
  if (round % 3 == 1) return oracle::random_block_with_classes<std::int64_t>(random, n, density, 1, 999999);
  if (round % 3 == 2) return oracle::random_block<mpq_class>(random, n, density, 1, 40);
  return oracle::random_block<std::int64_t>(random, n, density, 1, 1);
}

TEST(RejectionTrials, SucceedAsOftenAsPermanentOverBound) {
  oracle::Random random(3);
  constexpr std::uint64_t trials = 20000;
  for (std::uint64_t round = 0; round < repeats<std::uint64_t>(150); ++round) {
    const AnyBlock block = some_block(random, round);
    const mpq_class exact = oracle::permanent(block).re;
    const RejectionTrials coin(block, round, 0);
    const auto successes = static_cast<double>(coin.successes(0, trials, never).size());
    if (exact == 0) {
      EXPECT_EQ(successes, 0) << oracle::show(block);
      continue;
    }
    const double rate = exact.get_d() / std::exp2(coin.log2_bound());
    ASSERT_LE(rate, 1 + 1e-12) << oracle::show(block);
    const double error = std::sqrt(rate * (1 - rate) / trials);
    EXPECT_NEAR(successes / trials, rate, 4.2 * error + 1e-9) << "round " << round << '\n'
                                                              << oracle::show(block);
    EXPECT_NEAR(coin.expected_rate(trials, never), rate, 0.25 * rate + 1e-9) << oracle::show(block);
  }
}

// Hits have the mean of the coin, and the second moment that walks foretell.
TEST(RejectionTrials, HaveHitsInProportion) {
  oracle::Random random(23);
  constexpr std::uint64_t trials = 20000;
  for (std::uint64_t round = 0; round < repeats<std::uint64_t>(90); ++round) {
    const AnyBlock block = some_block(random, round);
    const mpq_class exact = oracle::permanent(block).re;
    if (exact == 0) continue;
    const RejectionTrials coin(block, round, 0);
    const std::vector<TrialForecast> forecasts = coin.forecast(4000, never);
    ASSERT_EQ(forecasts.size(), RejectionTrials::most_share_bits + 1);
    for (const unsigned bits : {0U, 1U, 3U, 8U, 16U}) {
      const std::vector<TrialHits> found = coin.hits(0, trials, bits, never);
      double sum = 0;
      double squares = 0;
      std::vector<std::uint64_t> numbers;
      for (const TrialHits& trial : found) {
        ASSERT_GE(trial.hits, 1U);
        ASSERT_LE(trial.hits, std::uint64_t{1} << bits);
        const double number = std::ldexp(static_cast<double>(trial.hits), -static_cast<int>(bits));
        sum += number;
        squares += number * number;
        numbers.push_back(trial.trial);
      }
      EXPECT_EQ(coin.hits_of(numbers, bits, 3, never), found);
      if (bits == 0) {
        EXPECT_EQ(coin.successes(0, trials, never), numbers);
      }
      const double mean = sum / trials;
      const double rate = exact.get_d() / std::exp2(coin.log2_bound());
      const double error = std::sqrt(std::max(squares / trials - mean * mean, 0.0) / trials);
      EXPECT_NEAR(mean, rate, 4.5 * error + 2.0 / trials) << bits << " round " << round << '\n'
                                                          << oracle::show(block);
      EXPECT_EQ(forecasts[bits].share_bits, bits);
      EXPECT_NEAR(forecasts[bits].mean, rate, 0.4 * rate + 1e-9) << bits << " round " << round;
      EXPECT_NEAR(forecasts[bits].second_moment, squares / trials, 0.4 * squares / trials + 1e-9)
          << bits << " round " << round << '\n'
          << oracle::show(block);
      EXPECT_GE(forecasts[bits].second_moment * (1 + 1e-12), forecasts[bits].mean * forecasts[bits].mean);
      if (bits > 0) {
        EXPECT_LE(forecasts[bits].second_moment, forecasts[0].second_moment * (1 + 1e-12));
        EXPECT_GE(forecasts[bits].steps * (1 + 1e-12), forecasts[0].steps);
      }
    }
  }
}

// n! / U, by the code for one, two and any number of words.
TEST(RejectionTrials, AnyNumberOfRows) {
  for (const Index n : {63U, 64U, 65U, 128U, 129U, 200U}) {
    const AnyBlock ones = oracle::pattern_block(n, [](Index, Index) { return true; });
    const RejectionTrials coin(ones, 1, 0);
    constexpr std::uint64_t trials = 2000;
    const double rate = std::exp2(std::lgamma(n + 1.0) / std::log(2.0) - coin.log2_bound());
    const double seen = static_cast<double>(coin.successes(0, trials, never).size()) / trials;
    EXPECT_GT(rate, 0.5) << n;
    EXPECT_NEAR(seen, rate, 4 * std::sqrt(rate * (1 - rate) / trials)) << n;
  }
}

TEST(RejectionTrials, AreTheSameForEveryCut) {
  oracle::Random random(4);
  const AnyBlock block = oracle::random_block<std::int64_t>(random, 12, 0.7, 1, 3);
  const RejectionTrials coin(block, 9, 2);
  const std::vector<std::uint64_t> whole = coin.successes(0, 1000, never);
  std::vector<std::uint64_t> joined;
  for (std::uint64_t first = 0; first < 1000; first += 125) {
    const std::vector<std::uint64_t> part = coin.successes(first, 125, never);
    joined.insert(joined.end(), part.begin(), part.end());
  }
  EXPECT_EQ(whole, joined);
  EXPECT_NE(whole, RejectionTrials(block, 9, 3).successes(0, 1000, never));
  EXPECT_NE(whole, RejectionTrials(block, 8, 2).successes(0, 1000, never));
}

// Sets of one word, two and more; trials of which most succeed, few or none.
TEST(EstimateDevice, SmallTrialsAreTheCpus) {
  for (const Index n : {1U, 2U, 31U, 33U, 64U, 65U, 128U, 129U, 300U}) {
    // Longer columns than a bound is fitted to, where that would take seconds.
    for (const double degree : {0.0, n < 60 ? 2.0 : 14.0, 0.5 * n}) {
      const RejectionTrials trials(testing::diagonal_and_more<std::int64_t>(n, n, degree, 1 + n % 3), 7, 1);
      const std::uint64_t count = testing::repeats(n > 100 ? 1500 : 6000);
      const std::vector<std::uint64_t> expected = trials.successes(11, count, never);
      for (const GpuInfo& gpu : testing::all_gpus()) {
        const auto device = trials.on_device(gpu);
        EXPECT_EQ(device->successes(11, count, never), expected) << gpu.name << ' ' << n << ' ' << degree;
        std::vector<std::uint64_t> parts = device->successes(11, count / 3, never);
        const std::vector<std::uint64_t> rest = device->successes(11 + count / 3, count - count / 3, never);
        parts.insert(parts.end(), rest.begin(), rest.end());
        EXPECT_EQ(parts, expected) << gpu.name << ' ' << n << ' ' << degree;
      }
    }
  }
  for (const unsigned bits : {1U, 6U, 16U}) {
    // One row alone: its only entry is in the first step, whose probability has the share.
    for (const Index n : {1U, 2U, 12U, 40U}) {
      const RejectionTrials trials(testing::diagonal_and_more<std::int64_t>(n, n, n < 3 ? 0.0 : 3.0, 1), 7,
                                   1);
      const std::uint64_t count = testing::repeats(3000);
      const std::vector<TrialHits> expected = trials.hits(11, count, bits, never);
      for (const GpuInfo& gpu : testing::all_gpus()) {
        EXPECT_EQ(trials.hits_of(trials.on_device(gpu, bits)->successes(11, count, never), bits, 2, never),
                  expected)
            << gpu.name << ' ' << n << ' ' << bits;
      }
    }
  }
  const RejectionTrials none(testing::diagonal_and_more<std::int64_t>(1, 40, 3, 1), 7, 1);
  StopSignal stop;
  stop.request();
  EXPECT_THROW(none.on_device(emulated_gpu(0))->successes(0, 10, stop), Stopped);
}

// Short columns are looked up on the CPU, and stepped through on a GPU: rows in their last column, weights of
// any size, columns of eight.
TEST(EstimateDevice, TrialsOfShortColumnsAreTheCpus) {
  oracle::Random random(16);
  for (int round = 0; round < testing::repeats(30); ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 2, 30));
    const auto degree = static_cast<Index>(oracle::uniform(random, 2, 8));
    const AnyBlock block = oracle::make_block<std::int64_t>(n, n, [&](Index i, Index j) {
      const bool entry = i == j || (j + n - i) % n * degree % n < degree;
      return entry ? 1 + static_cast<std::int64_t>(random() % (round % 2 == 0 ? 2 : 100000)) : 0;
    });
    const RejectionTrials trials(block, 7, 1);
    const std::vector<std::uint64_t> expected = trials.successes(5, 3000, never);
    for (const GpuInfo& gpu : testing::all_gpus())
      EXPECT_EQ(trials.on_device(gpu)->successes(5, 3000, never), expected) << gpu.name << ' ' << round;
  }
}

TEST(RejectionTrials, Stop) {
  const AnyBlock ones = oracle::pattern_block(100, [](Index, Index) { return true; });
  const RejectionTrials coin(ones, 1, 0);
  StopSignal stop;
  stop.request();
  EXPECT_THROW(coin.successes(0, 100000, stop), Stopped);
  EXPECT_THROW(coin.expected_rate(100000, stop), Stopped);
}

TEST(RejectionTrials, RefuseNegativeWeights) {
  const AnyBlock block =
      oracle::make_block<std::int64_t>(2, 2, [](Index i, Index j) { return i == 0 && j == 0 ? -1 : 2; });
  EXPECT_THROW(RejectionTrials(block, 1, 0), UnableError);
}

/// The share of runs that miss.
double misses(double epsilon, double delta, std::uint64_t runs, std::uint64_t seed) {
  oracle::Random random(seed);
  const GammaBernoulliRule rule = gamma_bernoulli(epsilon, delta);
  std::uint64_t missed = 0;
  for (std::uint64_t run = 0; run < runs;) {
    const AnyBlock block = some_block(random, run);
    const double exact = oracle::permanent(block).re.get_d();
    if (exact == 0) continue;
    const RejectionTrials coin(block, seed, run);
    std::vector<std::uint64_t> found;
    for (std::uint64_t first = 0; found.size() < rule.successes; first += rule.successes) {
      const std::vector<std::uint64_t> more = coin.successes(first, rule.successes, never);
      found.insert(found.end(), more.begin(), more.end());
    }
    const std::uint64_t tosses = found[rule.successes - 1] + 1;
    const double value = rule.factor / exponential_sum(seed, run | std::uint64_t{1} << 40, tosses) *
                         std::exp2(coin.log2_bound());
    if (std::abs(value / exact - 1) > epsilon) ++missed;
    ++run;
  }
  return static_cast<double>(missed) / static_cast<double>(runs);
}

// At most delta by the rule, so that among `runs` a share of delta + 4 standard errors hardly ever misses;
// and about the failure probability of the rule, so that a rule that wastes successes shows, too.
void expect_guarantee(double epsilon, double delta, std::uint64_t runs, std::uint64_t seed) {
  const double law = failure_probability(gamma_bernoulli(epsilon, delta), epsilon);
  const double error = std::sqrt(law * (1 - law) / static_cast<double>(runs));
  const double share = misses(epsilon, delta, runs, seed);
  EXPECT_LE(share, delta + 4 * error) << epsilon << ' ' << delta << " seed " << seed;
  EXPECT_NEAR(share, law, 4 * error) << epsilon << ' ' << delta << " seed " << seed;
}

TEST(Guarantee, HoldsInSomeRuns) {
  expect_guarantee(0.5, 0.3, repeats(400), 21);
  expect_guarantee(0.2, 0.1, repeats(400), 22);
}

/// The share of runs that miss by bets on one block's hits, each run by trials of its own.
double missed_bets(double epsilon, double delta, std::uint64_t runs) {
  // Circulant: 193008337 by every exact method.
  const AnyBlock block = oracle::pattern_block(24, [](Index i, Index j) {
    const Index offset = (j + 24 - i) % 24;
    return offset == 0 || offset == 3 || offset == 7 || offset == 10 || offset == 16;
  });
  const RejectionTrials coin(block, 41, 0);
  const TrialForecast forecast = coin.forecast(2000, never).at(5);
  const BettingRule rule(epsilon, delta, 5, {forecast.mean, forecast.second_moment});
  std::uint64_t missed = 0;
  for (std::uint64_t run = 1; run <= runs; ++run) {
    HitCounts hits;
    std::uint64_t trials = 0;
    while (!rule.holds(trials, hits)) {
      const std::uint64_t look = BettingRule::next_look(trials);
      for (const TrialHits& trial : coin.hits((run << 32) + trials, look - trials, 5, never))
        ++hits[trial.hits];
      trials = look;
    }
    const double value = rule.mean(trials, hits) * std::exp2(coin.log2_bound());
    if (std::abs(value / 193008337 - 1) > epsilon) ++missed;
  }
  return static_cast<double>(missed) / static_cast<double>(runs);
}

// Looking again and again at what has come, the rule misses less often than delta.
TEST(Guarantee, BetsHold) {
  const int runs = repeats(300);
  EXPECT_LE(missed_bets(0.1, 0.3, static_cast<std::uint64_t>(runs)), 0.3 + 4 * std::sqrt(0.21 / runs));
}

TEST(LongGuarantee, BetsHold) {
  EXPECT_LE(missed_bets(0.1, 0.3, 1500), 0.3);
  EXPECT_LE(missed_bets(0.05, 0.05, 300), 0.05);
}

TEST(LongGuarantee, HoldsInManyRuns) {
  expect_guarantee(0.5, 0.3, repeats(10000), 31);
  expect_guarantee(0.9, 0.5, repeats(10000), 32);
  expect_guarantee(0.3, 0.05, repeats(5000), 33);
  expect_guarantee(0.1, 0.05, repeats(2000), 34);
}

}  // namespace
}  // namespace countpm::guarantee_test
