// An estimate beside what is certain: what contradicts it is in doubt, or never shown.
#include "src/checks/estimate_checks.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "graph/errors.hpp"
#include "src/estimate/joined_estimate.hpp"

namespace countpm {
namespace {

TEST(EstimateChecks, NestingBounds) {
  CertifiedBounds bounds;
  bounds.log2_lower = 20;
  bounds.log2_upper = 30;
  Checks checks;
  verify_nesting_bound(20 - 1e-9, bounds, checks);  // by rounding
  verify_nesting_bound(25, bounds, checks);
  ASSERT_EQ(checks.list().size(), 1U);
  EXPECT_TRUE(checks.list()[0].ran);
  try {
    verify_nesting_bound(19.9, bounds, checks);
    FAIL() << "the bound of the rejection is below what the block has";
  } catch (const CheckError& error) {
    EXPECT_NE(std::string(error.what()).find("at least 2^20"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("2^19.9"), std::string::npos) << error.what();
  }
}

TEST(EstimateChecks, Intervals) {
  Checks checks;
  for (const IntervalWithinBounds& meets :
       {IntervalWithinBounds{4, 3, 5, 4, 9}, {10, 8, 12, 4, 9}, {5.5, 5, 6, 4, 9}, {3.5, 3, 4, 4, 9}}) {
    EXPECT_FALSE(meets.misses());
    verify_interval(meets, false, checks);
  }
  EXPECT_TRUE((IntervalWithinBounds{3.5, 3, 3.9, 4, 9}).misses());
  EXPECT_TRUE((IntervalWithinBounds{9.5, 9.1, 10, 4, 9}).misses());
  Checks doubtful;
  verify_interval({9.5, 9.1, 10, 4, 9}, true, doubtful);
  ASSERT_EQ(doubtful.list().size(), 1U);
  EXPECT_FALSE(doubtful.list()[0].ran);
  EXPECT_FALSE(doubtful.list()[0].detail.empty());
  for (const bool doubt : {false, true})
    EXPECT_THROW(verify_interval({15.1, 15, 15.2, 4, 9}, doubt, doubtful), CheckError);
}

SampledMean steady_mean(double log10) {
  SampledMean mean;
  mean.log_mean = log10 * std::log(10.0);
  mean.variance = 1e-6;
  mean.effective = 1000;
  return mean;
}

// Samples that are all alike and never met what weighs most, or an interval that misses by chance: no alarm.
TEST(EstimateChecks, AnIntervalBeyondTheBoundsIsInDoubt) {
  for (const double log10 : {20.0, 39.9, 42.0}) {
    Checks checks;
    const Estimate estimate = estimate_of_mean(steady_mean(log10), 0, 40, 41, 0.95, checks);
    EXPECT_NE(estimate.doubt.find("misses the certified bounds"), std::string::npos) << estimate.doubt;
    EXPECT_GE(estimate.low_log10, 40);
    EXPECT_NEAR(estimate.high_log10, 41, 1e-6);  // rounded outwards
    EXPECT_GE(estimate.log10, estimate.low_log10);
    EXPECT_LE(estimate.log10, estimate.high_log10);
    EXPECT_TRUE(std::isinf(estimate.relative_error));
    EXPECT_TRUE(was_moved(estimate));
    ASSERT_EQ(checks.list().size(), 1U);
    EXPECT_FALSE(checks.list()[0].ran);
  }
  Checks checks;
  EXPECT_TRUE(estimate_of_mean(steady_mean(40.5), 0, 40, 41, 0.95, checks).doubt.empty());
  EXPECT_TRUE(checks.list()[0].ran);
}

}  // namespace
}  // namespace countpm
