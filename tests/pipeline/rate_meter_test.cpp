// What is left, and how sure that is.
#include "src/watch/rate_meter.hpp"

#include <gtest/gtest.h>

#include <random>

namespace countpm {
namespace {

TEST(RateMeter, KnowsNothingBeforeSomethingIsDone) {
  RateMeter meter;
  meter.start(5, 0.25);
  meter.note(6, 0.25);
  EXPECT_LT(meter.remaining().seconds, 0);
  EXPECT_EQ(meter.rate(), 0);
}

TEST(RateMeter, AnEvenRateIsSure) {
  RateMeter meter;
  meter.start(100, 0.5);
  for (int k = 1; k <= 1000; ++k) meter.note(100 + 0.2 * k, 0.5 + 0.0002 * k);
  const RemainingTime left = meter.remaining();
  EXPECT_NEAR(meter.rate(), 0.001, 1e-9);
  EXPECT_NEAR(left.seconds, 300, 1e-3);
  EXPECT_NEAR(left.low, 300, 1);
  EXPECT_NEAR(left.high, 300, 1);
}

TEST(RateMeter, WhatAnEarlierSessionDidIsNotThisOnesRate) {
  RateMeter meter;
  meter.start(0, 0.9);
  meter.note(10, 0.91);
  EXPECT_NEAR(meter.remaining().seconds, 90, 1e-6);
}

/// Units of very different lengths: the truth lies in the range in most of many runs.
TEST(RateMeter, TheRangeHoldsTheTruthMostOfTheTime) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> length(1);
  int inside = 0;
  constexpr int runs = 400;
  constexpr int units = 200;
  for (int run = 0; run < runs; ++run) {
    double time = 0;
    double half_time = 0;
    RateMeter meter;
    meter.start(0, 0);
    RemainingTime left;
    for (int unit = 1; unit <= units; ++unit) {
      time += length(random);
      meter.note(time, static_cast<double>(unit) / units);
      if (unit == units / 2) {
        half_time = time;
        left = meter.remaining();
      }
    }
    const double truth = time - half_time;
    ASSERT_LE(left.low, left.seconds);
    ASSERT_GE(left.high, left.seconds);
    inside += left.low <= truth && truth <= left.high ? 1 : 0;
  }
  EXPECT_GT(inside, runs * 6 / 10);
}

TEST(RateMeter, ARateThatMayBeZeroHasNoLatestEnd) {
  RateMeter meter;
  meter.start(0, 0);
  for (int k = 1; k <= 10; ++k) meter.note(k, k < 10 ? 0 : 0.1);
  EXPECT_GT(meter.remaining().low, 0);
  EXPECT_LT(meter.remaining().high, 0);
}

}  // namespace
}  // namespace countpm
