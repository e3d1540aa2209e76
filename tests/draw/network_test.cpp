// Matchings and probabilities on the graph's edges, and in its matrix, read back.
#include "src/draw/network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "graph/lattices/lattice.hpp"
#include "graph/read.hpp"
#include "src/draw/matrix.hpp"
#include "test_paths.hpp"
#include "tests/draw/svg_reader.hpp"

namespace countpm::test {
namespace {

using draw::EdgeValue;

std::size_t lines_in(const boost::property_tree::ptree& root, const std::string& of_class) {
  std::size_t lines = 0;
  for (const Element& path : elements(root, "path", of_class))
    lines += subpaths(attribute(path.tree, "d")).size();
  return lines;
}

TEST(Bonds, AreAsWideAsProbableAndLabelled) {
  const Graph graph =
      read_graph(Source::from_argument(COUNTPM_SOURCE_DIR "/data/molecules/naphthalene.edgelist")).graph;
  std::vector<EdgeValue> values;
  for (std::size_t e = 0; e < graph.edges.size(); ++e)
    values.push_back({static_cast<double>(e) / 10, "label " + std::to_string(e)});
  const auto root =
      parse_svg(draw::draw_probabilities(graph, draw::planar_layout(graph).value(), values, "t", "c").svg);
  const auto edges = elements(root, "path", "edge");
  ASSERT_EQ(edges.size(), graph.edges.size());
  for (std::size_t e = 1; e < edges.size(); ++e) {
    EXPECT_GT(std::stod(attribute(edges[e].tree, "stroke-width")),
              std::stod(attribute(edges[e - 1].tree, "stroke-width")));
  }
  const auto labels = elements(only(root, "g", "labels"), "text");
  ASSERT_EQ(labels.size(), values.size());
  EXPECT_EQ(labels[3].tree.data(), "label 3");
}

TEST(Bonds, LabelsLeaveRoomForOneAnother) {
  // Corners of three triangles meet here: at the size that an edge's length allows, labels would overlap.
  const std::string spec = "kagome:4x4";
  const Graph graph = lattice_graph(spec);
  const std::vector<EdgeValue> values(graph.edges.size(), {0.25, "0.25"});
  const auto root =
      parse_svg(draw::draw_probabilities(graph, draw::lattice_layout(lattice_info(spec), graph.left_labels),
                                         values, "t", "c")
                    .svg);
  const auto boxes = elements(only(root, "g", "labels"), "rect");
  ASSERT_EQ(boxes.size(), values.size());
  const auto number = [](const Element& box, const char* name) {
    return std::stod(attribute(box.tree, name));
  };
  for (std::size_t e = 0; e < boxes.size(); ++e) {
    EXPECT_GT(number(boxes[e], "height"), 6.0) << "too small to read";
    for (std::size_t f = 0; f < e; ++f) {
      const auto apart = [&](const char* from, const char* length) {
        return std::max(number(boxes[e], from) - number(boxes[f], from) - number(boxes[f], length),
                        number(boxes[f], from) - number(boxes[e], from) - number(boxes[e], length));
      };
      EXPECT_GT(std::max(apart("x", "width"), apart("y", "height")), -0.1) << e << " and " << f;
    }
  }
}

TEST(HeatMap, EveryEdgeHasTheColourOfItsValue) {
  const std::string spec = "square:12x12";
  const Graph graph = lattice_graph(spec);
  std::vector<EdgeValue> values(graph.edges.size(), {0.25, "0.25"});
  values[0].value = 0.1;
  values[1].value = 0.9;
  const auto picture = draw::draw_probabilities(
      graph, draw::lattice_layout(lattice_info(spec), graph.left_labels), values, "t", "c");
  const auto root = parse_svg(picture.svg);
  EXPECT_EQ(lines_in(root, "level"), graph.edges.size());
  std::map<std::string, std::size_t> by_colour;
  for (const Element& group : elements(only(root, "g", "edges"), "g"))
    by_colour[attribute(group.tree, "stroke")] += lines_in(group.tree, "level");
  EXPECT_EQ(by_colour.size(), 3U);
  EXPECT_EQ(by_colour.at(draw::map_colour(0)), 1U);
  EXPECT_EQ(by_colour.at(draw::map_colour(1)), 1U);
  EXPECT_EQ(picture.legend.scale->lowest, "0.1");
  EXPECT_EQ(picture.legend.scale->highest, "0.9");
}

TEST(HeatMap, OneValueIsShownBetween0And1) {
  const draw::ValueRange range = draw::range_of({{0.25, ""}, {0.25, ""}});
  EXPECT_EQ(range.share(0.25), 0.25);
  EXPECT_EQ(draw::range_of({{-1.5, ""}}).lowest, "-2");
  const std::vector<draw::EdgeValue> decades{{0, ""}, {0.01, ""}, {0.1, ""}, {1, ""}};
  const draw::ValueRange log = draw::range_of(decades, draw::MapScale::log);
  EXPECT_EQ(log.lowest, "0.01 or less");
  EXPECT_EQ(log.highest, "1");
  EXPECT_DOUBLE_EQ(log.share(0.1), 0.5);
  EXPECT_EQ(log.share(0), 0);
  EXPECT_EQ(log.share(-1), 0);
  // Nothing is positive: as if linear.
  EXPECT_EQ(draw::range_of({{0, ""}, {-1, ""}}, draw::MapScale::log).scale, draw::MapScale::linear);
  std::vector<draw::EdgeValue> most_alike;
  most_alike.reserve(101);
  for (int k = 0; k < 100; ++k) most_alike.push_back({0.2 + 0.001 * k, ""});
  most_alike.push_back({0.9, ""});
  const draw::ValueRange clip = draw::range_of(most_alike, draw::MapScale::clip);
  EXPECT_EQ(clip.lowest, "0.202 or less");
  EXPECT_EQ(clip.highest, "0.298 or more");
  EXPECT_EQ(clip.share(0.9), 1);
  EXPECT_EQ(clip.share(0.2), 0);
  EXPECT_NEAR(clip.share(0.25), 0.5, 1e-12);
}

TEST(Matching, ChosenEdgesAreOnTop) {
  const std::string spec = "torus:4x4";
  const Graph graph = lattice_graph(spec);
  std::vector<bool> chosen(graph.edges.size(), false);
  chosen[0] = true;
  const auto root =
      parse_svg(draw::draw_matching(graph, draw::lattice_layout(lattice_info(spec), graph.left_labels),
                                    chosen, "t", "c")
                    .svg);
  // 32 edges, 8 of them over the border, in two halves each.
  EXPECT_EQ(lines_in(only(root, "g", "others"), "edge"), 31U + 8);
  EXPECT_EQ(lines_in(only(root, "g", "chosen"), "edge"), 1U);
  EXPECT_EQ(elements(only(root, "g", "vertices"), "circle").size(), 16U);
}

TEST(MatrixPicture, HasADotForEveryEntry) {
  ReadOptions directed;
  directed.kind = GraphKind::directed;
  const Graph graph = read_graph(Source::from_bytes("a b\nb c\nc a\na a\n"), directed).graph;
  const auto chosen = parse_svg(draw::draw_matching_matrix(graph, {true, true, true, false}, "t", "c").svg);
  const auto kinds = elements(chosen, "path", "kind");
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(subpaths(attribute(kinds[0].tree, "d")).size(), 1U);
  EXPECT_EQ(subpaths(attribute(kinds[1].tree, "d")).size(), 3U);
  EXPECT_EQ(attribute(kinds[1].tree, "stroke"), draw::blue.code);
  const auto values =
      parse_svg(draw::draw_probability_matrix(graph, {{0, ""}, {0.5, ""}, {1, ""}, {1, ""}}, "t", "c").svg);
  EXPECT_EQ(lines_in(values, "kind"), 4U);
  EXPECT_EQ(elements(values, "path", "kind").size(), 3U);
}

}  // namespace
}  // namespace countpm::test
