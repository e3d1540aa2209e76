// Which edges are in perfect matchings, as a picture shows it.
#include "src/draw/structure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "graph/lattices/lattice.hpp"
#include "graph/read.hpp"
#include "tests/draw/svg_reader.hpp"

namespace countpm::test::structure_picture {
namespace {

Graph graph_of(const std::string& text, std::optional<GraphKind> kind = std::nullopt) {
  ReadOptions options;
  options.kind = kind;
  return read_graph(Source::from_bytes(text), options).graph;
}

std::vector<std::string> meanings(const draw::Picture& picture) {
  std::vector<std::string> result;
  for (const draw::Swatch& swatch : picture.legend.swatches) result.push_back(swatch.meaning);
  return result;
}

/// How many lines there are in each colour.
std::map<std::string, std::size_t> lines_by_colour(const draw::Picture& picture) {
  std::map<std::string, std::size_t> lines;
  const auto root = parse_svg(picture.svg);
  for (const Element& group : elements(root, "g", "kind")) {
    for (const Element& path : elements(group.tree, "path", "edge"))
      lines[attribute(group.tree, "stroke")] += subpaths(attribute(path.tree, "d")).size();
  }
  return lines;
}

using Lines = std::map<std::string, std::size_t>;

std::string code(const draw::Colour& colour) {
  return std::string(colour.code);
}

TEST(StructurePicture, EveryEdgeHasTheColourOfItsKind) {
  // A path, whose middle edge is in no perfect matching, and a square.
  const draw::Picture picture =
      draw::draw_structure(graph_of("a b\nb c\nc d\ns t\nt u\nu v\nv s\n"), std::nullopt, "t");
  EXPECT_EQ(meanings(picture),
            (std::vector<std::string>{"in no perfect (or maximum) matching (1)",
                                      "in every perfect matching (2)", "in some perfect matchings (4)"}));
  EXPECT_EQ(lines_by_colour(picture),
            (Lines{{code(draw::red), 1}, {code(draw::deep_teal), 2}, {code(draw::blue), 4}}));
  EXPECT_EQ(picture.legend.caption, "8 vertices, 7 edges");
}

TEST(StructurePicture, GraphsWithOddCyclesAndBipartiteOnesToo) {
  // Two triangles joined by an edge, which is in every perfect matching, as the edges away from it are.
  const draw::Picture general =
      draw::draw_structure(graph_of("a b\nb c\nc a\nc d\nd e\ne f\nf d\n"), std::nullopt, "t");
  EXPECT_EQ(lines_by_colour(general), (Lines{{code(draw::red), 4}, {code(draw::deep_teal), 3}}));
  const draw::Picture bipartite = draw::draw_structure(
      graph_of("1 1\n1 2\n2 1\n2 2\n3 2\n3 3\n", GraphKind::bipartite), std::nullopt, "t");
  EXPECT_EQ(lines_by_colour(bipartite),
            (Lines{{code(draw::red), 1}, {code(draw::deep_teal), 1}, {code(draw::blue), 4}}));
}

TEST(StructurePicture, ShowsWhereTheCountIsLost) {
  // A star of three leaves beside an edge.
  const draw::Picture picture = draw::draw_structure(graph_of("c 1\nc 2\nc 3\nu v\n"), std::nullopt, "t");
  EXPECT_EQ(lines_by_colour(picture), (Lines{{code(draw::deep_yellow), 3}, {code(draw::blue), 1}}));
}

TEST(StructurePicture, LatticesLieAsTheyAre) {
  const std::string spec = "torus:4x4";
  const draw::Picture picture = draw::draw_structure(lattice_graph(spec), spec, "t");
  // 32 edges, 8 of them over the border, in two halves each.
  EXPECT_EQ(lines_by_colour(picture), (Lines{{code(draw::blue), 40}}));
  EXPECT_EQ(picture.legend.remarks.back(), "Drawn on the lattice.");
}

TEST(StructurePicture, OthersAreMatricesInBlocks) {
  std::string dense;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) dense += std::to_string(i) + " " + std::to_string(j) + "\n";
  }
  const auto views = [](const draw::Picture& picture) {
    return elements(parse_svg(picture.svg), "text", "view").size();
  };
  const Graph graph = graph_of(dense, GraphKind::bipartite);
  EXPECT_EQ(views(draw::draw_structure(graph, std::nullopt, "t")), 2U);
  EXPECT_EQ(views(draw::draw_structure_matrix(graph, OrderKind::automatic, "t")), 3U);
  EXPECT_EQ(views(draw::draw_structure(graph_of("a b\nb a\n", GraphKind::directed), std::nullopt, "t")), 2U);
}

}  // namespace
}  // namespace countpm::test::structure_picture
