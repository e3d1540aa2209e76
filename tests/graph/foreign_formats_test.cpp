// DIMACS, graph6, digraph6, sparse6, GraphML and DOT: what is read, and what each refuses and on which line.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "graph/errors.hpp"
#include "graph/formats/reader.hpp"
#include "tests/repeats.hpp"

namespace countpm::foreign_formats_test {
namespace {

using testing::repeats;

using Reader = Graph (*)(std::string_view, const std::string&, const ReadOptions&, InputInfo&);

Graph read(Reader reader, const std::string& bytes, const ReadOptions& options = {}) {
  InputInfo info;
  return reader(bytes, "input", options, info);
}

// "a b" for every edge, sorted; with " weight" where there are integer weights. Undirected ends in the order
// of the edge.
std::vector<std::string> edges_of(const Graph& graph) {
  std::vector<std::string> edges;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    std::string text =
        graph.left_labels.label(graph.edges[e].from) + " " + graph.left_labels.label(graph.edges[e].to);
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&graph.values))
      text += fmt::format(" {}", (*integers)[e]);
    if (const auto* rationals = std::get_if<std::vector<mpq_class>>(&graph.values))
      text += fmt::format(" {}", (*rationals)[e].get_str());
    edges.push_back(text);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

using Edges = std::vector<std::string>;

// The reader refuses the bytes, on that line, and the message has `part` in it.
void expect_refused(Reader reader, const std::string& bytes, std::uint64_t line, const std::string& part,
                    const ReadOptions& options = {}) {
  try {
    read(reader, bytes, options);
    ADD_FAILURE() << "accepted: " << quoted(bytes, 200);
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), line) << quoted(bytes, 200) << "\n" << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << quoted(bytes, 200) << "\n"
                                                                       << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
  }
}

ReadOptions with_weights() {
  ReadOptions options;
  options.weights = true;
  return options;
}

TEST(Dimacs, Undirected) {
  for (const std::string kind : {"edge", "col"}) {
    const Graph graph =
        read(read_dimacs, "c a square\nc\n\np " + kind + " 5 4\nn 1 7\ne 1 2\ne 2 3\r\n  e  3\t4\ne 4 1");
    EXPECT_EQ(graph.kind, GraphKind::undirected);
    EXPECT_EQ(graph.left_labels.size(), 5U);
    EXPECT_EQ(edges_of(graph), (Edges{"1 2", "2 3", "3 4", "4 1"}));
  }
}

TEST(Dimacs, Directed) {
  const std::string text = "p sp 3 4\na 1 2 5\na 2 1 6\na 3 3 -7\na 2 3 0\n";
  const Graph graph = read(read_dimacs, text);
  EXPECT_EQ(graph.kind, GraphKind::directed);
  EXPECT_EQ(edges_of(graph), (Edges{"1 2", "2 1", "3 3"}));
  EXPECT_EQ(edges_of(read(read_dimacs, text, with_weights())), (Edges{"1 2 5", "2 1 6", "3 3 -7"}));
  EXPECT_EQ(edges_of(read(read_dimacs, "p max 2 1\nn 1 s\nn 2 t\na 1 2 1/2\n", with_weights())),
            (Edges{"1 2 1/2"}));
}

TEST(Dimacs, NoEdges) {
  EXPECT_EQ(read(read_dimacs, "p edge 0 0\n").left_labels.size(), 0U);
  EXPECT_EQ(read(read_dimacs, "p edge 4000000000 0\n").left_labels.size(), 4000000000U);
}

TEST(Dimacs, Refusals) {
  expect_refused(read_dimacs, "c only\n", 1, "p edge N M");
  expect_refused(read_dimacs, "e 1 2\np edge 2 1\n", 1, "the line p before");
  expect_refused(read_dimacs, "p edge 2 1\np edge 2 1\n", 2, "a second one");
  expect_refused(read_dimacs, "p edge 2\n", 1, "3 words");
  expect_refused(read_dimacs, "p edge 2 1 1\n", 1, "5 words");
  expect_refused(read_dimacs, "p cnf 2 1\n1 2 0\n", 1, "'cnf'");
  expect_refused(read_dimacs, "p edge x 1\n", 1, "'x'");
  expect_refused(read_dimacs, "p edge 4294967295 1\n", 1, "'4294967295'");
  expect_refused(read_dimacs, "p edge -1 1\n", 1, "'-1'");
  expect_refused(read_dimacs, "p edge 2 99999999999999999999\n", 1, "'99999999999999999999'");
  expect_refused(read_dimacs, "p edge 3 2\ne 1 2\n", 2, "after 1");
  expect_refused(read_dimacs, "p edge 3 1\ne 1 2\nc\ne 2 3\n", 4, "one more");
  expect_refused(read_dimacs, "p edge 3 1\ne 1 4\n", 2, "'4'");
  expect_refused(read_dimacs, "p edge 3 1\ne 0 1\n", 2, "'0'");
  expect_refused(read_dimacs, "p edge 3 1\ne 1\n", 2, "2 words");
  expect_refused(read_dimacs, "p edge 3 1\ne 1 2 3 4\n", 2, "5 words");
  expect_refused(read_dimacs, "p edge 3 1\ne 1 2 nan\n", 2, "nan");
  expect_refused(read_dimacs, "p edge 3 1\na 1 2 1\n", 2, "'a'");
  expect_refused(read_dimacs, "p sp 3 1\ne 1 2\n", 2, "'e'");
  expect_refused(read_dimacs, "p edge 3 1\nq 1 2\n", 2, "'q'");
  expect_refused(read_dimacs, "p edge 3 1\nn 4 1\n", 2, "'4'");
  expect_refused(read_dimacs, "p edge 3 1\nn\n", 2, "end of the line");
  expect_refused(read_dimacs, "p edge 3 3\ne 1 2\ne 2 1\ne 1 3\n", 3, "");
  expect_refused(read_dimacs, "p edge 3 1\ne 2 2\n", 2, "loop");
}

// The examples of nauty's formats.txt: graph6 and sparse6 of small graphs on vertices 0, 1, ...
TEST(Graph6, Examples) {
  const Graph graph = read(read_graph6, "DQc\n");
  EXPECT_EQ(graph.kind, GraphKind::undirected);
  EXPECT_EQ(graph.left_labels.size(), 5U);
  EXPECT_EQ(edges_of(graph), (Edges{"0 2", "0 4", "1 3", "3 4"}));
  EXPECT_EQ(edges_of(read(read_graph6, ">>graph6<<DQc")), (Edges{"0 2", "0 4", "1 3", "3 4"}));
  EXPECT_EQ(edges_of(read(read_digraph6, "&DI?AO?\r\n")), (Edges{"0 2", "0 4", "3 1", "3 4"}));
  EXPECT_EQ(read(read_digraph6, ">>digraph6<<&DI?AO?").kind, GraphKind::directed);
  EXPECT_EQ(edges_of(read(read_sparse6, ":Fa@x^\n")), (Edges{"0 1", "0 2", "1 2", "5 6"}));
  EXPECT_EQ(read(read_sparse6, ">>sparse6<<:Fa@x^\n\n").left_labels.size(), 7U);
}

TEST(Graph6, SmallestGraphs) {
  EXPECT_EQ(read(read_graph6, "?").left_labels.size(), 0U);
  EXPECT_EQ(read(read_graph6, "@").left_labels.size(), 1U);
  EXPECT_EQ(edges_of(read(read_graph6, "A_")), (Edges{"0 1"}));
  EXPECT_EQ(read(read_digraph6, "&?").left_labels.size(), 0U);
  EXPECT_EQ(edges_of(read(read_digraph6, "&@_")), (Edges{"0 0"}));
  EXPECT_EQ(read(read_sparse6, ":?").left_labels.size(), 0U);
  EXPECT_EQ(read(read_sparse6, ":@").left_labels.size(), 1U);
}

std::string six_bits(const std::vector<bool>& bits, bool filling) {
  std::string text;
  for (std::size_t at = 0; at < bits.size(); at += 6) {
    int value = 0;
    for (std::size_t i = at; i < at + 6; ++i) value = value << 1 | (i < bits.size() ? bits[i] : filling);
    text += static_cast<char>(63 + value);
  }
  return text;
}

std::string size_text(std::uint64_t n, int characters) {
  std::string text(characters == 1 ? 0 : characters == 3 ? 1 : 2, '~');
  for (int i = characters - 1; i >= 0; --i) text += static_cast<char>(63 + (n >> (6 * i) & 63));
  return text;
}

std::string encoded_size(std::uint64_t n) {
  return size_text(n, n <= 62 ? 1 : n <= 258047 ? 3 : 6);
}

// As formats.txt says, filling bits included.
std::string sparse6_of(std::uint64_t n, const std::vector<std::pair<Index, Index>>& edges) {
  unsigned width = 0;
  while (n > 1 && (n - 1) >> width != 0) ++width;
  std::vector<bool> bits;
  const auto put = [&](bool b, std::uint64_t x) {
    bits.push_back(b);
    for (unsigned i = width; i-- > 0;) bits.push_back((x >> i & 1) != 0);
  };
  Index v = 0;
  for (const auto& [large, small] : edges) {  // sorted, large >= small
    if (large == v) {
      put(false, small);
    } else if (large == v + 1) {
      put(true, small);
    } else {
      put(true, large);
      put(false, small);
    }
    v = large;
  }
  const std::size_t fill = (6 - bits.size() % 6) % 6;
  if (fill > width && v + 2 == n && n == std::uint64_t{1} << width) bits.push_back(false);
  return fmt::format(":{}{}", encoded_size(n), six_bits(bits, true));
}

TEST(Graph6, RandomGraphsOfEverySizeEncoding) {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  const auto pick = [&](std::uint64_t bound) { return static_cast<Index>(random() % bound); };
  for (int round = 0; round < repeats(400); ++round) {
    const Index n = round % 4 < 3 ? pick(20) : 55 + pick(20);
    const Index density = 1 + pick(9);
    std::vector<bool> triangle;
    std::vector<bool> square;
    Edges undirected;
    Edges directed;
    std::vector<std::pair<Index, Index>> pairs;
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < j; ++i) {
        triangle.push_back(pick(10) < density);
        if (!triangle.back()) continue;
        undirected.push_back(std::to_string(i) + " " + std::to_string(j));
        pairs.emplace_back(j, i);
      }
      for (Index i = 0; i < n; ++i) {
        square.push_back(pick(10) < density);
        if (square.back()) directed.push_back(std::to_string(j) + " " + std::to_string(i));
      }
    }
    std::sort(undirected.begin(), undirected.end());
    std::sort(directed.begin(), directed.end());
    for (const int characters : {1, 3, 6}) {
      if (characters == 1 && n > 62) continue;
      const std::string size = size_text(n, characters);
      EXPECT_EQ(edges_of(read(read_graph6, size + six_bits(triangle, false))), undirected) << "seed " << seed;
      EXPECT_EQ(edges_of(read(read_digraph6, fmt::format("&{}", size) + six_bits(square, false))), directed)
          << "seed " << seed;
    }
    const std::string sparse = sparse6_of(n, pairs);
    EXPECT_EQ(edges_of(read(read_sparse6, sparse)), undirected) << "seed " << seed << " " << sparse;
  }
}

// n = 2, 4, 8, 16 with an edge at vertex n - 2 and none at n - 1: the filling bits must not read as an edge.
TEST(Graph6, Sparse6FillingAtPowersOfTwo) {
  for (const Index n : {2U, 4U, 8U, 16U}) {
    for (Index small = 0; small + 2 < n; ++small) {
      const Graph graph = read(read_sparse6, sparse6_of(n, {{n - 2, small}}));
      EXPECT_EQ(graph.edges.size(), 1U) << n << " " << small;
      EXPECT_EQ(graph.left_labels.size(), n);
    }
  }
}

TEST(Graph6, Sparse6OfAMillionVertices) {
  const std::string text = sparse6_of(1000000, {{7, 3}, {500000, 9}, {999999, 999998}});
  const Graph graph = read(read_sparse6, text);
  EXPECT_EQ(graph.left_labels.size(), 1000000U);
  EXPECT_EQ(edges_of(graph), (Edges{"3 7", "9 500000", "999998 999999"}));
}

TEST(Graph6, Refusals) {
  expect_refused(read_graph6, "DQ", 1, "2 characters");
  expect_refused(read_graph6, "DQcc", 1, "2 characters");
  expect_refused(read_graph6, "DQd", 1, "zeros");
  expect_refused(read_graph6, "DQ!", 1, "'!'");
  expect_refused(read_graph6, "DQ c", 1, "' '");
  expect_refused(read_graph6, "DQ\x7f", 1, "\\x7f");
  expect_refused(read_graph6, "DQc\nDQc\n", 2, "one graph6 graph");
  expect_refused(read_graph6, "DQc\n\n\nD", 4, "one graph6 graph");
  expect_refused(read_graph6, "\n", 1, "number of vertices");
  expect_refused(read_graph6, "~", 1, "number of vertices");
  expect_refused(read_graph6, "~??", 1, "number of vertices");
  expect_refused(read_graph6, "~~?????", 1, "number of vertices");
  expect_refused(read_graph6, "~~~~~~~~", 1, "at most");
  expect_refused(read_graph6, "~~?~~~~~", 1, "characters after the size");
  expect_refused(read_graph6, ">>sparse6<<:Fa@x^", 1, ">>graph6<<");
  expect_refused(read_graph6, ">>graph6<<", 1, "number of vertices");
  expect_refused(read_digraph6, "DI?AO?", 1, "'&'");
  expect_refused(read_digraph6, "&DI?AO", 1, "5 characters");
  expect_refused(read_digraph6, "&", 1, "number of vertices");
  expect_refused(read_sparse6, "Fa@x^", 1, "':'");
  expect_refused(read_sparse6, ";Fa@x^", 1, "':'");
  expect_refused(read_sparse6, ":", 1, "number of vertices");
  expect_refused(read_sparse6, ":Fa@x^~", 1, "ones");
  expect_refused(read_sparse6, ":D~???", 1, "ones");
  expect_refused(read_sparse6, ":?~", 1, "ones");
  expect_refused(read_sparse6, ":A?", 1, "loop");
}

std::string graphml(const std::string& direction, const std::string& inside) {
  return "<?xml version=\"1.0\"?>\n<graphml>\n<key id=\"w\" for=\"edge\" attr.name=\"weight\" "
         "attr.type=\"double\"/>\n"
         "<key id=\"c\" for=\"node\" attr.name=\"colour\" attr.type=\"string\"><default>red</default></key>\n"
         "<graph edgedefault=\"" +
         direction + "\">\n" + inside + "</graph>\n</graphml>\n";
}

TEST(GraphMl, UndirectedAndDirected) {
  const std::string inside =
      "<node id=\"left &amp; right\"><data key=\"c\">blue</data></node>\n<node id='b'/><node "
      "id=\"&#xe9;&#233;\"/>\n<node id=\"alone\"/>\n"
      "<edge source=\"left &amp; right\" target=\"b\"/>\n<!-- <edge source='x' target='y'/> -->\n"
      "<edge id=\"e2\" target=\"b\" source=\"&#233;é\"><data key=\"w\"> 3 </data></edge>\n";
  for (const std::string direction : {"undirected", "directed"}) {
    const Graph graph = read(read_graphml, graphml(direction, inside));
    EXPECT_EQ(name_of(graph.kind), direction);
    EXPECT_EQ(graph.left_labels.size(), 4U);
    EXPECT_EQ(graph.left_labels.label(3), "alone");
    EXPECT_EQ(edges_of(graph), (Edges{"left & right b", "éé b"}));
    EXPECT_EQ(edges_of(read(read_graphml, graphml(direction, inside), with_weights())),
              (Edges{"left & right b 1", "éé b 3"}));
  }
}

TEST(GraphMl, DefaultWeightAndExplicitZero) {
  const std::string text =
      "<graphml><key id=\"d\" for=\"edge\" attr.name=\"weight\" attr.type=\"int\"><default>5</default></key>"
      "<graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"/>"
      "<edge source=\"b\" target=\"a\"><data key=\"d\">0</data></edge><edge source=\"a\" target=\"a\"><data "
      "key=\"d\">1/3</data></edge>"
      "</graph></graphml>";
  EXPECT_EQ(edges_of(read(read_graphml, text, with_weights())), (Edges{"a a 1/3", "a b 5"}));
  EXPECT_EQ(edges_of(read(read_graphml, text)), (Edges{"a a", "a b"}));
}

TEST(GraphMl, EdgesBeforeTheirNodes) {
  EXPECT_EQ(edges_of(read(
                read_graphml,
                graphml("directed", "<edge source=\"b\" target=\"a\"/><node id=\"a\"/><node id=\"b\"/>\n"))),
            (Edges{"b a"}));
}

// A node's key may be called "weight" too, keys may come last, and data of yet another element are not looked
// at.
TEST(GraphMl, KeysThatAreNoTrouble) {
  const std::string text =
      "<graphml><key id=\"n\" for=\"node\" attr.name=\"weight\"/><key id=\"x\" for=\"all\" "
      "attr.name=\"note\"/>"
      "<graph edgedefault=\"directed\"><node id=\"a\"><data key=\"n\">9</data></node><node id=\"b\"/>"
      "<edge source=\"a\" target=\"b\"><data key=\"x\">7</data><data key=\"w\">2</data></edge>"
      "<edge source=\"b\" target=\"a\"><data key=\"w\">3</data><data key=\"x\"><y><data/></y></data></edge>"
      "</graph><key id=\"w\" for=\"edge\" attr.name=\"weight\"/></graphml>";
  EXPECT_EQ(edges_of(read(read_graphml, text, with_weights())), (Edges{"a b 2", "b a 3"}));
}

TEST(GraphMl, KeyRefusals) {
  const auto edge = [](const std::string& data) {
    return graphml("directed", "<node id=\"a\"/>\n<edge source=\"a\" target=\"a\">\n" + data + "\n</edge>\n");
  };
  const std::string two = "<data key=\"w\">2</data>\n<data key=\"w\">3</data>";
  expect_refused(read_graphml, edge(two), 9, "second one of 'w'", with_weights());
  expect_refused(read_graphml, edge("<data key=\"u\">2</data>"), 8, "'u'", with_weights());
  expect_refused(read_graphml, edge("<data key=\"c\">2</data>"), 8, "a key for edges", with_weights());
  expect_refused(read_graphml, edge("<data>2</data>"), 8, "key=", with_weights());
  const auto keys = [](const std::string& key) {
    return "<graphml>\n<key id=\"w\" for=\"edge\" attr.name=\"weight\"/>\n" + key +
           "\n<graph edgedefault=\"directed\"/></graphml>";
  };
  expect_refused(read_graphml, keys("<key id=\"v\" for=\"edge\" attr.name=\"weight\"/>"), 3, "'v'");
  expect_refused(read_graphml, keys("<key id=\"v\" for=\"all\" attr.name=\"weight\"/>"), 3, "'v'");
  expect_refused(read_graphml, keys("<key id=\"w\" for=\"node\" attr.name=\"colour\"/>"), 3, "a new key id");
}

TEST(GraphMl, Refusals) {
  const auto undirected = [](const std::string& inside) { return graphml("undirected", inside); };
  const std::string nodes = "<node id=\"a\"/>\n<node id=\"b\"/>\n";
  expect_refused(read_graphml, "no XML", 1, "<graph>");
  expect_refused(read_graphml, "<html></html>", 1, "<graphml>");
  expect_refused(read_graphml, "<graphml></graphml>", 1, "<graph>");
  expect_refused(read_graphml, "<graphml><graph edgedefault=\"undirected\">", 1, "</graph>");
  expect_refused(read_graphml, "<graphml>\n<graph edgedefault=\"undirected\"></graphml></graph>", 2,
                 "</graph>");
  expect_refused(read_graphml, "<graphml>\n<graph></graph></graphml>", 2, "edgedefault");
  expect_refused(read_graphml, "<graphml>\n<graph edgedefault=\"both\"></graph></graphml>", 2, "'both'");
  expect_refused(read_graphml, undirected("<node/>\n"), 6, "id=");
  expect_refused(read_graphml, undirected(nodes + "<node id=\"a\"/>\n"), 8, "a new id");
  expect_refused(read_graphml, undirected(nodes + "<edge source=\"a\" target=\"c\"/>\n"), 8,
                 "unknown node 'c'");
  expect_refused(read_graphml, undirected(nodes + "<edge source=\"c\" target=\"a\"/>\n"), 8,
                 "unknown node 'c'");
  expect_refused(read_graphml, undirected(nodes + "<edge source=\"a\"/>\n"), 8, "target=");
  expect_refused(read_graphml, undirected(nodes + "<edge source=\"a\" target=\"a\"/>\n"), 8, "loop");
  expect_refused(read_graphml,
                 undirected(nodes + "<edge source=\"a\" target=\"b\"/>\n<edge source=\"a\" target=\"b\"/>\n"),
                 9, "");
  expect_refused(read_graphml, undirected(nodes + "<edge source=\"a\" target=\"b\" directed=\"true\"/>\n"), 8,
                 "a directed one");
  expect_refused(read_graphml,
                 graphml("directed", nodes + "<edge source=\"a\" target=\"b\" directed=\"false\"/>\n"), 8,
                 "an undirected one");
  expect_refused(read_graphml,
                 undirected(nodes + "<edge source=\"a\" target=\"b\"><data key=\"w\">much</data></edge>\n"),
                 8, "much");
  expect_refused(read_graphml,
                 undirected(nodes + "<edge source=\"a\" target=\"b\"><data key=\"w\">inf</data></edge>\n"), 8,
                 "inf");
  expect_refused(read_graphml, undirected("<hyperedge/>\n"), 6, "hyperedge");
  expect_refused(read_graphml, undirected("<node id=\"a\"><graph edgedefault=\"directed\"/></node>\n"), 6,
                 "nested");
  expect_refused(read_graphml, undirected("</graph>\n<graph edgedefault=\"undirected\">\n"), 7,
                 "second <graph>");
  expect_refused(read_graphml, undirected("<node id=\"&bomb;\"/>\n"), 6, "&bomb;");
  expect_refused(read_graphml, undirected("<node id=\"&#0;\"/>\n"), 6, "&#0;");
  expect_refused(read_graphml, "<!DOCTYPE graphml [<!ENTITY a \"b\">]>\n<graphml/>", 1, "DOCTYPE");
  expect_refused(read_graphml, undirected("<node id=\"a\n"), 6, "end of the file");
  expect_refused(read_graphml, undirected("<node id=\"a\"<\n"), 6, "'<'");
  expect_refused(read_graphml, undirected("<!-- \n"), 6, "-->");
  expect_refused(read_graphml, undirected(std::string("<node id=\"a\0\"/>\n", 16)), 6, "NUL");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<d>";
  expect_refused(read_graphml, undirected(deep), 6, "32 deep");
}

TEST(Dot, UndirectedAndDirected) {
  const Graph graph = read(read_dot,
                           "/* a */ graph \"name\" { // b\n# c\n a -- b -- \"c d\" [weight=2, color=red];\n "
                           "lone; b [label=\"x]y\"]\n node [shape=box] }\n");
  EXPECT_EQ(graph.kind, GraphKind::undirected);
  EXPECT_EQ(graph.left_labels.size(), 4U);
  EXPECT_EQ(edges_of(graph), (Edges{"a b", "b c d"}));
  const std::string text =
      "strict DiGraph{ edge[weight=\"1/2\"] x->y:n y->x[weight=7] -1.5 -> x [weight=0] x -> y }";
  EXPECT_EQ(read(read_dot, text).kind, GraphKind::directed);
  EXPECT_EQ(edges_of(read(read_dot, text)), (Edges{"x y", "y x"}));
  EXPECT_EQ(edges_of(read(read_dot, text, with_weights())), (Edges{"x y 1/2", "y x 7"}));
  EXPECT_EQ(read(read_dot, "graph{}").left_labels.size(), 0U);
}

TEST(Dot, Groups) {
  EXPECT_EQ(edges_of(read(read_dot, "graph { {a b} -- {c d} -- e }")),
            (Edges{"a c", "a d", "b c", "b d", "c e", "d e"}));
  EXPECT_EQ(edges_of(read(read_dot, "digraph { subgraph s {a; b} c -> subgraph s; subgraph s {d} }")),
            (Edges{"c a", "c b"}));
}

TEST(Dot, StrictMergesRepeatedEdgesAndKeepsLoops) {
  const std::string text = "strict graph { a -- b [weight=2]; b -- a; b -- a [weight=5]; b -- c }";
  EXPECT_EQ(edges_of(read(read_dot, text)), (Edges{"a b", "b c"}));
  EXPECT_EQ(edges_of(read(read_dot, text, with_weights())), (Edges{"a b 5", "b c 1"}));
  EXPECT_EQ(edges_of(read(read_dot, "strict digraph { a -> a; a -> b; a -> b; b -> a }")),
            (Edges{"a a", "a b", "b a"}));
}

TEST(Dot, LoopsOfADigraph) {
  EXPECT_EQ(edges_of(read(read_dot, "digraph { a -> a }")), (Edges{"a a"}));
}

TEST(Dot, LongCommentsAndBlanks) {
  std::string text = "graph {\n";
  for (int i = 0; i < 20000; ++i)
    text += "// a comment of some length, again and again\n   \t  /* another */\n";
  text += std::string(1000000, ' ') + "a -- b }";
  EXPECT_EQ(edges_of(read(read_dot, text)), (Edges{"a b"}));
}

TEST(Dot, Numerals) {
  const auto read_weights = [](const std::string& text) {
    return edges_of(read(read_dot, text, with_weights()));
  };
  EXPECT_EQ(read_weights("graph{1--2}"), (Edges{"1 2"}));
  EXPECT_EQ(read_weights("digraph{1->2}"), (Edges{"1 2"}));
  EXPECT_EQ(read_weights("digraph{-.5->1.}"), (Edges{"-.5 1."}));
  EXPECT_EQ(read_weights("graph{1---2}"), (Edges{"1 -2"}));
  EXPECT_EQ(read_weights("graph{a_1--_2b--C3}"), (Edges{"_2b C3", "a_1 _2b"}));
  EXPECT_EQ(read_weights("graph{a--b[weight=1.5]}"), (Edges{"a b 3/2"}));
  EXPECT_EQ(read_weights("graph{a--b[x=1.,weight=-2;]}"), (Edges{"a b -2"}));
  EXPECT_EQ(read_weights("graph{a--b[weight=\"1e5\"]}"), (Edges{"a b 100000"}));
  EXPECT_EQ(read_weights("graph{a--b[weight=2;color=\"a\"+\"b\", label=x shape=y]}"), (Edges{"a b 2"}));
  EXPECT_EQ(edges_of(read(read_dot, "graph{\"1e5\"--\"a-2\"}")), (Edges{"1e5 a-2"}));
}

TEST(Dot, NumeralsThatWouldFallApart) {
  for (const std::string text :
       {"1e5", "2.5e-3", "1e400", "0x10",  "10abc", "1.2.3", "1_000", "1-2", "-1e5", "1.-2",
        "1..", "-",      "-a",    "--.5.", ".",     "a.5",   "a-2",   "-.",  "1-",   ".e5"}) {
    const std::string part = fmt::format("'{}'", text.starts_with("--") ? text.substr(2) : text);
    expect_refused(read_dot, "graph{\na--b[weight=" + text + "]}", 2, part, with_weights());
    expect_refused(read_dot, "graph{\n" + text + " --b}", 2, part);
  }
  expect_refused(read_dot, "graph{\n1e5--b}", 2, "'1e5'");
}

TEST(Dot, Refusals) {
  expect_refused(read_dot, "tree { a -- b }", 1, "'tree'");
  expect_refused(read_dot, "graph { a -- b", 1, "'}'");
  expect_refused(read_dot, "graph\n{\n a -- b }\n}", 4, "one graph");
  expect_refused(read_dot, "graph { a -- b }\ngraph { c -- d }", 2, "one graph");
  expect_refused(read_dot, "}", 1, "'}'");
  expect_refused(read_dot, "", 1, "end of the file");
  expect_refused(read_dot, "graph { a -> b }", 0, "DOT");
  expect_refused(read_dot, "digraph { a -- b }", 0, "DOT");
  expect_refused(read_dot, "graph { a -- }", 0, "DOT");
  expect_refused(read_dot, "graph { a b [ }", 1, "'}'");
  expect_refused(read_dot, "graph { a [x==y] }", 1, "an attribute's value");
  expect_refused(read_dot, "graph {\n\"a\n\n -- b }", 2, "closing");
  expect_refused(read_dot, "graph {\n a [label=<b>x</b>] }", 2, "HTML");
  expect_refused(read_dot, "graph {\n\n caf\xc3\xa9 -- b }", 3, "quotes");
  expect_refused(read_dot, "graph { /* ", 1, "*/");
  expect_refused(read_dot, "graph { a -- a }", 0, "loop");
  expect_refused(read_dot, "graph { a -- b a -- b }", 0, "");
  expect_refused(read_dot, "graph { a -- b [weight=nan] }", 0, "nan");
  expect_refused(read_dot, "graph { a -- b [weight=\"\"] }", 0, "");
  expect_refused(read_dot, std::string("graph { a\0 }", 12), 1, "NUL");
  expect_refused(read_dot, "graph {" + std::string(100000, '{'), 1, "200 deep");
  expect_refused(read_dot, "graph { \"" + std::string(100000, 'x') + "\" }", 1, "16384");
  std::string product = "graph { { ";
  for (int i = 0; i < 20000; ++i) product += fmt::format("a{} ", i);
  product += "} -- { ";
  for (int i = 0; i < 20000; ++i) product += fmt::format("b{} ", i);
  expect_refused(read_dot, product + "} }", 1, "groups");
}

}  // namespace
}  // namespace countpm::foreign_formats_test
