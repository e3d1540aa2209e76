// Estimates with a guarantee as the library gives them: progress, interruption, limits, and threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "graph/errors.hpp"
#include "src/estimate/estimate.hpp"

namespace countpm {
namespace {

/// A 0-1 matrix of density 0.5 with ones on the diagonal, as dense text.
std::string random_matrix(int n, unsigned seed) {
  std::minstd_rand random(seed);
  std::string text;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) text += i == j || (random() >> 8 & 1U) != 0 ? "1 " : "0 ";
    text += '\n';
  }
  return text;
}

EstimateResult sampled(int n, const CountOptions& count_options, const GuaranteeGoal& goal,
                       double time_limit = 600) {
  EstimateOptions options;
  options.guarantee = goal;
  options.all_sampled = true;
  options.time_limit_seconds = time_limit;
  return estimate(Source::from_bytes(random_matrix(n, 3)), {}, count_options, options);
}

/// Five ones a row, circulant: one trial in some thousand would succeed, so that there are bets on hits.
std::string circulant_matrix() {
  constexpr int n = 44;
  std::string text;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int offset = (j - i + n) % n;
      text += offset == 0 || offset == 3 || offset == 7 || offset == 18 || offset == 29 ? "1 " : "0 ";
    }
    text += '\n';
  }
  return text;
}

EstimateResult bets(const CountOptions& count_options, const EstimateOptions& more = {}) {
  EstimateOptions options = more;
  options.guarantee = GuaranteeGoal{0.1, 0.05};
  options.all_sampled = true;
  return estimate(Source::from_bytes(circulant_matrix()), {}, count_options, options);
}

void expect_same(const EstimateResult& one, const EstimateResult& other, const std::string& which) {
  EXPECT_EQ(one.estimate->log10, other.estimate->log10) << which;
  EXPECT_EQ(one.estimate->samples, other.estimate->samples) << which;
  EXPECT_EQ(one.estimate->nonzero, other.estimate->nonzero) << which;
  EXPECT_EQ(one.estimate->effective_samples, other.estimate->effective_samples) << which;
}

TEST(GuaranteedEstimate, TheSameForAnyNumberOfThreads) {
  CountOptions count_options;
  count_options.threads = 1;
  const EstimateResult one = sampled(40, count_options, {0.1, 0.05});
  const EstimateResult bet = bets(count_options);
  ASSERT_TRUE(one.estimate && one.estimate->guarantee);
  ASSERT_TRUE(bet.estimate && bet.estimate->guarantee);
  for (const int threads : {2, 3, 7}) {
    count_options.threads = threads;
    expect_same(one, sampled(40, count_options, {0.1, 0.05}), std::to_string(threads));
    expect_same(bet, bets(count_options), std::to_string(threads));
  }
}

// Coins would take 383 successes.
TEST(GuaranteedEstimate, BetsWhereCoinsHardlyEverSucceed) {
  CountOptions count_options;
  const double truth = count(Source::from_bytes(circulant_matrix()), {}, count_options).log10;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    count_options.seed = seed;
    const EstimateResult found = bets(count_options);
    EXPECT_NEAR(std::pow(10, found.estimate->log10 - truth), 1, 0.1) << seed;
    EXPECT_LT(found.estimate->effective_samples, static_cast<double>(found.estimate->nonzero)) << seed;
    EXPECT_GT(found.estimate->effective_samples, 100) << seed;
    EXPECT_GT(found.estimate->largest_share, 1 / static_cast<double>(found.estimate->nonzero)) << seed;
    EXPECT_LT(found.estimate->largest_share, 0.1) << seed;
  }
}

TEST(GuaranteedEstimate, TheSameOnGpus) {
  CountOptions count_options;
  count_options.threads = 2;
  const EstimateResult expected = sampled(30, count_options, {0.1, 0.05});
  const EstimateResult expected_bet = bets(count_options);
  EXPECT_EQ(expected.device, "cpu");
  count_options.emulated_gpus = 3;
  struct Drawers {
    std::string device;
    int gpus;
  };
  for (const Drawers& drawers : {Drawers{"gpu", 0}, {"gpu", 1}, {"auto", 2}, {"auto", 0}}) {
    EstimateOptions options;
    options.guarantee = GuaranteeGoal{0.1, 0.05};
    options.all_sampled = true;
    options.device = drawers.device;
    options.gpus = drawers.gpus;
    const EstimateResult found =
        estimate(Source::from_bytes(random_matrix(30, 3)), {}, count_options, options);
    expect_same(found, expected, drawers.device + std::to_string(drawers.gpus));
    const EstimateResult found_bet = bets(count_options, options);
    expect_same(found_bet, expected_bet, drawers.device + std::to_string(drawers.gpus));
    if (drawers.device == "gpu") {
      EXPECT_EQ(found.device, "gpu");
      EXPECT_EQ(found_bet.device, "gpu");
    } else if (drawers.gpus == 0) {
      EXPECT_EQ(found.device, "cpu");  // too short for GPUs to be looked for
    }
  }
}

// Some hundred million trials take minutes: long enough to be watched and stopped.
TEST(GuaranteedEstimate, ShowsSuccessesAndIsInterrupted) {
  CountOptions count_options;
  count_options.threads = 2;
  std::atomic<bool> shown{false};
  double most = 0;
  count_options.progress = [&](const Progress& progress) {
    if (progress.method.find("rejection, ") == std::string::npos) return;
    EXPECT_EQ(progress.stage, "estimate");
    EXPECT_GE(progress.done, most);
    most = std::max(most, progress.done);
    EXPECT_LT(progress.done, 1);
    if (progress.done > 0) shown = true;
  };
  count_options.interrupted = [&] { return shown.load(); };
  EXPECT_THROW(sampled(40, count_options, {0.0001, 0.05}, std::numeric_limits<double>::infinity()),
               InterruptedError);
  EXPECT_TRUE(shown);
}

TEST(GuaranteedEstimate, RefusesByPredictionBeforeTheLimit) {
  try {
    sampled(40, {}, {0.0001, 0.05}, 5);
    FAIL() << "an hour of work within 5 seconds";
  } catch (const UnableError& error) {
    EXPECT_NE(std::string(error.what()).find("is predicted to take"), std::string::npos) << error.what();
  }
}

TEST(GuaranteedEstimate, RefusesGoalsBeyondItsReach) {
  for (const GuaranteeGoal& goal :
       {GuaranteeGoal{0, 0.1}, {1, 0.1}, {0.1, 0}, {0.1, 1}, {1e-6, 0.1}, {0.1, 1e-7}, {-0.1, 0.1}})
    EXPECT_THROW(sampled(5, {}, goal), UsageError) << goal.epsilon << ' ' << goal.delta;
  EXPECT_THROW(sampled(5, {}, {std::nan(""), 0.1}), UsageError);
}

}  // namespace
}  // namespace countpm
