// Lines of a matrix that stand several times, or not at all, and complex weights with a number for i.
#include "graph/kinds/repeat_lines.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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
  EXPECT_THROW(read("0 1\n1 0\n", {1, 2}, {2, 1}, undirected), UsageError);
  EXPECT_THROW(read("0 1\n1 0\n", {1, 1, 1}, {1, 1, 1}, undirected), UsageError);
  EXPECT_THROW(read("0 1\n1 0\n", {10000, 10000}, {10000, 10000}, undirected), UnableError);
  EXPECT_THROW(read("0 1\n1 0\n", {4000000000, 0}, {4000000000, 0}, undirected), UnableError);
}

using SymmetricMatrix = std::vector<std::vector<std::int64_t>>;

/// Along the first row that is left; loops: it may also stay alone.
std::int64_t hafnian_by_rows(const SymmetricMatrix& a, std::vector<std::size_t> left, bool loops) {
  if (left.empty()) return 1;
  const std::size_t first = left[0];
  left.erase(left.begin());
  std::int64_t sum = loops ? a[first][first] * hafnian_by_rows(a, left, loops) : 0;
  for (std::size_t k = 0; k < left.size(); ++k) {
    std::vector<std::size_t> rest = left;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    sum += a[first][left[k]] * hafnian_by_rows(a, rest, loops);
  }
  return sum;
}

SymmetricMatrix matrix_of(const Graph& graph) {
  const std::size_t size = graph.left_labels.size();
  SymmetricMatrix a(size, std::vector<std::int64_t>(size, 0));
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const Edge edge = graph.edges[e];
    EXPECT_EQ(a[edge.from][edge.to], 0) << "an edge twice";
    a[edge.from][edge.to] = a[edge.to][edge.from] = std::get<std::vector<std::int64_t>>(graph.values)[e];
  }
  return a;
}

// The matrix whose rows and columns are written out has the hafnian, or loop hafnian, of the graph.
TEST(RepeatVertices, AreRowsAndColumnsOfTheMatrix) {
  const SymmetricMatrix a{{2, 3, -5}, {3, 7, 11}, {-5, 11, 13}};
  const std::string text = "2 3 -5\n3 7 11\n-5 11 13\n";
  ReadOptions options;
  options.kind = GraphKind::undirected;
  for (const Copies& copies : {Copies{1, 1, 2}, Copies{2, 2, 2}, Copies{0, 3, 1}, Copies{4, 0, 0},
                               Copies{3, 1, 2}, Copies{0, 0, 0}, Copies{1, 0, 0}}) {
    std::vector<std::size_t> written;
    for (std::size_t v = 0; v < copies.size(); ++v) written.insert(written.end(), copies[v], v);
    for (const LoopPolicy loops : {LoopPolicy::reject, LoopPolicy::monomer}) {
      const bool alone = loops == LoopPolicy::monomer;
      options.loops = loops;
      const ReadResult result = read(text, copies, copies, options);
      EXPECT_TRUE(result.info.lines_repeated);
      EXPECT_EQ(result.graph.monomers, alone);
      ASSERT_EQ(result.graph.left_labels.size(), written.size());
      std::vector<std::size_t> all;
      for (std::size_t v = 0; v < written.size(); ++v) {
        all.push_back(v);
        EXPECT_EQ(result.graph.left_labels.label(static_cast<Index>(v)), std::to_string(written[v] + 1));
      }
      EXPECT_EQ(hafnian_by_rows(matrix_of(result.graph), all, alone), hafnian_by_rows(a, written, alone));
    }
  }
  // Dropped loops join nothing.
  options.loops = LoopPolicy::drop;
  EXPECT_EQ(read(text, {2, 0, 0}, {2, 0, 0}, options).graph.edges.size(), 0U);
  // Without copies a loop is a mistake as before.
  options.loops = LoopPolicy::reject;
  ReadOptions plain = options;
  plain.format = Format::dense;
  plain.weights = true;
  EXPECT_THROW(read_graph(Source::from_bytes(text, "U"), plain), InputError);
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
