// What other programs read otherwise (python/tests/differ found it): said, or asked for.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/graph/reading_names.hpp"

namespace countpm::second_readers_test {
namespace {

using namespace reading_names;

/// Read, and a warning has these words; empty: read without one.
void expect_warned(const std::string& text, const std::string& words, const Labels& edges,
                   const ReadOptions& options = {}, const std::string& name = "t") {
  SCOPED_TRACE(text);
  const ReadResult result = read_text(text, options, name);
  EXPECT_EQ(edge_labels(result.graph), edges);
  if (words.empty()) {
    EXPECT_EQ(result.info.warnings, std::vector<std::string>{});
    return;
  }
  const std::string warnings = fmt::format("{}", fmt::join(result.info.warnings, "\n"));
  EXPECT_NE(warnings.find(words), std::string::npos) << warnings;
}

void expect_asked(const std::string& text, const std::string& one, const std::string& other,
                  const ReadOptions& options = {}, const std::string& name = "t") {
  SCOPED_TRACE(text);
  const std::string error = input_error(text, options, name).what();
  EXPECT_NE(error.find(one), std::string::npos) << error;
  EXPECT_NE(error.find(other), std::string::npos) << error;
}

// networkx and numpy begin a comment at every #, and Python parts words at Unicode's blanks.
TEST(UnclearLabels, AreSaid) {
  expect_warned("a b#c\nd e\n", "# was taken for a part of the label 'b#c'", {"a b#c", "d e"});
  expect_warned("a b #c\nd e # f#g\n", "", {"a b", "d e"});
  expect_warned("a, b\nc, d # last\n", "# was taken for a part of the label 'd # last'",
                {"a b", "c d # last"});
  expect_warned("1,7#\n3,0\n5,6\n", "# was taken for a part of the label '7#'", {"1 7#", "3 0", "5 6"});
  expect_warned("a#1,b\nc,d\n", "", {"a#1 b", "c d"}, {}, "t.csv");
  for (const char* const blank : {"\xc2\xa0", "\xe2\x80\xa8", "\xe3\x80\x80", "\xef\xbb\xbf"}) {
    const std::string label = "3" + std::string(blank) + "4";
    expect_warned("1 2\n" + label + " 5\n", "was taken for a part of the label", {"1 2", label + " 5"});
    expect_warned("1,2\n" + label + ",5\n", "was taken for a part of the label", {"1 2", label + " 5"}, {},
                  "t.csv");
  }
  expect_warned("Z\xc3\xbcrich Bern\n", "", {"Z\xc3\xbcrich Bern"});
  expect_warned("h i\nj 2\n1a e5\n", "", {"h i", "j 2", "1a e5"});
  expect_warned("a;b c\nd e\n", "; was taken for a part of the label 'a;b'", {"a;b c", "d e"});
  expect_warned("p(0,0) p(0,1)\n", "", {"p(0,0) p(0,1)"}, {}, "t.el");
  expect_warned("a;b c\nd e\n", "", {"a;b c", "d e"}, in_format(Format::edge_list));
  expect_warned("\"4\" 5\n4 6\n", "the quotation marks of '\"4\"'", {"\"4\" 5", "4 6"}, {}, "t.el");
  expect_warned("\"4\" \"5\"\n", "", {"\"4\" \"5\""});
  expect_warned("1,3,4;2,3,4\n", ", was taken for a part of the label '1,3,4'", {"1,3,4 2,3,4"});
  expect_warned("Bern, CH;Rome, IT\n", "", {"Bern, CH Rome, IT"}, {}, "t.csv");
  expect_warned("Ann Lee;Bob Ray\nCy Dee;Eve Fox\n", "", {"Ann Lee Bob Ray", "Cy Dee Eve Fox"});
  expect_warned("Ann Lee,Bob Ray\nCy Dee,Eve Fox\n", "", {"Ann Lee Bob Ray", "Cy Dee Eve Fox"});
  expect_warned("\"Ann Lee\";\"Bob Ray\"\n\"Cy\";\"Dee Roe\"\n", "", {"Ann Lee Bob Ray", "Cy Dee Roe"});
  expect_warned("a b;c\nd e;f\n", "; was taken for a part of the label 'b;c'", {"a b;c", "d e;f"});
  expect_warned("v1|v0\nv2|v3\n", "'v1|v0' was taken for an edge", {"v1 v0", "v2 v3"});
  expect_warned("a=b\nc=d\n", "'a=b' was taken for an edge", {"a b", "c d"}, {}, "t.edges");
  for (const char* const head : {",u,v", "id,V1,V2"})
    expect_warned(std::string(head) + "\n0,Bern,Kiel\n1,Graz,Rome\n", "line 1 was taken for a header",
                  {"Bern Kiel", "Graz Rome"}, {}, "t.csv");
  expect_asked("\"1.5\" \"2\"\n", "--format edgelist", "--format dense");
  expect_warned("1.0 2\n3 4\n5 6\n", "the number '1.0' was taken for the label", {"1.0 2", "3 4", "5 6"}, {},
                "t.el");
}

TEST(Comments, ThatLookLikeEdgesAreSaid) {
  expect_warned("a b\n#c b\nc d\n", "the comment '#c b' looks like an edge", {"a b", "c d"});
  expect_warned("1 2\n%3 4\n3 5\n", "the comment '%3 4' looks like an edge", {"1 2", "3 5"},
                in_format(Format::edge_list));
  expect_warned("a b\n#see below\nc d\n", "", {"a b", "c d"});
  expect_warned("1 2\n2 3\n#\n1 4\n", "the line # was passed over as a comment", {"1 2", "2 3", "1 4"});
  expect_warned("#\n# edges\n#\n1 2\n3 4\n5 6\n", "", {"1 2", "3 4", "5 6"});
  expect_warned("0\n1\n#\n", "the line # was passed over", {"2 1"}, with_weights());
}

TEST(Headers, OfVagueWordsAreAskedFor) {
  for (const char* const name : {"t.csv", "t"}) {
    for (const char* const head : {"u,v", "row,col", "i,j"})
      expect_asked(std::string(head) + "\nAnn,Bob\nCy,Dee\n", "--first-line header", "--first-line edge", {},
                   name);
  }
  for (const char* const head : {"u v", "col row", "left right"})
    expect_asked(std::string(head) + "\nAnn Bob\nCy Dee\n", "--first-line header", "--first-line edge", {},
                 "t.el");
  expect_warned("\"source\" \"target\"\nAnn Bob\nCy Dee\n", "line 1 was taken for a header",
                {"Ann Bob", "Cy Dee"}, {}, "t.el");
  expect_warned("target source\nAnn Bob\nCy Dee\n", "line 1 was taken for a header", {"Bob Ann", "Dee Cy"},
                {}, "t.el");
  expect_warned("u v\nv w\n", "", {"u v", "v w"}, {}, "t.el");
  expect_warned("u,v\nv,w\n", "", {"u v", "v w"}, {}, "t.csv");
  expect_warned("u,v\n", "", {"u v"}, {}, "t.csv");
  ReadOptions edge;
  edge.first_line = FirstLine::edge;
  expect_warned("u v\nAnn Bob\n", "", {"u v", "Ann Bob"}, edge, "t.el");
  expect_warned("u,v\nAnn,Bob\n", "", {"u v", "Ann Bob"}, edge, "t.csv");
}

TEST(FirstLines, OfNumbersAboveDamagedEdgesAreAskedFor) {
  expect_asked("6 3\n1 2 5\n3 +4 5\n5 6 1\n", "--first-line edge", "--first-line header");
  expect_asked("6 3\n1 2\n3 +4\n5 6\n", "--first-line edge", "--first-line header");
  expect_warned("6 3\n2 3\n4 5 5\n1 6 7\n", "the first line was taken for the numbers of vertices and edges",
                {"2 3", "4 5", "1 6"}, with_weights());
  expect_warned("9 4\n1 2 5\n3 4 5\n5 6 1\n", "the first line was taken for an edge without a weight",
                {"9 4", "1 2", "3 4", "5 6"}, with_weights());
  expect_asked("1 1\n0 1\n", "--format edgelist", "--format dense");  // two rows of two
}

TEST(NumbersInCsv, ThatAreNoLabelsAreAskedFor) {
  for (const char* const text : {"0,2.0\n", "0.5,3,0\n0.5,3,0\n", "1.5,2\n3,4\n5,6\n", "0,-2\n"})
    expect_asked(text, "--format csv", "--format dense", with_weights(), "t.csv");
  expect_warned("0.5,2\n3,4\n5,6\n", "", {"0.5 2", "3 4", "5 6"}, in_format(Format::csv));
  expect_warned("2,1/2,0\n0,3,2/5\n1,2,5/2\n", "a table of 3 times 3 numbers was taken for a matrix",
                {"1 1", "1 2", "2 2", "2 3", "3 1", "3 2", "3 3"}, with_weights(), "t.csv");
}

TEST(Dense, TakesWhatProgramsWrite) {
  const ReadOptions dense = with_weights(in_format(Format::dense));
  // numpy.savetxt with commas, complex numbers; names above a matrix that is not square; commas and blanks.
  expect_warned(" (1+2j), (0+0j)\n (0+0j), (3-1j)\n", "", {"1 1", "2 2"}, dense);
  expect_warned("one,two\n0,1\n1,1\n0,0\n", "labels of the columns", {"r1 two", "r2 one", "r2 two"}, dense);
  expect_warned("1, 1\n1, 1\n", "", {"1 1", "1 2", "2 1", "2 2"}, with_weights(), "t.dense");
  expect_asked("2.0 0.0 # a comment\n0.0 1.5\n", "--format edgelist", "--format dense", with_weights());
}

TEST(Headers, ThatOneVertexHasAgainAreWarnedOf) {
  expect_warned("u\tv\nv1\tv4\nv2\tv\nv2\tv3\n", "taken for the ends of an edge",
                {"u v", "v1 v4", "v2 v", "v2 v3"}, {}, "t.tsv");
  expect_warned("u v\nv w\nw u\n", "", {"u v", "v w", "w u"});
  expect_warned("u v\nv w\nw x\n", "", {"u v", "v w", "w x"});
}

TEST(Dense, OfASizeAboveEdgesIsAskedFor) {
  expect_asked("3 3\n1 2 5\n2 2 1\n3 1 4\n", "--format dense", "--first-line header", with_weights());
  expect_warned("3 3\n1 0 0\n0 0 1\n1 1 0\n", "numbers of rows and columns", {"1 1", "2 3", "3 1", "3 2"});
  expect_warned("3 3\n1 2 5\n7 2 1\n3 1 4\n", "numbers of rows and columns",
                {"1 1", "1 2", "1 3", "2 1", "2 2", "2 3", "3 1", "3 2", "3 3"}, with_weights());
}

TEST(ByteOrderMarks, AreNoText) {
  expect_warned("\xef\xbb\xbfp edge 2 1\ne 1 2\n", "", {"1 2"});
  expect_warned("\xef\xbb\xbfgraph { a -- b }\n", "", {"a b"});
  expect_warned(
      "\xef\xbb\xbf"
      "C~\n",
      "", {"0 1", "0 2", "1 2", "0 3", "1 3", "2 3"}, {}, "t.g6");
}

TEST(WordsOfGraphs, AreNoOtherFormat) {
  // Dee is graph6 of five vertices; -- no number of a dense matrix.
  expect_warned("Dee\nIda\n#\nDee Ida\n", "Trivial Graph Format", {"Dee Ida"});
  expect_warned("3 -- 6 6\n1 -- 7 2\n", "'--' was taken", {"3 6", "1 7"}, with_weights());
  expect_asked("a c d\nb c d\nc a b\nd a b\n", "--format adjlist", "--ends 1,2");
  expect_asked("a,c,d\nb,c,d\n", "--format adjlist", "--ends 1,2");
  for (const std::string square : {"name\tc0\t1\nr0\t0\t1\nr1\t1\t0\n", "name,c0,1\nr0,0,1\nr1,1,0\n"}) {
    const std::string edges = square.find(',') == std::string::npos ? "--format edgelist" : "--format csv";
    expect_asked(square, edges, "--format dense");
    EXPECT_EQ(read_text(square, in_format(Format::dense)).graph.kind, GraphKind::bipartite);
    ReadOptions said = with_weights();
    said.format = edges == "--format csv" ? Format::csv : Format::edge_list;
    EXPECT_EQ(read_text(square, said).graph.left_labels.size(), 6U);
  }
  EXPECT_EQ(edge_labels(read_text("x;y\nz;v\n").graph), (Labels{"x y", "z v"}));  // by content alone
  expect_warned("a b 0\nc d 1\ne f\n", "a line has the value 0", {"c d", "e f"});
  for (const char* const lines : {"[1, 2]\n[3, 4]\n", "(1 2)\n(3 4)\n", "{1,2},\n{3,4}\n"}) {
    expect_asked(lines, "--format edgelist", "--format dense");
    EXPECT_EQ(edge_labels(read_text(lines, in_format(Format::edge_list)).graph), (Labels{"1 2", "3 4"}));
  }
  EXPECT_NE(input_error("[a, 2]\n[3, 4]\n").found().find("within brackets"), std::string::npos);
  EXPECT_EQ(read_text("(0,0) (0,1)\n(1,0) (1,1)\n", in_format(Format::edge_list)).graph.edges.size(), 2U);
  for (const char* const lines : {"1 pp 2\n3 pp 4\n", "1,pp,2\n3,pp,4\n"}) {
    expect_asked(lines, "--ends 1,3", "--format edgelist");
    ReadOptions ends;
    ends.end_columns = "1,3";
    EXPECT_EQ(edge_labels(read_text(lines, ends).graph), (Labels{"1 2", "3 4"}));
  }
  expect_asked("% bip unweighted\n1 2\n2 1\n", "--kind bipartite", "--kind undirected");
  expect_warned("0,1\n1,2\n2,3\n", "pandas", {"0 1", "1 2", "2 3"});
  // A word above weights heads the columns, or is a letter.
  for (const std::string blank : {",", " ", "\t", ";"}) {
    const auto table = [&](const std::string& head) {
      return fmt::format("person{0}friend{0}{1}\nx{0}y{0}2\nz{0}v{0}3/2\n", blank, head);
    };
    expect_warned(table("count"), "taken for the weights", {"x y", "z v"}, with_weights());
    expect_warned(table("w"), "taken for a header", {"x y", "z v"});
    const std::string asked = input_error(table("w"), with_weights()).expected();
    EXPECT_NE(asked.find("--first-line edge"), std::string::npos) << asked;
  }
}

TEST(Molecules, CarbonOfAnAromaticBondHasThreeNeighbours) {
  std::string text = "star\n\n\n  5  4  0  0  0  0            999 V2000\n";
  for (int k = 0; k < 5; ++k) text += "    0.0000    0.0000    0.0000 C   0  0\n";
  for (const char* const bond : {"  1  2  4  0\n", "  1  3  4  0\n", "  1  4  4  0\n", "  1  5  1  0\n"})
    text += bond;
  const InputError error = input_error(text + "M  END\n", in_format(Format::mol));
  EXPECT_EQ(error.expected(), "at most three neighbours of C1, which has an aromatic bond");
  EXPECT_EQ(error.found(), "4");
}

TEST(AdjacencyLists, OfMixedSeparatorsAreSaidOrRefused) {
  const ReadOptions adjlist = in_format(Format::adjacency_list);
  EXPECT_EQ(input_error("a : b : c\nb\n", adjlist).found(), "a second ':'");
  expect_warned("1;2,\n3;2\n", ", was taken for a part of the label '2,'", {"1 2,", "3 2"}, adjlist);
  expect_warned("\"1\",\"2\" ; \"y\"\n", "; was taken for a part of the label", {"1 \"2\" ; \"y\""}, adjlist);
}

// Found among a million mutated files (bench/results/reading.md).
TEST(UnclearLabels, WithBlanksOrEndsOfEdgesAreSaid) {
  expect_warned("source,target\n\"4 \",5\n\"4\",6\n", "the blank in '4 ' was taken for a part of the label",
                {"4  5", "4 6"}, {}, "t.csv");
  expect_warned("a\t b c\nd\te\n", "", {"a b c", "d e"}, {}, "t.tsv");
  expect_warned("Ann Lee,Bob\nCy,Dee\n", "", {"Ann Lee Bob", "Cy Dee"}, {}, "t.csv");
  expect_warned("8,3 0 0\n", "the blank in '3 0 0' was taken", {"8 3 0 0"}, {}, "t.csv");
  expect_warned("Cy\t=> Ida\n", "the blank in '=> Ida' was taken", {"Cy => Ida"}, {}, "t.tsv");
  expect_warned("0-5 1\n1-5 4\n2--4 8\n", "'0-5' and '2--4' were taken for the labels of vertices",
                {"0-5 1", "1-5 4", "2--4 8"}, {}, "t.el");
  expect_warned("0-2 4\n1~2 8\n", "were taken for the labels of vertices", {"0-2 4", "1~2 8"}, {}, "t.el");
  expect_warned("1-2 4\n7- 3\n5-6 1\n", "'1-2' and '7-' were taken for the labels",
                {"1-2 4", "7- 3", "5-6 1"}, {}, "t.el");
  expect_warned("1:4 2\n(2:6 7\n", "were taken for the labels of vertices", {"1:4 2", "(2:6 7"}, {}, "t.el");
  expect_warned("2 _4 4\n1_4 2\n2_3 5\n", "'1_4' and '_4' were taken for the labels of vertices",
                {"2 _4", "1_4 2", "2_3 5"}, with_weights(), "t.el");
  expect_warned("host-1 host-2\nhost-3 host-4\n", "", {"host-1 host-2", "host-3 host-4"}, {}, "t.el");
  expect_warned("2024-01 a\n2024-02 b\n", "", {"2024-01 a", "2024-02 b"}, {}, "t.el");
}

TEST(Headers, ThatOccurAgainAreSaid) {
  expect_warned("source,target\nsource,b\n1,2\n", "'source' and 'target' were taken for the ends of an edge",
                {"source target", "source b", "1 2"}, {}, "t.csv");
  expect_warned("i;j\n2;3\nj;1\n", "--first-line header", {"i j", "2 3", "j 1"}, in_format(Format::csv));
  expect_warned("u,v\nv,w\n", "", {"u v", "v w"}, {}, "t.csv");
  expect_warned("row col\nrow b\n1 2\n", "'row' and 'col' were taken", {"row col", "row b", "1 2"}, {},
                "t.el");
  expect_warned("\"u\"\t\"weight\"\t\"v\"\n\"a\"\t\"5\"\t\"c\"\n\"b\"\t\"3\"\t\"d\"\n", "", {"a c", "b d"},
                with_weights(), "t.tsv");
  expect_warned("u weight v\na 5 c\nb 3 d\n", "line 1 was taken for a header", {"a c", "b d"}, with_weights(),
                "t.el");
  // The names of columns behind a tab, the first with a #.
  const ReadResult table = read_text("\t#c0\tc1\nr0\t1\t0\nr1\t0\t1\n");
  EXPECT_EQ(edge_labels(table.graph), (Labels{"r0 #c0", "r1 c1"}));
}

TEST(Headers, OfMoreWordsThanOtherLinesAreSaid) {
  expect_warned("4 1 1\n3 6\n1 6\n", "an edge with a weight: no other has one", {"4 1", "3 6", "1 6"},
                with_weights());
}

// Found among 1,280,910 mutated files (bench/results/reading.md).
TEST(Comments, MayHaveBlanksInFrontOrHeadColumns) {
  expect_asked("  # two rows of two\n0 2\n7 0\n", "--format edgelist", "--format dense", with_weights());
  const std::string heads = "would make a matrix of the lines below";
  expect_warned("%city\tx\ty\nRome\t3\t5\nBern\t2\t4\n", heads, {"Rome 3", "Bern 2"});
  expect_warned("#gene a b\ng1 3 5\ng2 2 4\n", heads, {"g1 3", "g2 2"}, with_weights());
  expect_warned("#from to weight\ng1 3 5\ng2 2 4\n", "", {"g1 3", "g2 2"}, with_weights());
  expect_asked("% R's\n\"1\" \"2\" \"5\" 3\n\"2\" \"1\" \"4\" 6\n\"3\" \"1\" \"4\" 7\n", "--ends A,B",
               "--format dense", with_weights());
}

TEST(Dense, OfComplexNumbersIsAskedForAsOfOthers) {
  expect_asked("1 2 3i\n2 4 1\n3 4 6\n", "--format edgelist", "--format dense", with_weights());
  expect_warned("1 2 3i\n2 4 1\n", "", {"1 2", "2 4"}, with_weights());
}

TEST(Headers, OfOneLetterAmongWordsAreSaid) {
  expect_warned("u,v\nu,Rome\nBern,Oslo\n", "'u' and 'v' were taken for the ends of an edge",
                {"u v", "u Rome", "Bern Oslo"}, {}, "t.csv");
  expect_warned("u,v\nu,w\nBern,Oslo\n", "", {"u v", "u w", "Bern Oslo"}, {}, "t.csv");
}

TEST(UnclearLabels, WithHalfAPairOfQuotationMarksOrANumberBehindACommaAreSaid) {
  expect_warned("\"a\";\"b\"\n\"c\";\"\n", "'\"' was taken for the label of a vertex", {"a b", "c \""},
                in_format(Format::adjacency_list));
  expect_warned("a\t# b\n", "# was taken for a part of the label '# b'", {"a # b"}, {}, "t.csv");
  expect_warned("a\tb,c, 2\n", ", was taken for a part of the label 'b,c, 2'", {"a b,c, 2"}, {}, "t.csv");
  expect_warned("a\tRome, Italy\n", "", {"a Rome, Italy"}, {}, "t.csv");
}

TEST(AdjacencyLists, OfLabelsOfSeveralSortsAreAskedFor) {
  expect_asked("1 5\n2 x 1\n5 x\n", "--format edgelist", "--format adjlist");
  expect_warned("1 5\n2 x 3\n5 x\n", "is not used", {"1 5", "2 x", "5 x"});
}

}  // namespace
}  // namespace countpm::second_readers_test
