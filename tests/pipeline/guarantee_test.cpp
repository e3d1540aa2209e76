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

TEST(GuaranteedEstimate, TheSameForAnyNumberOfThreads) {
  CountOptions count_options;
  count_options.threads = 1;
  const EstimateResult one = sampled(40, count_options, {0.1, 0.05});
  ASSERT_TRUE(one.estimate && one.estimate->guarantee);
  for (const int threads : {2, 3, 7}) {
    count_options.threads = threads;
    const EstimateResult other = sampled(40, count_options, {0.1, 0.05});
    EXPECT_EQ(one.estimate->log10, other.estimate->log10) << threads;
    EXPECT_EQ(one.estimate->samples, other.estimate->samples) << threads;
  }
}

TEST(GuaranteedEstimate, TheSameOnGpus) {
  CountOptions count_options;
  count_options.threads = 2;
  const EstimateResult expected = sampled(30, count_options, {0.1, 0.05});
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
    EXPECT_EQ(found.estimate->log10, expected.estimate->log10) << drawers.device << drawers.gpus;
    EXPECT_EQ(found.estimate->samples, expected.estimate->samples) << drawers.device << drawers.gpus;
    if (drawers.device == "gpu") {
      EXPECT_EQ(found.device, "gpu");
    } else if (drawers.gpus == 0) {
      EXPECT_EQ(found.device, "cpu");  // too short for GPUs to be looked for
    }
  }
}

// 383 million successes take an hour: long enough to be watched and stopped.
TEST(GuaranteedEstimate, ShowsSuccessesAndIsInterrupted) {
  CountOptions count_options;
  count_options.threads = 2;
  std::atomic<bool> shown{false};
  double most = 0;
  count_options.progress = [&](const Progress& progress) {
    if (progress.method.find("successes") == std::string::npos) return;
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
