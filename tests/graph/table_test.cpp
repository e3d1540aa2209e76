// Tables that several programs write, each in its own way: what each is read as, with every separator,
// comment, line end and encoding; that it is said; and what is asked for where two readings are sensible.
#include <functional>

#include "tests/graph/reading_names.hpp"

namespace countpm::table_test {
namespace {

using namespace reading_names;

using Rows = std::vector<std::vector<std::string>>;

std::string in_utf16(const std::string& ascii) {
  std::string bytes = "\xff\xfe";
  for (const char c : ascii) bytes += {c, '\0'};
  return bytes;
}

std::string joined(const Rows& rows, const std::string& separator, const std::string& end) {
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) text += (k == 0 ? "" : separator) + row[k];
    text += end;
  }
  return text;
}

/// The text of the rows in every form that means the same, each with a name for the file.
void for_all_forms(const Rows& rows, bool csv,
                   const std::function<void(const std::string&, const std::string&)>& see) {
  const std::vector<std::pair<std::string, std::string>> forms =
      csv ? std::vector<std::pair<std::string, std::string>>{{",", "t.csv"}, {";", "t.csv"}, {"\t", "t.tsv"}}
          : std::vector<std::pair<std::string, std::string>>{{" ", "t"}, {"\t", "t.txt"}, {"  ", "t.edges"}};
  for (const auto& [separator, name] : forms) {
    for (const char* const end : {"\n", "\r\n", "\r"}) {
      const std::string text = joined(rows, separator, end);
      SCOPED_TRACE(text + name);
      see(text, name);
      see("\xef\xbb\xbf" + text, name);
      see(in_utf16(text), name);
      see("# a comment" + std::string(end) + text, name);
    }
  }
}

/// Read with a warning that has these words, as a graph with these edges.
void expect_warned(const std::string& text, const std::string& name, const Labels& edges,
                   const std::string& words, const ReadOptions& options = {}) {
  std::vector<std::string> told;
  ReadOptions reading = options;
  reading.warn = [&told](const std::string& warning) { told.push_back(warning); };
  const ReadResult result = read_text(text, reading, name);
  EXPECT_EQ(edge_labels(result.graph), edges);
  ASSERT_FALSE(result.info.warnings.empty());
  EXPECT_EQ(told, result.info.warnings);
  bool found = false;
  for (const std::string& warning : told) found = found || warning.find(words) != std::string::npos;
  EXPECT_TRUE(found) << told.front();
  reading.strict = true;
  EXPECT_THROW(read_text(text, reading, name), InputError);
}

void expect_asked(const std::string& text, const std::string& name, const std::string& one,
                  const std::string& other, const ReadOptions& options = {}) {
  const InputError error = input_error(text, options, name);
  EXPECT_NE(error.expected().find(one), std::string::npos) << error.what();
  EXPECT_NE(error.expected().find(other), std::string::npos) << error.what();
}

TEST(Tables, WordsBetweenTheEndsOfAnEdge) {
  for (const char* const word : {"--", "->", "<->", "=>", "-->", ":", "|", ";", "=", "to"}) {
    for_all_forms({{"1", word, "2"}, {"3", word, "4"}}, false,
                  [&](const std::string& text, const std::string& name) {
                    expect_warned(text, name, {"1 2", "3 4"}, "stands between the ends");
                  });
  }
  expect_warned("a--b\nc--d 2\n", "t", {"a b", "c d"}, "'--'");
  expect_warned("a → b\nc → d\n", "t", {"a b", "c d"}, "→");
}

TEST(Tables, ArrowsAreArcsWhereTheGraphIsDirected) {
  const ReadOptions directed = as_kind(GraphKind::directed);
  EXPECT_EQ(edge_labels(read_text("a -> b\nb <- c\n", directed).graph), (Labels{"a b", "c b"}));
  EXPECT_EQ(edge_labels(read_text("a <-> b\nb -> a2\n", directed).graph), (Labels{"a b", "b a", "b a2"}));
  EXPECT_EQ(read_text("a -> b 1/2\n", with_weights()).graph.weight_kind, WeightKind::rational);
}

TEST(Tables, MetisUnderAnyName) {
  const Rows prism = {{"6", "9"},      {"2", "3", "4"}, {"1", "3", "5"}, {"1", "2", "6"},
                      {"1", "5", "6"}, {"2", "4", "6"}, {"3", "4", "5"}};
  const Labels edges = {"1 2", "1 3", "1 4", "2 3", "2 5", "3 6", "4 5", "4 6", "5 6"};
  for_all_forms(prism, false, [&](const std::string& text, const std::string& name) {
    expect_warned(text, name, edges, "METIS");
  });
  // Weights of edges, of vertices and of both; a vertex without neighbours has an empty line.
  expect_warned("3 1 1\n2 5\n1 5\n\n", "t", {"1 2"}, "METIS");
  EXPECT_EQ(read_text("3 1 1\n2 5\n1 5\n\n", with_weights(), "t.metis").graph.left_labels.size(), 3U);
  EXPECT_EQ(edge_labels(read_text("2 1 011\n7 2 5\n9 1 5\n", with_weights(), "t.graph").graph),
            (Labels{"1 2"}));
  // From 0 on.
  expect_warned("4 4\n1 3\n0 2\n1 3\n0 2\n", "t", {"0 1", "0 3", "1 2", "2 3"}, "METIS");
}

// It had one arc of each edge.
// Some writers count every edge from both of its ends.
TEST(Tables, MetisWithTwiceTheNumberOfEdges) {
  const Labels edges = {"1 2", "1 4", "2 3", "3 4"};
  for (const char* const name : {"t.graph", "t.txt"}) {
    const ReadResult read = read_text("4 8\n2 4\n1 3\n2 4\n1 3\n", {}, name);
    EXPECT_EQ(edge_labels(read.graph), edges);
    ASSERT_FALSE(read.info.warnings.empty());
    EXPECT_NE(read.info.warnings[0].find("each counted from both ends: there are 4"), std::string::npos);
  }
  EXPECT_NE(input_error("4 7\n2 4\n1 3\n2 4\n1 3\n", {}, "t.graph").found().find('7'), std::string::npos);
}

TEST(Tables, MetisIsUndirected) {
  const std::string path = "3 2\n2\n1 3\n2\n";
  for (const char* const name : {"t", "t.metis"}) {
    EXPECT_EQ(edge_labels(read_text(path, as_kind(GraphKind::directed), name).graph),
              (Labels{"1 2", "2 3", "2 1", "3 2"}));
    EXPECT_THROW(read_text(path, as_kind(GraphKind::bipartite), name), UsageError);
  }
}

// It was a matrix with --weights.
TEST(Tables, MetisOfFourNumbersALineMayBeAMatrix) {
  const std::string prism = "6 9 010 1\n7 2 3 4\n7 1 3 5\n7 1 2 6\n7 1 5 6\n7 2 4 6\n7 3 4 5\n";
  expect_asked(prism, "t", "--format metis", "--format dense", with_weights());
  EXPECT_EQ(read_text(prism, {}, "t.metis").graph.edges.size(), 9U);
  EXPECT_EQ(read_text(prism, with_weights(), "t.dense").graph.right_labels.size(), 4U);
  EXPECT_EQ(read_text(prism, with_weights(as_kind(GraphKind::bipartite))).graph.right_labels.size(), 4U);
}

// It was left out, and the others had perfect matchings.
TEST(Tables, VerticesWithoutAnEdgeAreOnNoSide) {
  const ReadOptions bipartite = as_kind(GraphKind::bipartite);
  EXPECT_NE(input_error("a x\nb\n", bipartite, "t.adjlist").found().find("'b' without"), std::string::npos);
  EXPECT_NE(input_error("a\nx\nb\n#\na x\n", bipartite, "t.tgf").found().find("'b' without"),
            std::string::npos);
  EXPECT_EQ(read_text("a x y\nx\ny\n", bipartite, "t.adjlist").graph.right_labels.size(), 2U);
  // Also a label that is in no edge is text.
  for (const char* text : {"a x\n\xff\n", "a x\n\xff: y\n", "a x\ny z\xff\n"}) {
    EXPECT_EQ(input_error(text, {}, "t.adjlist").line(), 2U) << text;
    EXPECT_EQ(input_error(text, {}, "t.adjlist").expected(), "UTF-8 text");
  }
  EXPECT_EQ(read_text("a\nx\n#\na x\n", bipartite, "t.tgf").graph.left_labels.size(), 1U);
}

TEST(Tables, NumbersOfVerticesAndEdgesInTheFirstLine) {
  const Rows k4 = {{"4", "6"}, {"1", "2"}, {"1", "3"}, {"1", "4"}, {"2", "3"}, {"2", "4"}, {"3", "4"}};
  const Labels edges = {"1 2", "1 3", "1 4", "2 3", "2 4", "3 4"};
  for (const bool csv : {false, true}) {
    for_all_forms(k4, csv, [&](const std::string& text, const std::string& name) {
      expect_warned(text, name, edges, "numbers of vertices and edges");
    });
  }
  // Vertices that no edge has are counted, too.
  EXPECT_EQ(read_text("6 2\n1 2\n3 4\n").graph.left_labels.size(), 6U);
  // An edge as well: 4 and 5 are vertices in either reading.
  const std::string either = "4 5\n1 2\n1 3\n2 3\n2 4\n3 4\n";
  expect_asked(either, "t", "--first-line header", "--first-line edge");
  ReadOptions options;
  options.first_line = FirstLine::header;
  EXPECT_EQ(read_text(either, options).graph.edges.size(), 5U);
  options.first_line = FirstLine::edge;
  EXPECT_EQ(read_text(either, options).graph.edges.size(), 6U);
  // Weights behind the ends of all others.
  expect_warned("4 2\n1 2 7\n3 4 7\n", "t", {"1 2", "3 4"}, "numbers", with_weights());
  // Two sides, each numbered from 1.
  const ReadResult sides = read_text("2 3 3\n1 1\n1 2\n2 3\n");
  EXPECT_EQ(sides.graph.kind, GraphKind::bipartite);
  EXPECT_EQ(sides.graph.edges.size(), 3U);
  expect_asked("2 2 2\n1 1\n2 2\n", "t", "--kind bipartite", "--kind undirected");
  // Not as many lines: an edge like the others.
  EXPECT_TRUE(read_text("5 7\n1 2\n1 3\n1 4\n2 3\n").info.warnings.empty());
}

TEST(Tables, AMatrixBelowItsSize) {
  const std::string matrix = "3\n1 1 0\n0 1 1\n1 0 1\n";
  EXPECT_EQ(read_text(matrix).graph.edges.size(), 6U);
  expect_asked("4\n0 1 1 1\n1 0 1 1\n1 1 0 1\n1 1 1 0\n", "t", "--kind undirected", "--kind bipartite");
  EXPECT_EQ(
      read_text("4\n0 1 1 1\n1 0 1 1\n1 1 0 1\n1 1 1 0\n", as_kind(GraphKind::undirected)).graph.edges.size(),
      6U);
}

TEST(Tables, WordsAboveNumbersAreAHeader) {
  for (const auto& [from, to] :
       {std::pair("u", "v"), std::pair("i", "j"), std::pair("row", "col"), std::pair("V1", "V2"),
        std::pair("left", "right"), std::pair("city", "town")}) {
    for (const bool csv : {false, true}) {
      for_all_forms({{from, to}, {"1", "2"}, {"2", "3"}, {"3", "4"}}, csv,
                    [&](const std::string& text, const std::string& name) {
                      expect_warned(text, name, {"1 2", "2 3", "3 4"}, "header");
                    });
    }
  }
  // Above words that look like none of them it may be either.
  expect_asked("city,town\nParis,Lyon\nNice,Lille\n", "t.csv", "--first-line header", "--first-line edge");
  EXPECT_EQ(read_text("a,b\nc,d\n", {}, "t.csv").graph.edges.size(), 2U);
}

TEST(Tables, NamesAndNumbersOfRows) {
  for (const bool csv : {false, true}) {
    for_all_forms({{"\"V1\"", "\"V2\""},
                   {"\"1\"", "1", "2"},
                   {"\"2\"", "2", "3"},
                   {"\"3\"", "3", "4"},
                   {"\"4\"", "4", "1"}},
                  csv, [&](const std::string& text, const std::string& name) {
                    expect_warned(text, name, {"1 2", "2 3", "3 4", "4 1"}, "header");
                  });
    for_all_forms({{"id", "u", "v"}, {"1", "1", "2"}, {"2", "2", "3"}, {"3", "3", "4"}, {"4", "4", "1"}}, csv,
                  [&](const std::string& text, const std::string& name) {
                    expect_warned(text, name, {"1 2", "2 3", "3 4", "4 1"}, "header");
                  });
  }
  expect_warned("1 1 2\n2 2 3\n3 3 4\n4 4 1\n", "t", {"1 2", "2 3", "3 4", "4 1"}, "numbers of the edges");
  expect_asked("1 2 3\n2 3 1\n3 1 2\n4 4 1\n", "t", "--weights", "--ends 2,3", as_kind(GraphKind::directed));
  ReadOptions options;
  options.end_columns = "2,3";
  EXPECT_EQ(edge_labels(read_text("1 1 2\n2 3 4\n", options).graph), (Labels{"1 2", "3 4"}));
}

// The first edge has no weight, and no line is a header.
TEST(Tables, LinesOfDifferentLengthsMayBeEdges) {
  EXPECT_EQ(read_text("x a\na b 2\nb c 3\n", with_weights()).graph.edges.size(), 3U);
  EXPECT_EQ(read_text("10000000001 0 3\na 0 1\nb 1 -3\n", with_weights(as_kind(GraphKind::bipartite)))
                .graph.edges.size(),
            3U);
  EXPECT_EQ(read_text("a 1 2\nb 1 0.5\nc 2 1\n", with_weights()).graph.edges.size(), 3U);
  expect_asked("x y\na 1 2\nb 2 3\nc 3 4\n", "t", "--first-line header", "--first-line edge");
}

TEST(Tables, LettersInFrontOfEdges) {
  for_all_forms({{"e", "1", "2"}, {"e", "2", "3"}, {"e", "3", "4"}}, false,
                [&](const std::string& text, const std::string& name) {
                  expect_warned(text, name, {"1 2", "2 3", "3 4"}, "'e'");
                });
  // A vertex e among others.
  EXPECT_TRUE(read_text("e 1\na 1\n").info.warnings.empty());
}

TEST(Tables, NeighboursOfDifferentNumbers) {
  for (const bool csv : {false, true}) {
    for_all_forms({{"1", "2", "3", "4"}, {"2", "3"}, {"5", "1", "2"}}, csv,
                  [&](const std::string& text, const std::string& name) {
                    expect_warned(text, name, {"1 2", "1 3", "1 4", "2 3", "5 1", "5 2"}, "adjacency list");
                  });
    for_all_forms({{"1", "2", "4"}, {"3", "2", "4"}}, csv,
                  [&](const std::string& text, const std::string& name) {
                    expect_asked(text, name, "--weights", "--format adjlist");
                  });
  }
  // From both ends, as most programs write them; with a colon; a vertex alone.
  expect_warned("1: 2 3\n2: 1\n3: 1\n", "t", {"1 2", "1 3"}, "adjacency list");
  EXPECT_EQ(read_text("a b c\nb c\nc\nd\n", {}, "t.adjlist").graph.left_labels.size(), 4U);
  EXPECT_EQ(read_text("1 2 4\n3 2 4\n", in_format(Format::adjacency_list)).graph.edges.size(), 4U);
  // Weights of some edges.
  EXPECT_EQ(read_text("1 2\n2 3 5\n", with_weights()).graph.edges.size(), 2U);
}

TEST(Tables, TrivialGraphFormat) {
  for_all_forms(
      {{"1", "Alice"}, {"2", "Bob"}, {"3"}, {"4", "Dan", "Doe"}, {"#"}, {"1", "2"}, {"3", "4", "likes"}},
      false, [&](const std::string& text, const std::string& name) {
        expect_warned(text, name, {"1 2", "3 4"}, "Trivial Graph Format");
      });
  EXPECT_EQ(read_text("1 2\n2 1\n3 1\n#\n1 2\n", in_format(Format::tgf)).graph.left_labels.size(), 3U);
  expect_asked("1 2\n2 3\n3 1\n#\n1 3\n", "t", "--format tgf", "--format edgelist");
}

TEST(Tables, LabelsThatBeginWithANumberSign) {
  expect_warned("#1 #2\n#3 #4\n", "t.edges", {"#1 #2", "#3 #4"}, "part of labels");
  expect_warned("1 2\n#2 3\n", "t.edges", {"1 2"}, "looks like an edge");
  EXPECT_TRUE(read_text("1 2\n# 2 3\n#edges\n").info.warnings.empty());
}

TEST(Tables, ColumnsOfWeights) {
  for (const char* const head : {"count", "n", "multiplicity", "w", "value", "weight"}) {
    for_all_forms({{"from", "to", head}, {"x", "y", "2"}}, true,
                  [&](const std::string& text, const std::string& name) {
                    const ReadResult result = read_text(text, with_weights(), name);
                    ASSERT_EQ(result.graph.values.index(), 1U);
                    EXPECT_EQ(std::get<1>(result.graph.values).front(), 2);
                    EXPECT_FALSE(read_text(text, {}, name).info.warnings.empty());
                  });
  }
  const std::string several = "from,to,count,price\nx,y,2,3\n";
  EXPECT_NE(input_error(several, with_weights(), "t.csv").expected().find("--weight-column"),
            std::string::npos);
  ReadOptions options = with_weights();
  for (const char* const column : {"price", "4"}) {
    options.weight_column = column;
    EXPECT_EQ(std::get<1>(read_text(several, options, "t.csv").graph.values).front(), 3);
  }
  options.weight_column = "cost";
  EXPECT_NE(input_error(several, options, "t.csv").found().find("price"), std::string::npos);
}

TEST(Tables, EdgesWithTimeStamps) {
  const std::string text = "1 2 5 1082040961\n3 4 1 1082155839\n1 3 1 1082155840\n";
  for (const char* const name : {"t", "t.edges"}) {
    expect_asked(text, name, "--weight-column 3", "--format dense");
    ReadOptions options = with_weights();
    options.weight_column = "3";
    expect_warned(text, name, {"1 2", "3 4", "1 3"}, "passed over", options);
    EXPECT_EQ(std::get<1>(read_text(text, options, name).graph.values).front(), 5);
  }
}

TEST(Tables, EdgesListedInBothDirections) {
  expect_warned("1 2\n2 1\n2 3\n3 2\n", "t.edges", {"1 2", "2 3"}, "both directions");
  expect_warned("p edge 2 2\ne 1 2\ne 2 1\n", "t.col", {"1 2"}, "both directions");
  ReadOptions options;
  options.multi = MultiPolicy::sum;
  EXPECT_EQ(read_text("1 2\n2 1\n", options, "t.edges").info.parallel_summed, 1U);
  // Some of them only.
  EXPECT_NE(input_error("1 2\n2 1\n2 3\n", {}, "t.edges").expected().find("--multi first"),
            std::string::npos);
  EXPECT_EQ(input_error("1 2\n2 1\n2 3\n", {}, "t.edges").expected().find("--multi sum"), std::string::npos);
  options.multi = MultiPolicy::first;
  EXPECT_EQ(read_text("1 2\n2 1\n2 3\n2 3\n", options, "t.edges").graph.edges.size(), 2U);
  EXPECT_NE(input_error("1 2 5\n2 1 6\n", with_weights(options), "t.edges").found().find("two weights"),
            std::string::npos);
}

TEST(Tables, OneArcPerEdge) {
  const std::string cycle = "digraph { 1 -> 2; 2 -> 3; 3 -> 4; 1 -> 4 }";
  EXPECT_NE(read_text(cycle).info.warnings.front().find("--kind undirected"), std::string::npos);
  expect_warned(cycle, "t.dot", {"1 2", "1 4", "2 3", "3 4"}, "opposite arc", as_kind(GraphKind::undirected));
  EXPECT_EQ(
      read_text("digraph { 1 -> 2; 2 -> 1; 2 -> 3 }", as_kind(GraphKind::undirected)).graph.edges.size(), 2U);
  EXPECT_TRUE(read_text("digraph { 1 -> 2; 2 -> 1 }").info.warnings.empty());
}

TEST(Tables, ValuesThatAreNotUsed) {
  expect_warned("a b 5\nc d 1\n", "t.edges", {"a b", "c d"}, "not used");
  EXPECT_TRUE(read_text("a b 5\n", with_weights(), "t.edges").info.warnings.empty());
}

}  // namespace
}  // namespace countpm::table_test
