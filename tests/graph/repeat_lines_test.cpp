// Lines of a matrix that stand several times, or not at all, and complex weights with a number for i.
#include "graph/kinds/repeat_lines.hpp"

#include <gtest/gtest.h>

#include "graph/errors.hpp"
#include "graph/kinds/imaginary_unit.hpp"
#include "graph/read.hpp"

namespace countpm::repeat_lines_test {
namespace {

using Copies = std::vector<Index>;

ReadResult read(const std::string& text, Copies rows, Copies columns, ReadOptions options = {}) {
  options.format = Format::dense;
  options.weights = true;
  options.rows = std::move(rows);
  options.columns = std::move(columns);
  return read_graph(Source::from_bytes(text, "U"), options);
}

std::string text_of(const Graph& graph) {
  std::string text;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    text += graph.left_labels.label(graph.edges[e].from) + std::to_string(graph.edges[e].from) + "-" +
            graph.right_labels.label(graph.edges[e].to) + std::to_string(graph.edges[e].to) + ":" +
            std::to_string(std::get<std::vector<std::int64_t>>(graph.values)[e]) + " ";
  }
  return text;
}

TEST(RepeatLines, CopiesStandOneAfterTheOther) {
  const ReadResult result = read("2 3\n5 7\n", {2, 1}, {0, 3});
  EXPECT_TRUE(result.info.lines_repeated);
  EXPECT_EQ(result.graph.left_labels.size(), 3U);
  EXPECT_EQ(result.graph.right_labels.size(), 3U);
  EXPECT_EQ(text_of(result.graph),
            "10-20:3 10-21:3 10-22:3 11-20:3 11-21:3 11-22:3 22-20:7 22-21:7 22-22:7 ");
  EXPECT_EQ(read("2 3\n5 7\n", {0, 0}, {0, 0}).graph.edges.size(), 0U);
}

TEST(RepeatLines, Refusals) {
  const std::string matrix = "1 2\n3 4\n";
  EXPECT_THROW(read(matrix, {1, 1}, {1, 2}), UsageError);     // other sums
  EXPECT_THROW(read(matrix, {1, 1, 0}, {1, 1}), UsageError);  // three numbers for two rows
  EXPECT_THROW(read(matrix, {1, 1}, {2}), UsageError);
  EXPECT_THROW(read(matrix, {10000, 0}, {10000, 0}), UnableError);
  EXPECT_THROW(read(matrix, {4000000000, 0}, {4000000000, 0}), UnableError);
  ReadOptions undirected;
  undirected.kind = GraphKind::undirected;
  EXPECT_THROW(read("0 1\n1 0\n", {1, 1}, {1, 1}, undirected), UsageError);
}

TEST(ImaginaryUnit, ThereAndBack) {
  const std::vector<ComplexRational> weights{{mpq_class(1, 3), -2}, {0, mpq_class(5, 7)}, {-4, 0}, {1, 1}};
  Graph graph;
  graph.kind = GraphKind::bipartite;
  graph.left_labels = graph.right_labels = LabelTable::numbered(2);
  graph.edges = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  graph.values = weights;
  graph.weight_kind = WeightKind::complex;
  EXPECT_EQ(complex_weights(graph), weights);
  const ImaginaryUnit unit = replace_imaginary_unit(graph);
  EXPECT_EQ(graph.weight_kind, WeightKind::rational);
  const std::vector<mpq_class> packed = std::get<std::vector<mpq_class>>(graph.values);
  // (1/3 - 2i)(1 + i) + 5i/7 * -4 = 7/3 - 5i/3 - 20i/7
  const mpq_class sum = packed[0] * packed[3] + packed[1] * packed[2];
  EXPECT_EQ(with_imaginary_unit(sum, unit), (ComplexRational{mpq_class(7, 3), mpq_class(-95, 21)}));
  EXPECT_THROW(with_imaginary_unit(sum / 11, unit), CheckError);
  for (const bool tiles : {false, true}) {
    Graph covered = graph;
    covered.kind = GraphKind::undirected;
    covered.monomers = true;
    covered.covers = !tiles;
    covered.tiles = tiles ? 1 : 0;
    EXPECT_THROW(replace_imaginary_unit(covered), UsageError);
  }
}

}  // namespace
}  // namespace countpm::repeat_lines_test
