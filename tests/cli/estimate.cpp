// The line of an estimate: digits and errors as they are rounded. What estimates print is in
// console/estimates.console, samplers.console and trust.console.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "apps/estimate_report.hpp"

namespace countpm::test::estimate_test {
namespace {

TEST(EstimateReport, DoubtsAreInTheLine) {
  EstimateResult result;
  result.estimate.emplace();
  Estimate& estimate = *result.estimate;
  estimate.log10 = 40.5;
  estimate.log10_sample_mean = 40.5;
  estimate.low_log10 = 39;
  estimate.high_log10 = 44;
  estimate.confidence = 0.95;
  estimate.seed = 7;
  estimate.doubt = "few";
  EXPECT_EQ(app::estimate_line(result), "about 3e+40, from 1.0e+39 to 1.0e+44 (95% confidence, seed 7)\n");
  // One digit may lie outside of the interval, two do not.
  estimate.low_log10 = 40 + std::log10(3.1);
  EXPECT_EQ(app::estimate_line(result), "about 3.2e+40, from 3.1e+40 to 1.0e+44 (95% confidence, seed 7)\n");
  estimate.low_log10 = 39;
  estimate.log10 = estimate.log10_sample_mean = 40 + std::log10(8.6);
  estimate.high_log10 = 40 + std::log10(8.69);
  EXPECT_EQ(app::estimate_line(result), "about 8.6e+40, from 1.0e+39 to 8.7e+40 (95% confidence, seed 7)\n");
  estimate.log10_sample_mean = 40.5;
  estimate.high_log10 = 44;
  estimate.log10 = 39;  // moved to the end, and shown as that is
  EXPECT_EQ(app::estimate_line(result), "about 1.0e+39, from 1.0e+39 to 1.0e+44 (95% confidence, seed 7)\n");
  estimate.log10 = -std::numeric_limits<double>::infinity();
  estimate.log10_sample_mean = estimate.log10;
  EXPECT_EQ(app::estimate_line(result), "no estimate, from 1.0e+39 to 1.0e+44 (95% confidence, seed 7)\n");
}

// What is claimed is never less than what was found.
TEST(EstimateReport, ErrorsAreRoundedUp) {
  EstimateResult result;
  Estimate& estimate = result.estimate.emplace();
  estimate.confidence = 0.95;
  const auto claimed = [&](double error) {
    estimate.relative_error = error;
    const std::string line = app::estimate_line(result);
    const std::size_t at = line.find("+- ") + 3;
    return line.substr(at, line.find(" (") - at);
  };
  EXPECT_EQ(claimed(0.0974045), "9.8%");
  EXPECT_EQ(claimed(0.10043), "11%");
  EXPECT_EQ(claimed(0.0999), "10%");
  EXPECT_EQ(claimed(0.01), "1%");
  EXPECT_EQ(claimed(0.0098), "0.98%");
  EXPECT_EQ(claimed(0.00012), "0.012%");
  EXPECT_EQ(claimed(2.31), "240%");
}

}  // namespace
}  // namespace countpm::test::estimate_test
