#include "tests/graph/reading_names.hpp"

namespace countpm {
namespace {

using namespace reading_names;

TEST(Dense, PackedAndSpacedRows) {
  const Labels expected{"1 2", "1 3", "2 1"};
  EXPECT_EQ(edge_labels(read_text("011\n100\n").graph), expected);
  EXPECT_EQ(edge_labels(read_text("# rows\r\n 0 1 1 \r\n\r\n1\t0 0", in_format(Format::dense)).graph),
            expected);
  EXPECT_EQ(read_text("011\n100\n").graph.kind, GraphKind::bipartite);
  EXPECT_EQ(read_text("011\n100\n").graph.right_labels.size(), 3U);
}

TEST(Dense, OnlyCommentsAreNoMatrix) {
  EXPECT_EQ(input_error("# none\n", in_format(Format::dense)).found(), "only blank lines and comments");
}

TEST(Dense, Weights) {
  const ReadResult result = read_text("2 -1/2\n0 1.5\n", with_weights(in_format(Format::dense)));
  EXPECT_EQ(edge_labels(result.graph), (Labels{"1 1", "1 2", "2 2"}));
  EXPECT_EQ(std::get<2>(result.graph.values), (std::vector<mpq_class>{2, mpq_class(-1, 2), mpq_class(3, 2)}));
  EXPECT_EQ(result.graph.weight_kind, WeightKind::real);
  // One word of 0 and 1 a row stays a packed row under --weights.
  EXPECT_EQ(edge_labels(read_text("011\n100\n", with_weights()).graph), (Labels{"1 2", "1 3", "2 1"}));
  EXPECT_EQ(edge_labels(read_text("11\n20\n", with_weights(in_format(Format::dense))).graph),
            (Labels{"1 1", "2 1"}));
}

TEST(Dense, NumbersOfOnesAndZerosAreAskedFor) {
  const ReadOptions dense = in_format(Format::dense);
  for (const char* text : {"11\n", "# 1 2 1\n11\n", "10\n11\n10\n"}) {
    const InputError error = input_error(text, with_weights(dense));
    EXPECT_NE(error.expected().find("without --weights digits are entries"), std::string::npos);
    EXPECT_NE(error.found().find("2 entries or one number"), std::string::npos);
    EXPECT_FALSE(read_text(text, dense).graph.edges.empty());
  }
  // A square, a number that would begin with 0, and single digits.
  EXPECT_EQ(edge_labels(read_text("11\n10\n", with_weights(dense)).graph), (Labels{"1 1", "1 2", "2 1"}));
  EXPECT_EQ(edge_labels(read_text("11\n01\n10\n", with_weights(dense)).graph),
            (Labels{"1 1", "1 2", "2 2", "3 1"}));
  EXPECT_EQ(edge_labels(read_text("1\n0\n1\n", with_weights(dense)).graph), (Labels{"1 1", "3 1"}));
}

TEST(Dense, AsDirectedAndUndirected) {
  EXPECT_EQ(edge_labels(read_text("110\n001\n100\n", as_kind(GraphKind::directed)).graph),
            (Labels{"1 1", "1 2", "2 3", "3 1"}));
  EXPECT_EQ(edge_labels(read_text("011\n100\n100\n", as_kind(GraphKind::undirected)).graph),
            (Labels{"1 2", "1 3"}));
  EXPECT_EQ(input_error("011\n100\n000\n", as_kind(GraphKind::undirected)).line(), 1U);
}

}  // namespace
}  // namespace countpm
