// Lists of sets as programs write them: the sets, whatever stands around.
#include "tests/graph/reading_names.hpp"

namespace countpm::set_lines_test {
namespace {

using namespace reading_names;

ReadOptions hyper() {
  return in_format(Format::hyper);
}

/// Sets of two vertices are edges; larger ones have vertices of their own ("a b c" is one with three edges).
std::size_t pairs_among(const Graph& graph, const Labels& vertices) {
  std::size_t count = 0;
  const auto known = [&](Index v) {
    return std::find(vertices.begin(), vertices.end(), graph.left_labels.label(v)) != vertices.end();
  };
  for (const Edge& edge : graph.edges) count += known(edge.from) && known(edge.to) ? 1 : 0;
  return count;
}

TEST(SetLines, AsOthersWriteThem) {
  for (const char* const text : {"1 4\n2 3\n1 2\n3 4\n",
                                 "[[1,4],[2,3],[1,2],[3,4]]",
                                 "[[1, 4],\n [2, 3],\n [1, 2],\n [3, 4]]\n",
                                 "{{1,4},{2,3},{1,2},{3,4}}",
                                 "[{1,4},{2,3},{1,2},{3,4}]",
                                 "S = [[1,4],[2,3],[1,2],[3,4]];\n",
                                 "{1,4}\n{2,3}\n{1,2}\n{3,4}\n",
                                 "{1, 4},\n{2, 3},\n{1, 2},\n{3, 4}\n",
                                 "[1 4]\n[2 3]\n[1 2]\n[3 4]\n",
                                 "r1: 1 4\nr2: 2 3\nr3: 1 2\nr4: 3 4\n",
                                 "r1 : 1, 4\nr2 : 2, 3\nr3 : 1, 2\nr4 : 3, 4\n",
                                 "r1 = {1, 4}\nr2 = {2, 3}\nr3 = {1, 2}\nr4 = {3, 4}\n",
                                 "1,4\n2,3\n1,2\n3,4\n",
                                 "1, 4\n2, 3\n1, 2\n3, 4\n",
                                 "{'r1': [1, 4], 'r2': [2, 3], 'r3': [1, 2], 'r4': [3, 4]}",
                                 "4 4\n1 4\n2 3\n1 2\n3 4\n",
                                 "1,0,0,1\n0,1,1,0\n1,1,0,0\n0,0,1,1\n",
                                 "1;0;0;1\n0;1;1;0\n1;1;0;0\n0;0;1;1\n",
                                 "1\t0\t0\t1\n0\t1\t1\t0\n1\t1\t0\t0\n0\t0\t1\t1\n",
                                 "r1 1 0 0 1\nr2 0 1 1 0\nr3 1 1 0 0\nr4 0 0 1 1\n",
                                 "[[1,0,0,1],[0,1,1,0],[1,1,0,0],[0,0,1,1]]",
                                 "[[1 0 0 1]\n [0 1 1 0]\n [1 1 0 0]\n [0 0 1 1]]\n",
                                 "4 4\n1 0 0 1\n0 1 1 0\n1 1 0 0\n0 0 1 1\n",
                                 "4 4\n1001\n0110\n1100\n0011\n",
                                 "1001,\n0110,\n1100,\n0011\n",
                                 "1001\n0110 # a comment\n1100\n\n0011\n"}) {
    SCOPED_TRACE(text);
    std::string other_ends = "\xef\xbb\xbf";
    for (const char c : std::string(text)) other_ends += c == '\n' ? "\r\n" : std::string(1, c);
    for (const std::string& variant : {std::string(text), other_ends}) {
      const ReadResult read = read_text(variant, hyper());
      EXPECT_EQ(read.graph.left_labels.size(), 4U);
      EXPECT_EQ(pairs_among(read.graph, {"1", "2", "3", "4"}), 4U);
      EXPECT_EQ(read.info.warnings.empty(), std::string(text) == "1 4\n2 3\n1 2\n3 4\n");
    }
  }
}

TEST(SetLines, ColumnsUnderLabels) {
  for (const char* const text : {"a,b,c,d\n1,0,0,1\n0,1,1,0\n", ",a,b,c,d\nx,1,0,0,1\ny,0,1,1,0\n",
                                 "a b c d\n1 0 0 1\n0 1 1 0\n", "a b c d\nx 1 0 0 1\ny 0 1 1 0\n"})
    EXPECT_EQ(edge_labels(read_text(text, hyper()).graph), (Labels{"a d", "b c"})) << text;
  // A column without a 1 is a vertex.
  EXPECT_EQ(read_text("1,0,0,1\n0,1,0,0\n", hyper()).graph.left_labels.size(), 4U);
  EXPECT_EQ(input_error("1,0,0,1\n0,0,0,0\n", hyper()).line(), 2U);
  EXPECT_EQ(read_text("1 0\n0 1\n1 1\n", hyper()).graph.edges.size(), 3U);
}

TEST(SetLines, WeightsStayBehindTheirSemicolon) {
  for (const char* const text : {"1 4 ; 2\n2 3 ; 3\n", "{1, 4} ; 2\n{2, 3} ; 3\n",
                                 "r1: 1 4 ; 2\nr2: 2 3 ; 3\n", "1,4 ; 2\n2,3 ; 3\n"}) {
    const ReadResult read = read_text(text, with_weights(hyper()));
    EXPECT_EQ(edge_labels(read.graph), (Labels{"1 4", "2 3"})) << text;
    EXPECT_EQ(std::get<1>(read.graph.values), (std::vector<std::int64_t>{2, 3})) << text;
  }
}

// What is a label stays one.
TEST(SetLines, LabelsWithCommasAndColons) {
  EXPECT_EQ(edge_labels(read_text("0,0 0,1\n1,0 1,1\n", hyper()).graph), (Labels{"0,0 0,1", "1,0 1,1"}));
  EXPECT_EQ(edge_labels(read_text("a:1 b:2\nc:1 d:2\n", hyper()).graph), (Labels{"a:1 b:2", "c:1 d:2"}));
  // A first line of two numbers that are vertices of other sets is a set.
  EXPECT_EQ(read_text("4 3\n1 4\n2 3\n1 2\n", hyper()).graph.edges.size(), 4U);
  ReadOptions edge = hyper();
  edge.first_line = FirstLine::edge;
  EXPECT_EQ(read_text("4 5\n1 4\n2 3\n1 2\n3 4\n1 3\n", edge).graph.edges.size(), 6U);
}

}  // namespace
}  // namespace countpm::set_lines_test
