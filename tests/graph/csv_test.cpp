// Edges in a table of fields: what is a header, which column is what, and what is refused.
#include "tests/graph/reading_names.hpp"

namespace countpm {
namespace {

using namespace reading_names;

ReadResult read_table(const std::string& text, const ReadOptions& options = {}) {
  return read_text(text, options, "edges.csv");
}

std::vector<mpq_class> rationals_of(const Graph& graph) {
  std::vector<mpq_class> result;
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&graph.values)) {
    for (const std::int64_t value : *integers) result.emplace_back(static_cast<long>(value));
  } else if (const auto* rationals = std::get_if<std::vector<mpq_class>>(&graph.values)) {
    result = *rationals;
  }
  return result;
}

TEST(Csv, EdgesWithoutAHeader) {
  const ReadResult result = read_table(
      "\xef\xbb\xbf"
      "a,b\r\n# a comment\r\n\r\n b , c \r\n\"New York\",\"say \"\"a\"\"\"\r\n");
  EXPECT_EQ(edge_labels(result.graph), (Labels{"a b", "b c", "New York say \"a\""}));
  EXPECT_EQ(result.graph.kind, GraphKind::undirected);
  EXPECT_EQ(result.info.format, Format::csv);
  EXPECT_EQ(result.info.format_by, FormatBy::ending);
  EXPECT_TRUE(result.info.assumptions.empty());
}

TEST(Csv, SemicolonsAndTabs) {
  EXPECT_EQ(edge_labels(read_table("a;b,1\nc;d\n").graph), (Labels{"a b,1", "c d"}));
  EXPECT_EQ(edge_labels(read_text("New York\tBoston\na\tb\n", {}, "edges.tsv").graph),
            (Labels{"New York Boston", "a b"}));
}

TEST(Csv, AHeaderNamesTheColumns) {
  // As pandas writes it: an index in front, and columns of no concern.
  const ReadResult result =
      read_table(",Weight,target,colour,Source\n0,1/2,b,red,a\n1,3,c,,b\n2,,d,blue,c\n", with_weights());
  EXPECT_EQ(edge_labels(result.graph), (Labels{"a b", "b c", "c d"}));
  EXPECT_EQ(rationals_of(result.graph), (std::vector<mpq_class>{mpq_class(1, 2), 3, 1}));
  ASSERT_EQ(result.info.assumptions.size(), 1U);
  EXPECT_EQ(result.info.assumptions.front(),
            "line 1 was taken for a header: edges from 'Source' to 'target', weights 'Weight'");
  EXPECT_EQ(result.info.warnings,
            (Labels{"edges.csv:1: columns passed over: 'colour'",
                    "edges.csv: a line has nothing in the column of weights, and its edge counts 1"}));
}

TEST(Csv, AHeaderAloneIsAGraphWithoutVertices) {
  const ReadResult result = read_table("source,target\n");
  EXPECT_EQ(result.graph.left_labels.size(), 0U);
  EXPECT_EQ(result.info.assumptions.size(), 1U);
}

// "source" is a vertex where other edges have it; u and v are vertices but above numbers.
TEST(Csv, WordsOfHeadersMayBeVertices) {
  EXPECT_EQ(read_table("source,target\nsource,a\nb,target\n").graph.edges.size(), 3U);
  EXPECT_EQ(read_table("source,target\nb,a\nb,c\n").graph.edges.size(), 2U);
  EXPECT_EQ(read_table("u,v\nv,a\n").graph.edges.size(), 2U);
  EXPECT_EQ(read_table("u,v\n1,2\n3,4\n5,6\n").graph.edges.size(), 3U);
  EXPECT_EQ(read_table("u,v,weight\na,b,2\n").graph.edges.size(), 1U);
}

TEST(Csv, Kinds) {
  EXPECT_EQ(edge_labels(read_table("a,b\nb,a\n", as_kind(GraphKind::directed)).graph),
            (Labels{"a b", "b a"}));
  const Graph sides = read_table("a,a\nb,a\n", as_kind(GraphKind::bipartite)).graph;
  EXPECT_EQ(sides.left_labels.size(), 2U);
  EXPECT_EQ(sides.right_labels.size(), 1U);
}

TEST(Csv, ByContentWhereNoEndingSaysSo) {
  EXPECT_EQ(read_text("source,target\na,b\n").info.format, Format::csv);
  EXPECT_EQ(read_text("1, 2\n2, 3\n3, 4\n").info.format, Format::csv);
  EXPECT_EQ(read_text("\"New York\",Boston\n").info.format, Format::csv);
  // Points of a grid, and a complex weight: commas that part nothing.
  EXPECT_EQ(edge_labels(read_text("0,0 0,1\n0,1 1,1\n").graph), (Labels{"0,0 0,1", "0,1 1,1"}));
  EXPECT_EQ(read_text("a b (1,2)\n").info.format, Format::edge_list);
  EXPECT_EQ(input_error("New York,Boston\n").expected(),
            "one format (--format csv or --format edgelist chooses)");
}

TEST(Csv, SquaresOfNumbersMayBeMatrices) {
  const std::string square = "1,2\n2,3\n";
  EXPECT_EQ(input_error(square, {}, "a.csv").found(), "a square of 2 times 2 numbers");
  EXPECT_EQ(edge_labels(read_text(square, in_format(Format::csv), "a.csv").graph), (Labels{"1 2", "2 3"}));
  EXPECT_EQ(read_table("1,2\n2,3\n3,4\n").graph.edges.size(), 3U);
}

TEST(Csv, UnusedWeightsAreCounted) {
  EXPECT_EQ(read_table("a,b,2\nb,c,1\nc,d,1/2\n").info.values_unused, 2U);
  EXPECT_EQ(read_table("a,b,2\n", with_weights()).info.values_unused, 0U);
}

}  // namespace
}  // namespace countpm
