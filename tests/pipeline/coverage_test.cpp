// How often whole estimates hold: those that stop at a relative error, which look at their interval again and
// again, and guarantees that are divided among blocks.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "kernels/estimate/samples/sampler.hpp"
#include "src/estimate/estimate.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

/// Two blocks of n rows on the diagonal, of density 0.6, as dense text.
std::string two_blocks(int n, unsigned seed) {
  std::minstd_rand random(seed);
  std::string text;
  for (int i = 0; i < 2 * n; ++i) {
    for (int j = 0; j < 2 * n; ++j) {
      const bool drawn = (random() >> 8) % 10 < 6;
      text += i == j || (drawn && i / n == j / n) ? "1 " : "0 ";
    }
    text += '\n';
  }
  return text;
}

CountOptions quiet_options() {
  CountOptions options;
  options.threads = 1;
  for (const RuleInfo& rule : rules()) options.rules.drop(rule.rule);
  return options;
}

/// Of so many runs, seeds 1, 2, ..., how many intervals do not hold the count.
int missed(const EstimateOptions& options, int runs) {
  const Source source = Source::from_bytes(two_blocks(9, 4));
  CountOptions count_options = quiet_options();
  const double truth = count(source, {}, count_options).log10;
  int misses = 0;
  for (int run = 1; run <= runs; ++run) {
    count_options.seed = static_cast<std::uint64_t>(run);
    const EstimateResult result = estimate(source, {}, count_options, options);
    EXPECT_TRUE(result.estimate->doubt.empty());
    const bool held =
        result.estimate->low_log10 <= truth + 1e-9 && result.estimate->high_log10 >= truth - 1e-9;
    if (!held) ++misses;
  }
  return misses;
}

EstimateOptions until_error(SamplerKind kind) {
  EstimateOptions options;
  options.all_sampled = true;
  options.relative_error = 0.1;
  options.sampler.kind = kind;
  options.sampler.tail_rows = 0;
  options.time_limit_seconds = std::numeric_limits<double>::infinity();
  if (kind == SamplerKind::population) {
    options.sampler.tail_rows.reset();
    options.sampler.population = 4;
  }
  return options;
}

// 5 % and more than four standard deviations of that: of 1,000 runs 8 %.
TEST(LongEstimateCoverage, StoppedAtARelativeErrorHoldsIn92Percent) {
  const int runs = testing::repeats(1000);
  const double most = 0.05 * runs + 4.36 * std::sqrt(0.05 * 0.95 * runs);
  for (const SamplerKind kind : {SamplerKind::rasmussen, SamplerKind::rasmussen_plus, SamplerKind::scaling,
                                 SamplerKind::scaling_plus, SamplerKind::population})
    EXPECT_LE(missed(until_error(kind), runs), most) << sampler_info(kind).name;
}

TEST(EstimateCoverage, StoppedAtARelativeErrorHolds) {
  // 8 % and four standard deviations of that.
  EXPECT_LE(missed(until_error(SamplerKind::rasmussen_plus), 100), 8 + 11);
}

EstimateOptions guaranteed(double epsilon, double delta) {
  EstimateOptions options;
  options.all_sampled = true;
  options.guarantee = GuaranteeGoal{epsilon, delta};
  options.time_limit_seconds = 600;
  return options;
}

/// Of the runs at most a share of delta, and four standard deviations of that, may miss; the interval is the
/// guarantee.
void expect_guarantee(double epsilon, double delta, int runs) {
  const double most = runs * delta + 4 * std::sqrt(runs * delta * (1 - delta));
  EXPECT_LE(missed(guaranteed(epsilon, delta), runs), most) << epsilon << ' ' << delta;
}

TEST(LongEstimateCoverage, GuaranteesOfSeveralBlocksFailNoMoreOftenThanDelta) {
  expect_guarantee(0.3, 0.1, testing::repeats(250));
  expect_guarantee(0.5, 0.3, testing::repeats(250));
}

TEST(EstimateCoverage, GuaranteesOfSeveralBlocksHold) {
  expect_guarantee(0.5, 0.3, 12);
}

}  // namespace
}  // namespace countpm
