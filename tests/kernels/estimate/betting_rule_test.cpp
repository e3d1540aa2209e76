// The rule is wrong as rarely as it says, whatever the numbers are like and whatever was forecast of them,
// and takes about as many as it expects.
#include "kernels/estimate/guarantee/betting_rule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/repeats.hpp"

namespace countpm::betting_rule_test {
namespace {

using Random = std::mt19937_64;
using testing::repeats;

constexpr unsigned bits = 8;

/// Numbers of hits, and the mean of hits 2^-bits.
struct Law {
  std::string name;
  std::function<std::uint64_t(Random&)> draw;
  double mean = 0;
  double second_moment = 0;
};

/// So many hits with such a probability, else none.
Law one_of(const std::string& name, const std::vector<std::pair<std::uint64_t, double>>& cases) {
  Law law{name, {}, 0, 0};
  for (const auto& [hits, probability] : cases) {
    const double number = std::ldexp(static_cast<double>(hits), -static_cast<int>(bits));
    law.mean += probability * number;
    law.second_moment += probability * number * number;
  }
  law.draw = [cases](Random& random) -> std::uint64_t {
    double level = std::uniform_real_distribution<double>()(random);
    for (const auto& [hits, probability] : cases) {
      if (level < probability) return hits;
      level -= probability;
    }
    return 0;
  };
  return law;
}

std::vector<Law> laws() {
  return {one_of("coin", {{256, 0.05}}), one_of("small hits", {{1, 0.3}, {2, 0.2}}),
          one_of("few small hits", {{1, 0.02}}),
          // Half of the mean comes from one number in 2,000, all that there can be.
          one_of("rare large ones", {{1, 0.128}, {256, 0.0005}}),
          one_of("spread", {{1, 0.1}, {4, 0.03}, {16, 0.01}, {64, 0.002}}),
          one_of("always the same", {{100, 1.0}})};
}

struct Stopped {
  std::uint64_t trials = 0;
  double mean = 0;
};

Stopped run(const BettingRule& rule, const Law& law, Random& random) {
  HitCounts hits;
  std::uint64_t trials = 0;
  while (true) {
    for (const std::uint64_t look = BettingRule::next_look(trials); trials < look; ++trials) {
      if (const std::uint64_t number = law.draw(random); number > 0) ++hits[number];
    }
    if (rule.holds(trials, hits)) return {trials, rule.mean(trials, hits)};
  }
}

// Forecasts as they are, and ones that saw none of the largest numbers, or far too many.
TEST(BettingRule, IsWrongAsRarelyAsItSays) {
  constexpr double epsilon = 0.5;
  constexpr double delta = 0.3;
  const int runs = repeats(400);
  for (const Law& law : laws()) {
    for (const double off : {1.0, 0.2, 5.0}) {
      const double mean = std::min(1.0, law.mean * off);
      const double second = std::min(mean, law.second_moment * off * off);
      const BettingRule rule(epsilon, delta, bits, {mean, second});
      Random random(7);
      int wrong = 0;
      for (int k = 0; k < runs; ++k) {
        const Stopped stopped = run(rule, law, random);
        if (std::abs(stopped.mean / law.mean - 1) > epsilon) ++wrong;
      }
      const double error = std::sqrt(delta * (1 - delta) / runs);
      EXPECT_LE(static_cast<double>(wrong) / runs, delta + 4 * error) << law.name << ' ' << off;
    }
  }
}

TEST(BettingRule, TakesAsManyAsExpected) {
  for (const Law& law : laws()) {
    for (const double epsilon : {0.5, 0.1, 0.05}) {
      const BettingRule rule(epsilon, 0.05, bits, {law.mean, law.second_moment});
      Random random(8);
      std::vector<double> trials;
      trials.reserve(5);
      for (int k = 0; k < 5; ++k) trials.push_back(static_cast<double>(run(rule, law, random).trials));
      std::sort(trials.begin(), trials.end());
      // Looks are 1024 apart.
      EXPECT_LT(trials[2], 1.6 * rule.expected_trials() + 1024) << law.name << ' ' << epsilon;
      EXPECT_GT(trials[2] + 1024, 0.4 * rule.expected_trials()) << law.name << ' ' << epsilon;
    }
  }
}

// Hits that tell the mean well take fewer trials than coins, which need 2 ln (2 / delta) / (epsilon^2 p).
TEST(BettingRule, SmallHitsBeatCoins) {
  const Law law = one_of("", {{1, 0.02}});
  const BettingRule rule(0.1, 0.05, bits, {law.mean, law.second_moment});
  EXPECT_LT(rule.expected_trials(), 0.15 * 383 / law.mean);
}

// Half of the mean is in numbers that no forecast has seen, or ten times as much was forecast as there is.
TEST(BettingRule, EndsWhateverWasForecast) {
  const Law rare = one_of("", {{1, 0.128}, {256, 0.0005}});
  const double bulk = 0.128 / 256;
  for (const auto& [mean, second] : {std::pair{bulk, bulk / 256},
                                     {bulk, bulk * bulk * 1.01},
                                     {1.0, 1.0},
                                     {1e-6, 1e-6},
                                     {1e-6, 1e-12},
                                     {0.01, 0.0001}}) {
    const BettingRule rule(0.2, 0.1, bits, {mean, second});
    Random random(9);
    HitCounts hits;
    std::uint64_t trials = 0;
    // 40 ln(1 / delta') / (epsilon^2 p)
    while (trials < 4'000'000 && !rule.holds(trials, hits)) {
      for (const std::uint64_t look = BettingRule::next_look(trials); trials < look; ++trials) {
        if (const std::uint64_t number = rare.draw(random); number > 0) ++hits[number];
      }
    }
    EXPECT_LT(trials, 4'000'000U) << mean << ' ' << second;
    EXPECT_NEAR(rule.mean(trials, hits) / rare.mean, 1, 0.2) << mean << ' ' << second;
  }
}

// What hardly varies is known soon: coins of that mean would take 383 / 0.39 trials, whatever delta's share.
TEST(BettingRule, SteadyNumbersTakeFew) {
  const double mean = 100.0 / 256;
  const BettingRule rule(0.1, 0.05, bits, {mean, mean * mean});
  EXPECT_LT(rule.expected_trials(), 300);
  EXPECT_TRUE(rule.holds(1024, {{100, 1024}}));
  EXPECT_FALSE(rule.holds(8, {{100, 8}}));
}

TEST(BettingRule, NothingHoldsWithoutHits) {
  const BettingRule rule(0.2, 0.1, 0, {0.001, 0.001});
  EXPECT_FALSE(rule.holds(1'000'000, {}));
  EXPECT_FALSE(rule.holds(0, {}));
}

TEST(BettingRule, LooksAtFixedNumbers) {
  std::uint64_t look = 0;
  for (int k = 0; k < 2000; ++k) {
    const std::uint64_t next = BettingRule::next_look(look);
    ASSERT_GT(next, look);
    EXPECT_EQ(next % 1024, 0U);
    EXPECT_LE(next - look, std::max<std::uint64_t>(1024, look / 64));
    EXPECT_EQ(BettingRule::next_look(next - 1), next);
    EXPECT_EQ(BettingRule::next_look(look + (next - look) / 2), next);
    look = next;
  }
}

}  // namespace
}  // namespace countpm::betting_rule_test
