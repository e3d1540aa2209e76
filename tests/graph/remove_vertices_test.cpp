// Vertices taken away from graphs of every kind.
#include "graph/kinds/remove_vertices.hpp"

#include <gtest/gtest.h>

#include "graph/errors.hpp"
#include "graph/lattices/lattice.hpp"
#include "graph/read.hpp"

namespace countpm::remove_vertices_test {
namespace {

ReadResult read(const std::string& text, const std::vector<std::string>& remove, ReadOptions options = {}) {
  options.remove = remove;
  return read_graph(Source::from_bytes(text, "graph.txt"), options);
}

std::vector<std::string> edges_of(const Graph& graph) {
  std::vector<std::string> edges;
  const LabelTable& right = graph.kind == GraphKind::bipartite ? graph.right_labels : graph.left_labels;
  for (const Edge& edge : graph.edges)
    edges.push_back(graph.left_labels.label(edge.from) + " " + right.label(edge.to));
  return edges;
}

std::string refusal(const std::string& text, const std::vector<std::string>& remove,
                    ReadOptions options = {}) {
  try {
    read(text, remove, std::move(options));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

using Texts = std::vector<std::string>;
const std::string path = "a b\nb c\nc d\nd e\n";

TEST(RemoveVertices, WithTheirEdges) {
  const ReadResult result = read(path, {"b"});
  EXPECT_EQ(edges_of(result.graph), (Texts{"c d", "d e"}));
  EXPECT_EQ(result.graph.left_labels.size(), 4U);
  EXPECT_EQ(result.graph.left_labels.label(0), "a");  // without an edge, but still there
  EXPECT_EQ(result.info.vertices_removed, 1U);
  EXPECT_EQ(edges_of(read(path, {"a,e"}).graph), (Texts{"b c", "c d"}));
  EXPECT_EQ(edges_of(read(path, {"a", "b,c", "e"}).graph), Texts{});
  EXPECT_EQ(edges_of(read(path, {}).graph).size(), 4U);
  ReadOptions corner;
  corner.remove = {"r0c0"};
  EXPECT_EQ(edges_of(read_graph(Source::from_argument("lattice:square:2x2"), corner).graph),
            (Texts{"r0c1 r1c1", "r1c0 r1c1"}));
}

TEST(RemoveVertices, LabelsWithCommas) {
  EXPECT_EQ(edges_of(read("1,1 1,2\n1,2 2,2\n2,2 1\n", {"1,2"}).graph), Texts{"2,2 1"});
  EXPECT_NE(refusal("1,1 1,2\n", {"1,1,1,2"}).find("no vertex \"1\""), std::string::npos);
}

TEST(RemoveVertices, PlusSignsAsInALatticeSpec) {
  EXPECT_EQ(edges_of(read(path, {"a+e"}).graph), (Texts{"b c", "c d"}));
  EXPECT_EQ(edges_of(read(path, {"a+b,e"}).graph), Texts{"c d"});
  // A label with a plus sign is itself.
  EXPECT_EQ(edges_of(read("a+b c\na d\nb d\n", {"a+b"}).graph), (Texts{"a d", "b d"}));
  EXPECT_NE(refusal(path, {"a+f"}).find("no vertex \"f\" (labels are like a)"), std::string::npos);
  EXPECT_EQ(edges_of(lattice_graph("square:2x2:remove=r0c0,r1c1")), Texts{});
  EXPECT_EQ(lattice_graph("square:2x3:remove=r0c0,r1c1+r0c1").edges.size(), 1U);
}

TEST(RemoveVertices, WeightsFollowTheirEdges) {
  ReadOptions weights;
  weights.weights = true;
  const Graph integers = read("a b 1\nb c 2\nc d 3\nd a 4\n", {"b"}, weights).graph;
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(integers.values), (std::vector<std::int64_t>{3, 4}));
  const Graph fractions = read("a b 1/2\nb c 2/3\nc d 3/4\nd a 4/5\n", {"a"}, weights).graph;
  EXPECT_EQ(std::get<std::vector<mpq_class>>(fractions.values),
            (std::vector<mpq_class>{mpq_class(2, 3), mpq_class(3, 4)}));
}

TEST(RemoveVertices, SidesHaveNamesOfTheirOwn) {
  ReadOptions bipartite;
  bipartite.kind = GraphKind::bipartite;
  const std::string text = "1 1\n1 2\n2 1\n2 x\n";
  EXPECT_EQ(edges_of(read(text, {"left:1"}, bipartite).graph), (Texts{"2 1", "2 x"}));
  EXPECT_EQ(edges_of(read(text, {"right:1"}, bipartite).graph), (Texts{"1 2", "2 x"}));
  EXPECT_EQ(edges_of(read(text, {"left:2,right:2"}, bipartite).graph), Texts{"1 1"});
  EXPECT_EQ(edges_of(read(text, {"x"}, bipartite).graph).size(), 3U);
  EXPECT_NE(refusal(text, {"1"}, bipartite).find("left:1 or right:1"), std::string::npos);
  EXPECT_NE(refusal(text, {"left:x"}, bipartite).find("no vertex \"left:x\""), std::string::npos);
  EXPECT_NE(refusal(text, {"x,right:x"}, bipartite).find("given twice"), std::string::npos);
  // Rows and columns of a matrix.
  const Graph matrix = read("111\n111\n111\n", {"left:2,right:3"}).graph;
  EXPECT_EQ(edges_of(matrix), (Texts{"1 1", "1 2", "3 1", "3 2"}));
}

TEST(RemoveVertices, DirectedVerticesGoWithBothTheirEnds) {
  ReadOptions directed;
  directed.kind = GraphKind::directed;
  EXPECT_EQ(edges_of(read("a b\nb a\nb c\nc a\nc c\n", {"b"}, directed).graph), (Texts{"c a", "c c"}));
}

TEST(RemoveVertices, Mistakes) {
  EXPECT_EQ(refusal(path, {"f"}), "remove: graph.txt has no vertex \"f\" (labels are like a)");
  EXPECT_EQ(refusal(path, {"a,a"}), "remove: \"a\" is given twice");
  EXPECT_EQ(refusal(path, {"a", "b,a"}), "remove: \"a\" is given twice");
  EXPECT_NE(refusal(path, {""}), "");
  EXPECT_NE(refusal(path, {"a,"}), "");
  EXPECT_NE(refusal(path, {"left:a"}), "");
}

}  // namespace
}  // namespace countpm::remove_vertices_test
