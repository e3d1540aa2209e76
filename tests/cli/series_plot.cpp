// The plot of a series, read back.
#include "apps/series_plot.hpp"

#include <gtest/gtest.h>

#include "src/api/entries.hpp"
#include "test_paths.hpp"
#include "tests/draw/svg_reader.hpp"

namespace countpm::test {
namespace {

using namespace app;

struct Plotted {
  draw::Picture picture;
  boost::property_tree::ptree root;
};

Plotted plotted(const std::vector<std::string>& arguments) {
  const Series series = series_items(arguments);
  std::vector<SeriesRow> rows;
  for (const SeriesItem& item : series.items)
    rows.push_back(series_row(item, count(Source::from_argument(item.input), {}, {})));
  Plotted plot;
  plot.picture = series_plot(series, rows);
  plot.root = parse_svg(plot.picture.svg);
  return plot;
}

TEST(SeriesPlot, APointForEveryLatticeWithMatchings) {
  const Plotted plot = plotted({"lattice:square:2x2..8x8", "lattice:aztec:1..3"});
  const auto points = elements(plot.root, "path", "point");
  ASSERT_EQ(points.size(), 4U + 3U);  // odd squares have none
  EXPECT_EQ(elements(plot.root, "path", "curve").size(), 2U);
  EXPECT_EQ(elements(plot.root, "line", "level").size(), 2U);
  // Larger lattices further left, and higher; Aztec diamonds all at one height.
  std::vector<std::pair<double, double>> at;
  at.reserve(points.size());
  for (const Element& point : points) {
    at.push_back(middle_of(point));
  }
  for (std::size_t k = 1; k < 4; ++k) {
    EXPECT_GT(at[k].first, at[k - 1].first);
    EXPECT_GT(at[k].second, at[k - 1].second);
  }
  EXPECT_EQ(at[4].second, at[6].second);
  ASSERT_EQ(plot.picture.legend.swatches.size(), 2U);
  EXPECT_EQ(plot.picture.legend.swatches[1].meaning, "lattice:aztec:1..3");
  ASSERT_EQ(plot.picture.legend.remarks.size(), 2U);
  EXPECT_NE(plot.picture.legend.remarks[0].find("0.2915609"), std::string::npos);
}

TEST(SeriesPlot, SingleInputsStandOverTheirVertices) {
  const std::string molecules = COUNTPM_SOURCE_DIR "/data/molecules/";
  const Plotted plot = plotted({molecules + "benzene.edgelist", molecules + "coronene.edgelist",
                                "lattice:square:2x2..4x4:weights=1,1"});
  EXPECT_EQ(elements(plot.root, "path", "point").size(), 4U);
  EXPECT_EQ(elements(plot.root, "path", "curve").size(), 1U);  // of the range; molecules are not joined
  EXPECT_TRUE(elements(plot.root, "line", "level").empty());
}

}  // namespace
}  // namespace countpm::test
