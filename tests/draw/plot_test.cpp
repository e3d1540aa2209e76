// Plots, read back.
#include "src/draw/plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "tests/draw/svg_reader.hpp"

namespace countpm::test {
namespace {

using namespace draw;

constexpr double infinity = std::numeric_limits<double>::infinity();

double coordinate(const Element& element, const std::string& name) {
  return std::stod(attribute(element.tree, name));
}

Panel panel() {
  Panel result;
  result.title = "a & b";
  result.x = {"samples", true, {}, {}};
  result.y = {"ratio", false, {}, {}};
  result.curves = {{"one", blue, {{100, 0.9, 0.7, 1.1}, {1000, 1.02, 0.95, 1.1}, {10000, 1.001, 0.99, 1.01}}},
                   {"two", red, {{100, 1.5, 0, infinity}, {1000, std::nan(""), 0, 1}, {10000, 1.1, 1, 1.2}}}};
  result.levels = {{1, "exact"}};
  return result;
}

boost::property_tree::ptree drawn(const std::vector<Panel>& panels) {
  return parse_svg(draw_panels(panels, {"title", "caption", {{blue, "one"}, {red, "two"}}, {}, {}}).svg);
}

TEST(Plot, LinearTicksAreRound) {
  EXPECT_EQ(linear_ticks(0, 1, 7), (std::vector<double>{0, 0.2, 0.2 * 2, 0.2 * 3, 0.2 * 4, 1}));
  EXPECT_EQ(linear_ticks(-12, 37, 6), (std::vector<double>{-10, 0, 10, 20, 30}));
  EXPECT_EQ(linear_ticks(0.16, 0.31, 4), (std::vector<double>{0.05 * 4, 0.05 * 5, 0.05 * 6}));
  for (const double width : {1e-9, 0.3, 1.0, 7.0, 99.0, 1e12}) {
    for (int most = 2; most < 12; ++most) {
      const auto ticks = linear_ticks(0.377 * width, 1.377 * width, most);
      EXPECT_LE(ticks.size(), static_cast<std::size_t>(most)) << width;
      EXPECT_GE(ticks.size(), most > 2 ? 1U : 0U) << width;
    }
  }
}

TEST(Plot, DecadeTicks) {
  EXPECT_EQ(decade_ticks(80, 12000, 7), (std::vector<double>{100, 1000, 10000}));
  EXPECT_EQ(decade_ticks(3, 40, 7), (std::vector<double>{5, 10, 20}));
  EXPECT_EQ(decade_ticks(100, 100000, 7), (std::vector<double>{100, 1000, 10000, 100000}));
  EXPECT_EQ(decade_ticks(1, 1e12, 4).size(), 4U);
  EXPECT_LE(decade_ticks(1e-30, 1e40, 5).size(), 5U);
}

TEST(Plot, PointsStandWhereTheyBelong) {
  const auto root = drawn({panel()});
  const auto points = elements(root, "path", "point");
  ASSERT_EQ(points.size(), 5U);  // the one that is not finite is left out
  // A logarithmic x: equal ratios are equal distances. y grows upwards.
  const double step = middle_of(points[1]).first - middle_of(points[0]).first;
  EXPECT_NEAR(middle_of(points[2]).first - middle_of(points[1]).first, step, 0.01);
  EXPECT_NEAR(middle_of(points[4]).first - middle_of(points[3]).first, 2 * step, 0.01);
  EXPECT_GT(middle_of(points[0]).second, middle_of(points[1]).second);
  EXPECT_LT(middle_of(points[3]).second, middle_of(points[1]).second);
  EXPECT_EQ(attribute(points[0].tree, "fill"), blue.code);
  EXPECT_EQ(attribute(points[4].tree, "fill"), red.code);
  const auto level = only(root, "line", "level");
  const double one = std::stod(attribute(level, "y1"));
  EXPECT_LT(middle_of(points[1]).second, one);
  EXPECT_GT(middle_of(points[0]).second, one);
  // Its name is beside the frame, where no curve ends.
  const auto name = only(root, "text", "level-name");
  EXPECT_GT(std::stod(attribute(name, "x")), std::stod(attribute(level, "x2")));
  EXPECT_EQ(name.data(), "exact");
  EXPECT_EQ(elements(root, "path", "curve").size(), 2U);
  EXPECT_EQ(elements(root, "path", "band").size(), 2U);
  EXPECT_EQ(elements(root, "text", "x-tick").size(), 3U);
}

// In grey, too: each of as many curves as there are colours has its own mark and dashes.
TEST(Plot, MarksAndDashesTellCurvesApart) {
  Panel many = panel();
  many.curves.clear();
  Legend legend{"title", "caption", {}, {}, {}};
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const auto y = static_cast<double>(k);
    many.curves.push_back({"curve", curves[k], {{100, y, y, y}, {1000, y, y, y}}});
    legend.swatches.push_back({curves[k], "curve", k});
  }
  const auto root = parse_svg(draw_panels({many}, legend).svg);
  const auto marks = elements(root, "path", "point");
  const auto lines = elements(root, "path", "curve");
  const auto samples = elements(root, "path", "sample");
  const auto swatches = elements(root, "line", "swatch");
  ASSERT_EQ(marks.size(), 2 * curves.size());
  ASSERT_EQ(lines.size(), curves.size());
  ASSERT_EQ(samples.size(), curves.size());
  const auto shape = [](const Element& mark) {
    const std::string data = attribute(mark.tree, "d");
    return data.substr(data.find('m'));
  };
  std::set<std::string> kinds;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const std::string dashes = attribute(lines[k].tree, "stroke-dasharray");
    kinds.insert(shape(marks[2 * k]) + dashes);
    EXPECT_EQ(shape(marks[2 * k]), shape(samples[k]));
    EXPECT_EQ(dashes, attribute(swatches[k].tree, "stroke-dasharray"));
  }
  EXPECT_EQ(kinds.size(), curves.size());
}

TEST(Plot, PanelsDoNotOverlap) {
  const auto root = drawn({panel(), panel(), panel()});
  const auto levels = elements(root, "line", "level");
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_NEAR(coordinate(levels[2], "y1") - coordinate(levels[1], "y1"),
              coordinate(levels[1], "y1") - coordinate(levels[0], "y1"), 0.01);
  EXPECT_GT(coordinate(levels[1], "y1") - coordinate(levels[0], "y1"), 200);
}

TEST(Plot, FixedAxesAndNothingToShow) {
  Panel empty = panel();
  empty.curves = {{"none", blue, {}}, {"nowhere", red, {{-1, 1}, {0, 1}}}};
  EXPECT_TRUE(elements(drawn({empty}), "path", "point").empty());
  Panel fixed = panel();
  fixed.y.least = 0;
  fixed.y.most = 2;
  const auto root = drawn({fixed});
  const auto ticks = elements(root, "text", "y-tick");
  ASSERT_EQ(ticks.size(), 5U);
  EXPECT_EQ(ticks.front().tree.data(), "0");
  EXPECT_EQ(ticks.back().tree.data(), "2");
}

}  // namespace
}  // namespace countpm::test
