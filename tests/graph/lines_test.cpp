// Lines of edges and of neighbours as programs print them: what each is read as, in every form that means the
// same; that it is said; and what is asked for where two readings are sensible.
#include <array>

#include "tests/graph/reading_names.hpp"

namespace countpm::lines_test {
namespace {

using namespace reading_names;

std::string in_utf16(const std::string& ascii) {
  std::string bytes = "\xff\xfe";
  for (const char c : ascii) bytes += {c, '\0'};
  return bytes;
}

std::string with_line_ends(const std::string& text, const std::string& end) {
  std::string result;
  for (const char c : text) result += c == '\n' ? end : std::string(1, c);
  return result;
}

/// The text with other line ends, marks and comments.
std::vector<std::string> forms_of(const std::string& text) {
  std::vector<std::string> forms = {text,
                                    with_line_ends(text, "\r\n"),
                                    with_line_ends(text, "\r"),
                                    "\xef\xbb\xbf" + text,
                                    "# a comment\n" + text,
                                    "\n" + text,
                                    text.substr(0, text.size() - 1)};
  if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    forms.push_back(in_utf16(text));
  return forms;
}

std::string all_warnings(const InputInfo& info) {
  std::string text;
  for (const std::string& warning : info.warnings) text += warning + "\n";
  return text;
}

/// Each form is read as these edges, and a warning has these words.
void expect_warned(const std::string& text, const std::string& words, const Labels& edges,
                   const ReadOptions& options = {}, const std::string& name = "t") {
  for (const std::string& form : forms_of(text)) {
    SCOPED_TRACE(form);
    const ReadResult result = read_text(form, options, name);
    EXPECT_EQ(edge_labels(result.graph), edges);
    EXPECT_NE(all_warnings(result.info).find(words), std::string::npos) << all_warnings(result.info);
    ReadOptions strict = options;
    strict.strict = true;
    EXPECT_THROW(read_text(form, strict, name), InputError);
  }
}

void expect_asked(const std::string& text, const std::string& one, const std::string& other,
                  const ReadOptions& options = {}, const std::string& name = "t") {
  for (const std::string& form : forms_of(text)) {
    SCOPED_TRACE(form);
    const std::string error = input_error(form, options, name).what();
    EXPECT_NE(error.find(one), std::string::npos) << error;
    EXPECT_NE(error.find(other), std::string::npos) << error;
  }
}

void expect_silent(const std::string& text, const Labels& edges, const ReadOptions& options = {},
                   const std::string& name = "t") {
  SCOPED_TRACE(text);
  const ReadResult result = read_text(text, options, name);
  EXPECT_EQ(edge_labels(result.graph), edges);
  EXPECT_EQ(result.info.warnings, Labels{});
}

ReadOptions ends(const std::string& columns, ReadOptions options = {}) {
  options.end_columns = columns;
  return options;
}

const Labels cycle = {"1 2", "2 3", "3 4", "1 4"};

/// The cycle with weights 2, 3, 5 and 7, in lines of this form: A and B stand for the ends, W for the weight.
std::string cycle_as(const std::string& form) {
  std::string text;
  const std::vector<std::array<const char*, 3>> lines = {
      {"1", "2", "2"}, {"2", "3", "3"}, {"3", "4", "5"}, {"1", "4", "7"}};
  for (const auto& [a, b, w] : lines) {
    for (const char c : form) text += c == 'A' ? a : c == 'B' ? b : c == 'W' ? w : std::string(1, c);
    text += '\n';
  }
  return text;
}

TEST(Lines, EdgesInOneWordOrWithinBrackets) {
  for (const char* const form :
       {"A-B W",      "(A,B): W",   "A:B W",   "A->B [W]", "(A,B) W",     "A -- B: W",
        "A_B W",      "A..B\tW",    "A::B W",  "A|B W",    "A~B W",       "A=B W",
        "A→B W",      "A+B W",      "{A,B} W", "A,B: W",   "(A, B) W",    "(A,B)=W",
        "A -> B [W]", "A -- B (W)", "A-B: W",  "A-B;W",    "A-B,W",       "\"A-B\" W",
        "<A,B> W",    "A -- B = W", "A–B W",   "A-B [W]",  "(A, B) -> W", "A->B [weight=W]"}) {
    const std::string text = cycle_as(form);
    expect_warned(text, "was taken for an edge and what is behind it for its value", cycle, with_weights());
    expect_warned(text, "4 values other than 1, which are not used", cycle);
    const ReadResult weighted = read_text(text, with_weights(), "t.edges");
    EXPECT_EQ(std::get<1>(weighted.graph.values), (std::vector<std::int64_t>{2, 3, 5, 7})) << form;
    // Who says that the first word is a label gets that.
    if (text.find_first_of(" \t") == 3 && form[0] == 'A') {
      EXPECT_NE(edge_labels(read_text(text, in_format(Format::edge_list)).graph), cycle) << text;
    }
  }
  for (const char* const form : {"A-B", "A:B", "(A, B)", "A_B"})
    expect_warned(cycle_as(form), "taken for", cycle);
}

TEST(Lines, WeightsWithLettersBesidePlainOnes) {
  ReadOptions options = with_weights();
  options.letters = true;
  for (const char* const text :
       {"1 -- 2 2*x\n2 -- 3 3\n3 -- 4 5\n1 -- 4 7\n", "1 -- 2 2\n2 -- 3 3\n3 -- 4 5\n1 -- 4 7*x\n",
        "1 -> 2 2\n2 -> 3 3*y^2\n3 -> 4 5\n1 -> 4 7\n", "1 -> 2 y^2\n3 <- 2 3\n4 <- 3 5\n4 <- 1 7\n"})
    EXPECT_EQ(edge_labels(read_text(text, options).graph), cycle) << text;
}

TEST(Lines, NamesThatMayBeEdgesAreAskedFor) {
  const std::string names = "Bern-Rome 2\nRome-Paris 3\nParis-Oslo 5\n";
  expect_asked(names, "--ends 1", "--format edgelist");
  expect_asked("a1-b2,2\nb2-c3,3\n", "--ends 1", "--format csv", {}, "t.csv");
  expect_asked("v1_v2 2\nv2_v3 3\n", "--ends 1", "--format edgelist", with_weights());
  expect_asked("1-2 2\n1-3 3\n", "--ends 1", "--format edgelist");  // a star, or two edges
  EXPECT_EQ(edge_labels(read_text(names, ends("1")).graph),
            (Labels{"Bern Rome", "Rome Paris", "Paris Oslo"}));
  EXPECT_EQ(edge_labels(read_text(names, in_format(Format::edge_list)).graph),
            (Labels{"Bern-Rome 2", "Rome-Paris 3", "Paris-Oslo 5"}));
  EXPECT_EQ(input_error("a b\nc d\n", ends("1")).found(), "other lines");
  // Names and nothing else.
  expect_silent("C-1 C-2\nC-2 C-3\n", {"C-1 C-2", "C-2 C-3"});
  expect_silent("u_1 1\nu_2 2\n", {"u_1 1", "u_2 2"});
  expect_silent("host-1 3\nhost-1 4\nrack-2 4\n", {"host-1 3", "host-1 4", "rack-2 4"});
  // Other lines among them.
  EXPECT_EQ(input_error("(1,2): 2\n(2,3): 3\n(3,4): 5\nthe end of it\n").line(), 4U);
  EXPECT_EQ(input_error("2--3: 3\n1-3: 2\n1--4: 4\n").line(), 2U);
}

TEST(Lines, ArrowsInFrontOfValuesAreArcs) {
  const ReadOptions directed = with_weights(as_kind(GraphKind::directed));
  EXPECT_EQ(edge_labels(read_text("1->2 [3]\n2->3 [4]\n", directed).graph), (Labels{"1 2", "2 3"}));
  EXPECT_EQ(edge_labels(read_text("1<-2 [3]\n2<-3 [4]\n", directed).graph), (Labels{"2 1", "3 2"}));
  EXPECT_EQ(edge_labels(read_text("1 -- 2: 3\n2 -- 3: 4\n", directed).graph),
            (Labels{"1 2", "2 1", "2 3", "3 2"}));
}

// What MATLAB, Octave and SciPy print.
TEST(Lines, SparseMatrices) {
  const std::string entries = "(1,1)        5\n(2,1)        2\n(1,2)        1\n(2,2)        3\n";
  expect_asked(entries, "--kind undirected", "--kind bipartite");
  const Labels places = {"1 1", "2 1", "1 2", "2 2"};
  EXPECT_EQ(edge_labels(read_text(entries, with_weights(as_kind(GraphKind::bipartite))).graph), places);
  expect_warned("ans =\n\n   (1,1)        5\n   (2,1)        2\n   (1,2)        1\n   (2,2)        3\n",
                "size of a sparse matrix", places, with_weights());
  expect_silent(
      "Compressed Column Sparse (rows = 2, cols = 2, nnz = 4 [100%])\n\n  (1, 1) -> 5\n  (2, 1) -> 2\n"
      "  (1, 2) -> 1\n  (2, 2) -> 3\n",
      places, with_weights());
  expect_silent(
      "<3x2 sparse matrix of type '<class 'numpy.int64'>'\n\twith 2 stored elements in Compressed Sparse Row "
      "format>\n  (0, 0)\t5\n  (1, 1)\t2\n",
      {"1 1", "2 2"}, with_weights());
  expect_asked("  (0, 1)\t2\n  (1, 0)\t2\n  (1, 2)\t3\n  (2, 1)\t3\n", "--kind undirected",
               "--kind bipartite");
  // A name says that they are edges.
  expect_warned("edges =\n(1,2) 3\n(2,3) 4\n", "taken for an edge", {"1 2", "2 3"}, with_weights());
  // A column without an entry is there.
  EXPECT_EQ(read_text("(1,1) 1\n(2,3) 1\n", as_kind(GraphKind::bipartite)).graph.right_labels.size(), 3U);
}

TEST(Lines, NeighboursInLists) {
  const Labels edges = {"1 2", "1 4", "2 3", "3 4"};
  for (const std::string sign : {": ", " : ", ":", " -> ", "->", " => ", " → "}) {
    for (const auto& [open, close] : {std::pair("[", "]"), std::pair("{", "}"), std::pair("", "")}) {
      for (const char* const comma : {",", ", "}) {
        std::string text;
        for (const auto& [vertex, a, b] :
             {std::array{"1", "2", "4"}, {"2", "1", "3"}, {"3", "2", "4"}, {"4", "1", "3"}})
          text += vertex + sign + open + a + comma + b + close + "\n";
        expect_warned(text, "adjacency list", edges);
        EXPECT_EQ(edge_labels(read_text(text, {}, "t.edgelist").graph), edges) << text;
        EXPECT_EQ(edge_labels(read_text(text, in_format(Format::adjacency_list)).graph), edges) << text;
      }
    }
  }
  for (const char* const text : {"1 [2,4]\n2 [1,3]\n3 [2,4]\n4 [1,3]\n", "1 2,4\n2 1,3\n3 2,4\n4 1,3\n",
                                 "1;2,4\n2;1,3\n3;2,4\n4;1,3\n", "1\t2,4\n2\t1,3\n3\t2,4\n4\t1,3\n"})
    expect_warned(text, "adjacency list", edges);
  expect_warned("1 -> 2,4\n2 -> 3\n3 -> 4\n", "adjacency list", {"1 2", "1 4", "2 3", "3 4"});
  expect_warned("1 -> {2 4}\n2 -> {3}\n3 -> {4}\n", "adjacency list", {"1 2", "1 4", "2 3", "3 4"});
  expect_warned("1 -> 2,4\n1 -> 3\n", "adjacency list", {"1 2", "1 4", "1 3"});
  expect_warned("1: [2]\n2: [1]\n3: []\n", "adjacency list", {"1 2"});
  EXPECT_EQ(read_text("1: [2]\n2: [1]\n3: []\n").graph.left_labels.size(), 3U);
  expect_warned("0 | 1 2 3\n1 | 0\n2 | 0\n3 | 0\n", "adjacency list", {"0 1", "0 2", "0 3"});
  expect_warned("0 [2]\n1 [3]\n2 [0]\n3 [1]\n", "adjacency list", {"0 2", "1 3"});
  const ReadResult dashes = read_text("0 -- 2\n1 -- 3\n", in_format(Format::adjacency_list));
  EXPECT_NE(all_warnings(dashes.info).find("between a vertex and its neighbours"), std::string::npos);
  for (const char* const text : {"a;b,c\nb;c\n", "a;b\nb;c,d\n"})
    EXPECT_NE(all_warnings(read_text(text, in_format(Format::adjacency_list)).info).find("a comma"),
              std::string::npos);
  // Damaged lists.
  EXPECT_EQ(input_error("0 [2,3]\n1 [2,3]\n2 -> [0,1]\n3 [0,1]\n").line(), 2U);
  expect_warned("0:2 2\n1: 3\n", "'1:' was taken for the label", {"0:2 2", "1: 3"});
  for (const char* const text : {"0 [5,6]\n1 [7,6\n", "1 => [4]\n2 => [4,\n", "1: [2, 3, \n2: [1, 3]\n"}) {
    const ReadResult read = read_text(text, in_format(Format::adjacency_list));
    EXPECT_NE(all_warnings(read.info).find("was taken for the label of a vertex"), std::string::npos) << text;
  }
  expect_silent("a[0] b[1]\nb[0] a[1]\n", {"a[0] b[1]", "b[0] a[1]"});
  // A value behind a comma.
  expect_warned("a--b,7\nb--c,8\n", "was taken for an edge", {"a b", "b c"}, with_weights());
  expect_asked("1->2,7\n2->3,9\n4->3,8\n", "--format adjlist", "--ends 1");
}

// Every edge from both ends.
TEST(Lines, NeighboursOfTheVertexInFront) {
  const std::string k4 = "0 1 2 3\n1 0 2 3\n2 0 1 3\n3 0 1 2\n";
  const Labels edges = {"0 1", "0 2", "0 3", "1 2", "1 3", "2 3"};
  expect_warned(k4, "adjacency list", edges);
  expect_asked(k4, "--format adjlist", "--format dense", with_weights());
  EXPECT_EQ(read_text(k4, with_weights(as_kind(GraphKind::bipartite))).graph.right_labels.size(), 4U);
  for (const ReadOptions& options : {ReadOptions{}, with_weights()})
    expect_asked("1 2 6\n2 3 1\n3 4 2\n4 5 3\n5 6 4\n6 1 5\n", "--format adjlist", "--format edgelist",
                 options);
}

// The line's number is the vertex.
TEST(Lines, NeighboursWithoutTheVertex) {
  const std::string prism = "2 3 4\n1 3 5\n1 2 6\n1 5 6\n2 4 6\n3 4 5\n";
  const Labels edges = {"1 2", "1 3", "1 4", "2 3", "2 5", "3 6", "4 5", "4 6", "5 6"};
  for (const ReadOptions& options : {ReadOptions{}, with_weights()}) {
    expect_asked(prism, "--format metis", "--format edgelist", options);
    expect_asked("1,2,3\n0,2,4\n0,1,5\n0,4,5\n1,3,5\n2,3,4\n", "--format metis", "--format edgelist",
                 options);
    expect_asked("2 6\n1 3\n2 4\n3 5\n4 6\n1 5\n", "--format metis", "--format edgelist", options);
  }
  EXPECT_EQ(edge_labels(read_text(prism, in_format(Format::metis)).graph), edges);
  EXPECT_EQ(read_text(prism, in_format(Format::edge_list)).graph.edges.size(), 6U);
  // An edge list would have edges twice, or rows of no edges.
  expect_warned("2 3 4\n1 3 4\n1 2 4\n1 2 3\n", "each line was taken for the neighbours",
                {"1 2", "1 3", "1 4", "2 3", "2 4", "3 4"});
  expect_warned("1 2 3 4\n0 2 3 4\n0 1 3 4\n0 1 2 4\n0 1 2 3\n", "each line was taken for the neighbours",
                {"0 1", "0 2", "0 3", "0 4", "1 2", "1 3", "1 4", "2 3", "2 4", "3 4"});
  expect_warned("3 2 3 4\n3 1 3 5\n3 1 2 6\n3 1 5 6\n3 2 4 6\n3 3 4 5\n", "the number of neighbours", edges);
  expect_warned("4\n2 1 3\n2 0 2\n2 1 3\n2 0 2\n", "the number of neighbours", {"0 1", "0 3", "1 2", "2 3"});
  expect_warned("1 2 2 3\n2 2 1 3\n3 2 1 2\n", "its number of neighbours", {"1 2", "1 3", "2 3"});
  expect_warned("2\n1\n4\n3\n", "each line was taken for the neighbours", {"1 2", "3 4"});
  expect_warned("3\n3 4\n1 2\n2\n", "each line was taken for the neighbours", {"1 3", "2 3", "2 4"});
  // Under .dense a matrix.
  EXPECT_EQ(input_error("1 2 3\n0 2 3\n0 1 3\n0 1 2\n", {}, "t.dense").found(), "'2'");
  // The same graph in either reading.
  expect_silent("2 3\n1 3\n1 2\n5 6\n4 6\n4 5\n", {"2 3", "1 3", "1 2", "5 6", "4 6", "4 5"});
}

TEST(Lines, NamesAboveNumbersThatAreNoEdges) {
  expect_asked("x0,x1,x2\n0,0,1\n1,0,0\n", "--ends 1,2", "--format dense", with_weights(), "t.csv");
}

TEST(Lines, TimesInFront) {
  for (const ReadOptions& options : {ReadOptions{}, with_weights()}) {
    for (const char* const text : {"20 1 2\n21 2 3\n22 3 4\n23 1 4\n", "20 1 2\n20 3 4\n40 2 3\n60 1 4\n",
                                   "2020-01-01 1 2\n2020-01-02 2 3\n2020-01-03 3 4\n2020-01-04 1 4\n",
                                   "0.5 1 2\n1.0 2 3\n1.5 3 4\n2.0 1 4\n"})
      expect_asked(text, "--ends 2,3", "--ends 1,2", options);
  }
  EXPECT_EQ(edge_labels(read_text("20 1 2\n21 2 3\n", ends("2,3")).graph), (Labels{"1 2", "2 3"}));
  EXPECT_EQ(edge_labels(read_text("20 1 2\n21 2 3\n", in_format(Format::edge_list)).graph),
            (Labels{"20 1", "21 2"}));
  expect_silent("1 2 4\n2 3 4\n3 4 5\n4 1 6\n", {"1 2", "2 3", "3 4", "4 1"}, with_weights());
  // As many columns as lines.
  expect_asked("1 2 1 1082040961\n3 4 1 1082155839\n1 3 1 1082155840\n2 4 1 1082155841\n",
               "--weight-column 3", "--format dense", with_weights());
}

const std::string k4 = "1 2\n1 3\n1 4\n2 3\n2 4\n3 4\n";
const Labels k4_edges = {"1 2", "1 3", "1 4", "2 3", "2 4", "3 4"};

TEST(Lines, NumbersOfEdgesAndVertices) {
  for (const char* const head :
       {"6 4", "p 4 6", "4 nodes", "nodes 4", "Nodes: 4", "vertices 4\nedges 6", "4 vertices\n6 edges",
        "vertices 4 edges 6", "n 4", "n = 4", "N=4", "n=4 m=6", "|V| = 4\n|E| = 6", "Number of vertices: 4",
        "Graph with 4 nodes and 6 edges"}) {
    expect_warned(std::string(head) + "\n" + k4, "taken for", k4_edges);
    EXPECT_EQ(read_text(std::string(head) + "\n" + k4).graph.left_labels.size(), 4U) << head;
  }
  for (const char* const tail : {"Total 6", "Total: 6", "6 edges", "total 6 edges"})
    expect_warned(k4 + tail + "\n", "taken for numbers", k4_edges);
  // Vertices that no edge has.
  for (const char* const head : {"6 nodes", "n = 6", "vertices 6\nedges 6"})
    EXPECT_EQ(read_text(std::string(head) + "\n" + k4).graph.left_labels.size(), 6U) << head;
  EXPECT_EQ(input_error("vertices 4\nedges 7\n" + k4).line(), 2U);
  EXPECT_EQ(input_error("nodes 3\n" + k4).found(), "3");
  expect_asked("6 4 1\n" + k4, "--first-line header", "--first-line edge");
  expect_asked("5 4\n1 2\n1 3\n2 3\n2 4\n3 4\n", "--first-line header", "--first-line edge");
  expect_warned("4 6\n0 1\n1 2\n2 3\n0 3\n", "was taken for an edge", {"4 6", "0 1", "1 2", "2 3", "0 3"});
  expect_warned(k4 + "total 4 6\n", "though all others join numbers",
                {"1 2", "1 3", "1 4", "2 3", "2 4", "3 4", "total 4"});
  expect_silent("s 1\n1 2\n2 3\n3 t\n", {"s 1", "1 2", "2 3", "3 t"});
  expect_silent("n 1\na 1\n", {"n 1", "a 1"});
  expect_warned("p 4 6\ne 1 2\ne 1 3\ne 1 4\ne 2 3\ne 2 4\ne 3 4\n", "as in DIMACS", k4_edges);
}

// SNAP's and KONECT's.
TEST(Lines, NumbersInComments) {
  for (const char* const head :
       {"# Nodes: 6 Edges: 6\n", "# Directed graph\n# Nodes: 6 Edges: 6\n# FromNodeId\tToNodeId\n", "# 6 6\n",
        "% sym unweighted\n% 6 6 6\n", "# n = 6\n"}) {
    const ReadResult read = read_text(head + k4);
    EXPECT_EQ(edge_labels(read.graph), k4_edges);
    EXPECT_NE(all_warnings(read.info).find("6 vertices, and the lines have 4"), std::string::npos) << head;
  }
  EXPECT_NE(all_warnings(read_text("# Nodes: 4 Edges: 7\n" + k4).info).find("7 edges, and the lines have 6"),
            std::string::npos);
  for (const char* const head : {"# Nodes: 4 Edges: 6\n", "% sym\n% 6 4 4\n", "# 4 6\n", "# 1 2\n", "# 4\n"})
    expect_silent(head + k4, k4_edges);
}

TEST(Lines, ThatEndInSemicolons) {
  expect_warned("1 -- 2;\n3 -- 4;\n", "at the ends of lines", {"1 2", "3 4"});
  expect_warned("a b;\nc d;\n", "at the ends of lines", {"a b", "c d"});
}

TEST(Listings, EdgesOfPython) {
  const Labels edges = {"0 1", "1 2", "2 3", "0 3"};
  for (const char* const text :
       {"edges = [(0,1),(1,2),(2,3),(0,3)]\n", "edges=[[0,1],[1,2],[2,3],[0,3]]\n",
        "G = nx.Graph([(0,1),(1,2),(2,3),(0,3)])\n", "G.add_edges_from([(0,1),(1,2),(2,3),(0,3)])\n",
        "E = {(0,1),(1,2),(2,3),(0,3)}\n", "E = {{0,1},{1,2},{2,3},{0,3}};\n",
        "[(0,1,{}),(1,2,{}),(2,3,{'weight': 5}),(0,3,{})]\n", "(0,1),(1,2),(2,3),(0,3)\n",
        "{0,1},{1,2},{2,3},{0,3}\n", "edges = [\n  (0, 1),\n  (1, 2),\n  (2, 3),\n  (0, 3),\n]\n",
        "{(0, 1): 2, (1, 2): 3, (2, 3): 1, (0, 3): 1}\n", "(0, 1),\n(1, 2),\n(2, 3),\n(0, 3)\n"})
    expect_warned(text, "taken for edges", edges);
  EXPECT_EQ(std::get<1>(read_text("w = {('a', 'b'): 2, ('b', 'c'): 3}", with_weights()).graph.values),
            (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(input_error("edges = [(0,1),\n(1,0),\n(2,2)]\n").line(), 3U);
}

TEST(Listings, NeighboursOfPythonAndGap) {
  const Labels edges = {"0 1", "0 3", "1 2", "2 3"};
  for (const char* const text :
       {"{0: [1, 3], 1: [0, 2], 2: [1, 3], 3: [0, 2]}\n",
        "adj = {0: {1, 3}, 1: {0, 2}, 2: {1, 3}, 3: {0, 2}}\n",
        "{0: {1: {}, 3: {}}, 1: {0: {}, 2: {}}, 2: {1: {}, 3: {}}, 3: {0: {}, 2: {}}}\n",
        "{\n  0: [1, 3],\n  1: [2],\n  2: [3],\n  3: [],\n}\n",
        "G = nx.Graph({0: (1, 3), 1: (0, 2), 2: (1, 3), 3: (0, 2)})\n",
        "{\"0\": [1, 3], \"1\": [0, 2], \"2\": [1, 3], \"3\": [0, 2]}\n"})
    expect_warned(text, "vertices and their neighbours", edges);
  expect_warned("[[1,3],[0,2],[1,3],[0,2]]\n", "each list was taken for the neighbours", edges);
  expect_warned("adj := [[2,3,4],[1,3],[1,2,4],[1,3]];\n", "each list was taken for the neighbours",
                {"1 2", "1 3", "1 4", "2 3", "3 4"});
  const std::string hexagon = "[[2,6],[1,3],[2,4],[3,5],[4,6],[1,5]]\n";
  expect_asked(hexagon, "--format metis", "--format edgelist");
  EXPECT_EQ(edge_labels(read_text(hexagon, in_format(Format::metis)).graph),
            (Labels{"1 2", "1 6", "2 3", "3 4", "4 5", "5 6"}));
  EXPECT_EQ(
      std::get<1>(read_text("{0: {1: {'weight': 7}}, 1: {0: {'weight': 7}}}", with_weights()).graph.values),
      (std::vector<std::int64_t>{7}));
  EXPECT_EQ(read_text("{0: [1], 1: [0], 2: []}").graph.left_labels.size(), 3U);
  EXPECT_EQ(input_error("{0: [1], 1: 0}").expected(), "a list of the neighbours of '1'");
  // A matrix is none of these.
  EXPECT_EQ(read_text("[[0,1,1,1],[1,0,1,1],[1,1,0,1],[1,1,1,0]]").graph.kind, GraphKind::bipartite);
}

}  // namespace
}  // namespace countpm::lines_test
