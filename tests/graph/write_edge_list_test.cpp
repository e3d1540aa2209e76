// Edge lists written and read back: the same labels, edges, weights, weight kind and isolated vertices.
#include "graph/formats/write_edge_list.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

#include "graph/errors.hpp"
#include "graph/lattices/lattice.hpp"
#include "graph/read.hpp"

namespace countpm::write_edge_list_test {
namespace {

std::string written(const Graph& graph) {
  std::ostringstream out;
  write_edge_list(graph, out);
  return out.str();
}

Graph read(const std::string& text, GraphKind kind, bool weights) {
  ReadOptions options;
  options.format = Format::edge_list;
  if (kind != GraphKind::undirected) options.kind = kind;
  options.weights = weights;
  return read_graph(Source::from_bytes(text), options).graph;
}

std::set<std::string> labels_of(const LabelTable& table) {
  std::set<std::string> labels;
  for (Index v = 0; v < table.size(); ++v) labels.insert(table.label(v));
  return labels;
}

using LabelledEdge = std::tuple<std::string, std::string, mpq_class, mpq_class>;

std::vector<LabelledEdge> edges_of(const Graph& graph) {
  std::vector<LabelledEdge> edges;
  const LabelTable& right = graph.kind == GraphKind::bipartite ? graph.right_labels : graph.left_labels;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    mpq_class re = 1;
    mpq_class im = 0;
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&graph.values))
      re = static_cast<long>((*integers)[e]);
    if (const auto* rationals = std::get_if<std::vector<mpq_class>>(&graph.values)) re = (*rationals)[e];
    if (const auto* complex = std::get_if<std::vector<ComplexRational>>(&graph.values)) {
      re = (*complex)[e].re;
      im = (*complex)[e].im;
    }
    edges.emplace_back(graph.left_labels.label(graph.edges[e].from), right.label(graph.edges[e].to), re, im);
  }
  return edges;
}

void expect_round_trip(const Graph& graph) {
  const std::string text = written(graph);
  const Graph back = read(text, graph.kind, graph.weight_kind != WeightKind::none);
  EXPECT_EQ(back.kind, graph.kind) << text;
  EXPECT_EQ(back.weight_kind, graph.weight_kind) << text;
  EXPECT_EQ(labels_of(back.left_labels), labels_of(graph.left_labels)) << text;
  EXPECT_EQ(labels_of(back.right_labels), labels_of(graph.right_labels)) << text;
  EXPECT_EQ(edges_of(back), edges_of(graph)) << text;
  EXPECT_EQ(written(back).size(), text.size()) << text;
}

TEST(WriteEdgeList, Lattices) {
  for (const std::string spec :
       {"square:3x4", "square:1x1", "aztec:3", "honeycomb:2x2", "torus:3x3", "cubic:2x2x2:weights=1,1,1",
        "hexagon:1x2x2:weights=1,-2,3", "square:2x2:weights=1/3,2", "square:2x2:weights=0.125,-20",
        "square:3x3:weights=1e-300,1e300", "square:2x2:weights=0,1", "square:2x2:weights=(0.5,-1),2",
        "square:4x4:remove=r0c1+r1c0", "square:1x3:remove=r0c1",
        "square:2x2:weights=123456789012345678901234567890,1", "square:2x2:weights=2.50,100.0"}) {
    SCOPED_TRACE(spec);
    expect_round_trip(lattice_graph(spec));
  }
}

TEST(WriteEdgeList, Text) {
  EXPECT_EQ(written(lattice_graph("square:1x3:weights=0.25,1")),
            "# undirected graph, 3 vertices, 2 edges\n"
            "# the third column is weights: countpm --weights FILE; without --weights every edge counts 1\n"
            "r0c0 r0c1 0.25\nr0c1 r0c2 0.25\n");
  EXPECT_EQ(written(Graph{}), "# undirected graph, 0 vertices, 0 edges\n#! empty\n");
  EXPECT_EQ(written(lattice_graph("square:1x3:remove=r0c1")),
            "# undirected graph, 2 vertices, 0 edges\n#! vertex r0c0\n#! vertex r0c2\n");
  EXPECT_EQ(written(read("a b\n#! left c\n#! right b2\n", GraphKind::bipartite, false)),
            "# bipartite graph, 4 vertices, 1 edges\n#! left c\n#! right b2\na b\n");
}

TEST(WriteEdgeList, RandomGraphsOfEveryKind) {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  SCOPED_TRACE(seed);
  for (int round = 0; round < 300; ++round) {
    Graph graph;
    graph.kind = static_cast<GraphKind>(round % 3);
    const Index n = random() % 8;
    const Index m = graph.kind == GraphKind::bipartite ? random() % 8 : n;
    for (Index v = 0; v < n; ++v) graph.left_labels.append("v\xc3\xa9" + std::to_string(v) + "#%");
    if (graph.kind == GraphKind::bipartite) {
      for (Index v = 0; v < m; ++v) graph.right_labels.append("v\xc3\xa9" + std::to_string(v) + "#%");
    }
    std::vector<mpq_class> rationals;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < m; ++j) {
        if (random() % 3 != 0 || (graph.kind == GraphKind::undirected && j <= i)) continue;
        graph.edges.push_back({i, j});
        mpq_class value(static_cast<long>(random() % 50) + 1, static_cast<long>(random() % 50) + 1);
        value.canonicalize();
        rationals.push_back(value);
      }
    }
    if (round % 2 == 0 && !rationals.empty()) {
      rationals[0] = mpq_class(1, 2);
      graph.values = rationals;
      graph.weight_kind = WeightKind::rational;
    }
    expect_round_trip(graph);
  }
}

TEST(WriteEdgeList, LabelsThatDoNotFit) {
  for (const std::string label : {"", "a b", "a\tb", "a\nb", "#a", "%", "\x7f"}) {
    Graph graph;
    graph.left_labels.append(label);
    EXPECT_THROW(written(graph), UsageError) << label;
    graph.left_labels.append("fine");
    graph.edges.push_back({0, 1});
    EXPECT_THROW(written(graph), UsageError) << label;
  }
}

}  // namespace
}  // namespace countpm::write_edge_list_test
