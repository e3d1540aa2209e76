#include "tests/graph/read_support.hpp"

namespace countpm {
namespace {

using testing::as_kind;
using testing::edge_labels;
using testing::input_error;
using testing::Labels;
using testing::read_text;
using testing::with_weights;

TEST(EdgeList, LabelsCommentsAndLineEnds) {
  const ReadResult result = read_text(
      "\xef\xbb\xbf# comment\r\n% another\r\n\r\na\tb\r\n  b  c  # tail\r\nc Zürich%x % tail\r\n007 7");
  EXPECT_EQ(result.info.format, Format::edge_list);
  EXPECT_EQ(result.graph.kind, GraphKind::undirected);
  EXPECT_EQ(edge_labels(result.graph), (Labels{"a b", "b c", "c Zürich%x", "007 7"}));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(result.graph.values));
}

TEST(EdgeList, OnlyCommentsAreNoGraph) {
  EXPECT_EQ(input_error("# nothing\n").found(), "only blank lines and comments");
  EXPECT_EQ(input_error("").found(), "an empty file");
}

TEST(EdgeList, Directives) {
  const ReadResult result = read_text("a b\n#! vertex lonely\n #! vertex a\n");
  EXPECT_EQ(result.graph.left_labels.size(), 3U);
  EXPECT_EQ(result.graph.left_labels.label(2), "lonely");
  const ReadResult sides = read_text("#! left x\n#! right y\na a\n", as_kind(GraphKind::bipartite));
  EXPECT_EQ(sides.graph.left_labels.size(), 2U);
  EXPECT_EQ(sides.graph.right_labels.size(), 2U);
  EXPECT_NE(input_error("#! node a\n").expected().find("#! vertex LABEL"), std::string::npos);
  EXPECT_EQ(input_error("a b\n#! left a\n").line(), 2U);
  EXPECT_EQ(input_error("#! vertex a\n", as_kind(GraphKind::bipartite)).line(), 1U);
  EXPECT_EQ(input_error("#! vertex\n").found(), "none");
  EXPECT_EQ(input_error("#! vertex a b\n").found(), "'b' too");
}

TEST(EdgeList, KindsLoopsAndParallelEdges) {
  EXPECT_EQ(input_error("a b\nc d\nb a\n").line(), 3U);
  EXPECT_NE(input_error("a b\nc d\nb a\n").found().find("first on line 1"), std::string::npos);
  EXPECT_EQ(read_text("a b\nb a\n", as_kind(GraphKind::directed)).graph.edges.size(), 2U);
  EXPECT_EQ(read_text("a b\nb a\na a\n", as_kind(GraphKind::bipartite)).graph.edges.size(), 3U);
  EXPECT_EQ(read_text("a a\n", as_kind(GraphKind::directed)).graph.edges.size(), 1U);
  EXPECT_EQ(input_error("a b\na a\n").line(), 2U);
  ReadOptions drop;
  drop.loops = LoopPolicy::drop;
  const ReadResult dropped = read_text("a a\na b\n", drop);
  EXPECT_EQ(edge_labels(dropped.graph), (Labels{"a b"}));
  EXPECT_EQ(dropped.info.loops_dropped, 1U);
}

TEST(EdgeList, SumAddsMultiplicitiesOrWeights) {
  ReadOptions sum;
  sum.multi = MultiPolicy::sum;
  const ReadResult counted = read_text("a b 5\nc d\nb a\na b 0\n", sum);
  EXPECT_EQ(edge_labels(counted.graph), (Labels{"a b", "c d"}));
  EXPECT_EQ(std::get<1>(counted.graph.values), (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(counted.graph.weight_kind, WeightKind::none);
  EXPECT_EQ(counted.info.parallel_summed, 1U);

  const ReadResult weighed = read_text("a b 9223372036854775807\nb a 1\nc d 2\nc d -2\n", with_weights(sum));
  EXPECT_EQ(edge_labels(weighed.graph), (Labels{"a b"}));
  EXPECT_EQ(std::get<2>(weighed.graph.values), std::vector<mpq_class>{mpq_class("9223372036854775808")});
  EXPECT_EQ(weighed.info.zeros_dropped, 1U);
}

TEST(EdgeList, WeightsOfAllKinds) {
  const ReadResult result =
      read_text("a b 2\nc d 1/3\ne f 0.25\ng h (1, -2) # tail\ni j 0\nk l\n", with_weights());
  EXPECT_EQ(result.graph.weight_kind, WeightKind::complex);
  EXPECT_EQ(
      std::get<3>(result.graph.values),
      (std::vector<ComplexRational>{{2, 0}, {mpq_class(1, 3), 0}, {mpq_class(1, 4), 0}, {1, -2}, {1, 0}}));
  EXPECT_EQ(result.graph.left_labels.size(), 12U);
  EXPECT_EQ(result.info.zeros_dropped, 1U);
  // Without weights they are checked all the same, and a zero is no edge.
  EXPECT_EQ(read_text("a b 2\nc d 0.0\n").graph.edges.size(), 1U);
  EXPECT_EQ(input_error("a b nan\n").expected(), "a finite weight");
  EXPECT_EQ(input_error("a b 1 2\n").line(), 1U);
}

TEST(EdgeList, SingleLabelNamesTheDirective) {
  EXPECT_NE(input_error("a b\nc\n").expected().find("#! vertex LABEL"), std::string::npos);
}

}  // namespace
}  // namespace countpm
