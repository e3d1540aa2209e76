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
  row.estimate.log10 = row.estimate.samples_log10 = log10;
  row.estimate.low_log10 = low;
  row.estimate.high_log10 = high;
  row.estimate.confidence = 0.95;
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
  return std::stod(attribute(point.tree, "cy"));
}

TEST(ComparePlot, EstimatesOverTheExactCount) {
  const draw::Picture picture =
      compare_plot({input(3, {row("scaling", 100, 3.1, 2.9, 3.2), row("scaling", 1000, 2.99, 2.95, 3.02),
                              row("rasmussen", 100, 3.0, 2.5, 3.3)})});
  const auto root = parse_svg(picture.svg);
  const auto points = elements(root, "circle", "point");
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(elements(root, "path", "curve").size(), 2U);
  EXPECT_EQ(elements(root, "path", "band").size(), 1U);  // a single point has no band
  const auto levels = elements(root, "line", "level");
  ASSERT_EQ(levels.size(), 1U);
  const double exact = std::stod(attribute(levels[0].tree, "y1"));
  EXPECT_LT(height(points[0]), exact);  // above it
  EXPECT_GT(height(points[1]), exact);
  EXPECT_NEAR(height(points[2]), exact, 0.1);
  ASSERT_EQ(picture.legend.swatches.size(), 2U);
  EXPECT_EQ(picture.legend.swatches[0].meaning, "scaling");
  EXPECT_NE(picture.legend.caption.find("95 %"), std::string::npos);
}

TEST(ComparePlot, AFactorOfTenMakesItLogarithmic) {
  const auto heights = [](double low) {
    const auto root = parse_svg(compare_plot({input(20, {row("scaling", 100, 20.3, low, 20.6),
                                                         row("scaling", 1000, 19.7, 19.6, 20.6)})})
                                    .svg);
    const auto points = elements(root, "circle", "point");
    const double exact = std::stod(attribute(elements(root, "line", "level").at(0).tree, "y1"));
    return std::pair(exact - height(points.at(0)), height(points.at(1)) - exact);
  };
  const auto [above, below] = heights(18.5);  // 2 and 1/2 are as far from 1
  EXPECT_NEAR(above, below, 0.1);
  const auto [linear_above, linear_below] = heights(19.5);
  EXPECT_NEAR(linear_above, 2 * linear_below, 0.5);
}

TEST(ComparePlot, AnIntervalInDoubtIsCutOff) {
  ComparedEstimate doubtful = row("rasmussen", 100, 3.05, 1, 40);
  doubtful.estimate.doubt = "few samples";
  const auto plain = compare_plot({input(3, {row("scaling", 100, 3.1, 2.9, 3.2)})});
  const auto both = compare_plot({input(3, {row("scaling", 100, 3.1, 2.9, 3.2), doubtful})});
  const auto points = [](const draw::Picture& picture) {
    return elements(parse_svg(picture.svg), "circle", "point");
  };
  ASSERT_EQ(points(both).size(), 2U);
  EXPECT_DOUBLE_EQ(height(points(both)[0]), height(points(plain)[0]));
  EXPECT_EQ(plain.legend.remarks.size() + 1, both.legend.remarks.size());
}

TEST(ComparePlot, MovedPointsAreRings) {
  ComparedEstimate moved = row("rasmussen", 100, 3.05, 2.9, 3.05);
  moved.estimate.samples_log10 = 3.2;
  const auto plain = compare_plot({input(3, {row("rasmussen", 100, 3.05, 2.9, 3.05)})});
  const auto both = compare_plot({input(3, {row("rasmussen", 50, 3.1, 2.9, 3.2), moved})});
  EXPECT_EQ(elements(parse_svg(plain.svg), "circle", "ring").size(), 0U);
  EXPECT_EQ(elements(parse_svg(both.svg), "circle", "ring").size(), 1U);
  EXPECT_EQ(elements(parse_svg(both.svg), "circle", "point").size(), 1U);
  EXPECT_EQ(plain.legend.remarks.size() + 1, both.legend.remarks.size());
}

TEST(ComparePlot, ZerosAndInputsWithoutAnExactCount) {
  const draw::Picture picture = compare_plot(
      {input(2, {row("rasmussen", 100, -infinity, -infinity, 3)}),
       input({}, {row("rasmussen", 100, 500, 499, 501), row("rasmussen", 200, 500.5, 500, 501)})});
  const auto root = parse_svg(picture.svg);
  EXPECT_EQ(elements(root, "circle", "point").size(), 2U);
  EXPECT_EQ(elements(root, "line", "level").size(), 1U);
  EXPECT_EQ(picture.legend.remarks.size(), 2U);
}

TEST(ComparePlot, ColoursAreEnoughForEverySampler) {
  EXPECT_LE(samplers().size(), draw::curves.size());
}

}  // namespace
}  // namespace countpm::test
