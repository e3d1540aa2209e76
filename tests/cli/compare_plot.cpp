// The plot of a comparison, read back.
#include "apps/compare_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/estimate/samples/sampler.hpp"
#include "src/draw/colours.hpp"
#include "tests/draw/svg_reader.hpp"

namespace countpm::test {
namespace {

using namespace app;

constexpr double infinity = std::numeric_limits<double>::infinity();

ComparedEstimate row(const std::string& sampler, std::uint64_t samples, double log10, double low,
                     double high) {
  ComparedEstimate row;
  row.sampler = sampler;
  row.samples = row.estimate.samples = samples;
  row.estimate.log10 = row.estimate.log10_sample_mean = log10;
  row.estimate.low_log10 = low;
  row.estimate.high_log10 = high;
  row.estimate.confidence = 0.95;
  row.estimate.relative_error = std::pow(10, high - log10) - 1;
  row.seconds = static_cast<double>(samples) / 100;
  return row;
}

ComparedInput input(std::optional<double> exact_log10, std::vector<ComparedEstimate> estimates) {
  ComparedInput input;
  input.start.input.path = "made up";
  if (exact_log10) input.start.exact.emplace().log10 = *exact_log10;
  input.estimates = std::move(estimates);
  return input;
}

double height(const Element& point) {
  return middle_of(point).second;
}

TEST(ComparePlot, EstimatesOverTheExactCount) {
  const draw::Picture picture =
      compare_plot({input(3, {row("scaling", 100, 3.1, 2.9, 3.2), row("scaling", 1000, 2.99, 2.95, 3.02),
                              row("rasmussen", 100, 3.0, 2.5, 3.3)})});
  const auto root = parse_svg(picture.svg);
  const auto points = elements(root, "path", "point");
  ASSERT_EQ(points.size(), 6U);  // and as many errors
  EXPECT_EQ(elements(root, "path", "curve").size(), 4U);
  EXPECT_EQ(elements(root, "path", "bar").size(), 3U);
  EXPECT_TRUE(elements(root, "path", "band").empty());
  const auto levels = elements(root, "line", "level");
  ASSERT_EQ(levels.size(), 1U);
  const double exact = std::stod(attribute(levels[0].tree, "y1"));
  EXPECT_LT(height(points[0]), exact);  // above it
  EXPECT_GT(height(points[1]), exact);
  EXPECT_NEAR(height(points[2]), exact, 0.1);
  // Ten times as far below as above, as logarithms are.
  EXPECT_NEAR((exact - height(points[0])) / (height(points[1]) - exact), 10, 0.5);
  // Seconds: 1 and 10 of 100 and 1000 samples.
  EXPECT_LT(middle_of(points[0]).first, middle_of(points[1]).first);
  ASSERT_EQ(picture.legend.swatches.size(), 2U);
  EXPECT_EQ(picture.legend.swatches[0].meaning, "scaling");
  EXPECT_NE(picture.legend.caption.find("95 %"), std::string::npos);
}

TEST(ComparePlot, DoubtsClaimNoError) {
  ComparedEstimate doubtful = row("rasmussen", 100, 3.05, 1, 40);
  doubtful.estimate.doubt = "few samples";
  const auto plain = compare_plot({input(3, {row("scaling", 100, 3.1, 2.9, 3.2)})});
  const auto both = compare_plot({input(3, {row("scaling", 100, 3.1, 2.9, 3.2), doubtful})});
  const auto root = parse_svg(both.svg);
  const auto points = elements(root, "path", "point");
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(elements(root, "path", "ring").size(), 1U);
  EXPECT_EQ(elements(root, "path", "bar").size(), 1U);
  EXPECT_DOUBLE_EQ(height(points[0]), height(elements(parse_svg(plain.svg), "path", "point").at(0)));
  EXPECT_EQ(plain.legend.remarks.size() + 1, both.legend.remarks.size());
  const auto alone = parse_svg(compare_plot({input(3, {doubtful})}).svg);
  EXPECT_EQ(elements(alone, "g", "panel").size(), 1U);  // no errors to show
}

TEST(ComparePlot, MovedPointsAndMissesAreRings) {
  ComparedEstimate moved = row("rasmussen", 100, 3.05, 2.9, 3.05);
  moved.estimate.log10_sample_mean = 3.2;
  const auto plain = compare_plot({input(3, {row("rasmussen", 100, 3.05, 2.9, 3.05)})});
  const auto both = compare_plot({input(3, {row("rasmussen", 50, 3.1, 2.9, 3.2), moved})});
  EXPECT_EQ(elements(parse_svg(plain.svg), "path", "ring").size(), 0U);
  EXPECT_EQ(elements(parse_svg(both.svg), "path", "ring").size(), 1U);
  EXPECT_EQ(plain.legend.remarks.size() + 1, both.legend.remarks.size());
  ComparedEstimate missed = row("rasmussen", 100, 3.05, 3.01, 3.09);
  missed.covered = false;
  const auto miss = compare_plot({input(3, {missed})});
  EXPECT_EQ(elements(parse_svg(miss.svg), "path", "ring").size(), 1U);
  EXPECT_EQ(plain.legend.remarks.size() + 1, miss.legend.remarks.size());
}

TEST(ComparePlot, ZerosAndInputsWithoutAnExactCount) {
  const draw::Picture picture = compare_plot(
      {input(2, {row("rasmussen", 100, -infinity, -infinity, 3)}),
       input({}, {row("rasmussen", 100, 500, 499, 501), row("rasmussen", 200, 500.5, 500, 501)})});
  const auto root = parse_svg(picture.svg);
  EXPECT_EQ(elements(root, "path", "point").size(), 4U);
  EXPECT_EQ(elements(root, "line", "level").size(), 1U);
  EXPECT_EQ(elements(root, "g", "panel").size(), 3U);
  EXPECT_EQ(picture.legend.remarks.size(), 2U);
}

TEST(ComparePlot, ColoursAreEnoughForEverySampler) {
  EXPECT_LE(samplers().size(), draw::curves.size());
}

}  // namespace
}  // namespace countpm::test
