// Tables of people and their programs that were read as something else in silence: headers above words,
// numbers and names in quotation marks, decimal commas, numbers of vertices and edges that nearly fit, line
// ends of several kinds; and texts that are no graph.
#include <string>
#include <vector>

#include "graph/molecules/smiles_text.hpp"
#include "tests/graph/reading_names.hpp"

namespace countpm::doubtful_tables_test {
namespace {

using namespace reading_names;

std::string joined(const std::vector<std::vector<std::string>>& rows, const std::string& separator) {
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) text += (k == 0 ? "" : separator) + row[k];
    text += "\n";
  }
  return text;
}

/// Separators, and names of files in which they part words; "t": by content.
struct Form {
  std::string separator;
  std::string name;
};
const std::vector<Form> forms = {{",", "t.csv"}, {";", "t.csv"}, {"\t", "t.tsv"},
                                 {",", "t"},     {";", "t"},     {"\t", "t"}};
const std::vector<Form> word_forms = {{" ", "t"}, {"\t", "t.edges"}, {"  ", "t.txt"}};

std::vector<Form> all_forms() {
  std::vector<Form> all = forms;
  all.insert(all.end(), word_forms.begin(), word_forms.end());
  return all;
}

void expect_warned(const std::string& text, const std::string& name, const Labels& edges,
                   const std::string& words, const ReadOptions& options = {}) {
  SCOPED_TRACE(text + name);
  const ReadResult result = read_text(text, options, name);
  EXPECT_EQ(edge_labels(result.graph), edges);
  std::string all;
  for (const std::string& warning : result.info.warnings) all += warning + "\n";
  EXPECT_NE(all.find(words), std::string::npos) << all;
}

void expect_silent(const std::string& text, const std::string& name, const Labels& edges,
                   const ReadOptions& options = {}) {
  SCOPED_TRACE(text + name);
  const ReadResult result = read_text(text, options, name);
  EXPECT_EQ(edge_labels(result.graph), edges);
  EXPECT_EQ(result.info.warnings, Labels{});
}

void expect_asked(const std::string& text, const std::string& name, const std::string& one,
                  const std::string& other, const ReadOptions& options = {}) {
  SCOPED_TRACE(text + name);
  const std::string error = input_error(text, options, name).what();
  EXPECT_NE(error.find(one), std::string::npos) << error;
  EXPECT_NE(error.find(other), std::string::npos) << error;
}

TEST(HeadsAboveWords, NumberedTwinsAreAHeader) {
  const std::vector<std::pair<std::string, std::string>> twins = {
      {"gene1", "gene2"},         {"Gene_A", "Gene_B"},
      {"person1", "person2"},     {"from_name", "to_name"},
      {"user_id", "item_id"},     {"left_node", "right_node"},
      {"NodeI", "NodeJ"},         {"X1", "X2"},
      {"protein0", "protein1"},   {"nodeSource", "nodeTarget"},
      {"customerId", "productId"}};
  for (const auto& [from, to] : twins) {
    for (const Form& form : all_forms())
      expect_warned(joined({{from, to}, {"Ann", "Bob"}, {"Bob", "Cy"}, {"Cy", "TP53"}}, form.separator),
                    form.name, {"Ann Bob", "Bob Cy", "Cy TP53"}, "was taken for a header");
  }
  for (const Form& form : forms)
    expect_warned(joined({{"Person 1", "Person 2"}, {"Ann", "Bob Lee"}, {"Cy", "Dee"}}, form.separator),
                  form.name, {"Ann Bob Lee", "Cy Dee"}, "was taken for a header");
  // Known words are certain, also with blanks within.
  for (const Form& form : forms)
    expect_silent(joined({{"Node A", "Node B"}, {"Ann", "Bob"}, {"Cy", "Dee"}}, form.separator), form.name,
                  {"Ann Bob", "Cy Dee"});
}

TEST(HeadsAboveWords, OtherColumnsArePassedOver) {
  for (const Form& form : all_forms()) {
    const Labels edges = {"Ann Bob", "Cy Dee"};
    expect_warned(
        joined({{"gene1", "gene2", "note"}, {"Ann", "Bob", "x"}, {"Cy", "Dee", "y"}}, form.separator),
        form.name, edges, "passed over");
    expect_warned(
        joined({{"Source", "Target", "Type"}, {"Ann", "Bob", "Undirected"}, {"Cy", "Dee", "Undirected"}},
               form.separator),
        form.name, edges, "passed over");
    expect_warned(
        joined({{"id", "Wife", "Husband"}, {"1", "Ann", "Bob"}, {"2", "Cy", "Dee"}}, form.separator),
        form.name, edges, "was taken for a header");
    EXPECT_EQ(edge_labels(read_text(joined({{"weight", "node1", "node2"}, {"\"7\"", "\"Ann\"", "\"Bob\""}},
                                           form.separator),
                                    with_weights(), form.name)
                              .graph),
              Labels{"Ann Bob"});
    const ReadResult weighted = read_text(
        joined({{"protein1", "protein2", "score"}, {"Ann", "Bob", "3"}, {"Cy", "Dee", "4"}}, form.separator),
        with_weights(), form.name);
    EXPECT_EQ(std::get<1>(weighted.graph.values), (std::vector<long>{3, 4}));
  }
}

TEST(HeadsAboveWords, ThatMayBeVerticesAreAskedFor) {
  for (const auto& [from, to] : {std::pair("A", "B"), std::pair("x", "y"), std::pair("parent", "child"),
                                 std::pair("Applicant", "Job"), std::pair("Users", "Items")}) {
    for (const Form& form : all_forms()) {
      const std::string text = joined({{from, to}, {"Ann", "Bob"}, {"Cy", "Dee"}}, form.separator);
      expect_asked(text, form.name, "--first-line header", "--first-line edge");
      ReadOptions options;
      options.first_line = FirstLine::header;
      EXPECT_EQ(edge_labels(read_text(text, options, form.name).graph), (Labels{"Ann Bob", "Cy Dee"}));
      options.first_line = FirstLine::edge;
      EXPECT_EQ(read_text(text, options, form.name).graph.edges.size(), 3U);
    }
  }
  expect_asked("X1 X2\nAnn P53\nBob Cy\n", "t", "--first-line header", "--first-line edge");
  // Above one line alone, and above other twins.
  expect_asked("gene1 gene2\nTP53 MDM2\n", "t", "--first-line header", "--first-line edge");
  expect_asked("host1,host2\nswitch1,switch2\nAnn,Bob\n", "t.csv", "--first-line header",
               "--first-line edge");
}

TEST(HeadsAboveWords, LikeTheOthersAreEdges) {
  for (const Form& form : all_forms()) {
    expect_silent(joined({{"x1", "x2"}, {"y1", "y2"}, {"z1", "z2"}}, form.separator), form.name,
                  {"x1 x2", "y1 y2", "z1 z2"});
    expect_warned(joined({{"node1", "node2"}, {"node2", "Bob"}}, form.separator), form.name,
                  {"node1 node2", "node2 Bob"}, "were taken for the ends of an edge");
    expect_silent(joined({{"host1", "host2"}, {"Ann", "host3"}, {"Bob", "Cy"}}, form.separator), form.name,
                  {"host1 host2", "Ann host3", "Bob Cy"});
    expect_silent(joined({{"A", "B"}, {"C", "D"}}, form.separator), form.name, {"A B", "C D"});
    expect_silent(joined({{"gene10", "gene20"}, {"Ann", "Bob"}, {"Cy", "Dee"}}, form.separator), form.name,
                  {"gene10 gene20", "Ann Bob", "Cy Dee"});
  }
}

TEST(QuotationMarks, AroundNumbersAreAskedForAsNumbersAre) {
  for (const Form& form : all_forms()) {
    const bool words = form.name == "t.edges";
    if (words) continue;
    const std::string text = joined({{"\"3\"", "\"0\""}, {"\"1\"", "\"2\""}}, form.separator);
    expect_asked(text, form.name, "--format dense", "--format");
    const ReadResult matrix = read_text(text, with_weights(in_format(Format::dense)), form.name);
    EXPECT_EQ(matrix.graph.kind, GraphKind::bipartite);
    EXPECT_EQ(edge_labels(matrix.graph), (Labels{"1 1", "2 1", "2 2"}));
  }
  expect_asked("\"0\" \"1\" \"1\"\n\"1\" \"0\" \"1\"\n\"1\" \"1\" \"0\"\n", "t", "--format edgelist",
               "--format dense");
  expect_asked("'1','0'\n'0','1'\n", "t.csv", "--format csv", "--format dense");
}

TEST(QuotationMarks, AroundBlanksAndWeightsAreNoPartOfWords) {
  const Labels edges = {"Ann Lee Bob", "Cy Dee Roe"};
  expect_silent("\"Ann Lee\" \"Bob\"\n\"Cy\" \"Dee Roe\"\n", "t", edges);
  expect_silent("\"Ann Lee\"\t\"Bob\"\n\"Cy\"\t\"Dee Roe\"\n", "t.edges", edges);
  expect_silent("Ann Lee\tBob\nCy\tDee Roe\n", "t", edges);
  expect_warned("\"from\" \"to\"\n\"Ann Lee\" \"Bob\"\n\"Cy\" \"Dee Roe\"\n", "t", edges, "header");
  const ReadResult weighted = read_text("\"a\" \"b\" \"2\"\n\"c\" \"d\" \"3\"\n", with_weights(), "t.edges");
  EXPECT_EQ(std::get<1>(weighted.graph.values), (std::vector<long>{2, 3}));
  expect_asked("A\tTeam 2\nB\tTeam 3\n", "t", "--format csv", "--format edgelist");
  expect_asked("0\t1\n0\t2\n0\t3 3\n", "t", "--format csv", "--format edgelist");
  expect_asked("1\t2\n5 1\t1\n3\t4\n", "t", "--format csv", "--format edgelist");
  expect_warned("1 ; 5 3\n2 ; 7\n", "t", {"1 5", "2 7"}, "';' was taken", with_weights());
  // Three words of which the last is a number in every line are an edge and its weight.
  EXPECT_EQ(edge_labels(read_text("a b\t2\nc d\t3\n", with_weights(), "t").graph), (Labels{"a b", "c d"}));
}

TEST(QuotationMarks, SingleOnesMayHoldCommas) {
  expect_silent("'New York','Paris, TX'\n'Rome','Oslo'\n", "t.csv", {"New York Paris, TX", "Rome Oslo"});
  expect_silent("'tis,rock\na,b\n", "t.csv", {"'tis rock", "a b"});
  expect_warned("'a',b\na,c\n", "t.csv", {"a b", "a c"}, "single quotation marks");
  expect_warned("1,2,3/2\n'1',3,1\n", "t.csv", {"1 2", "1 3"}, "single quotation marks");
  expect_warned("1;5;'6'\n2;5;6\n", "t", {"1 5", "1 6", "2 5", "2 6"}, "single quotation marks",
                in_format(Format::adjacency_list));
  expect_warned("'a' b\na c\n", "t", {"'a' b", "a c"}, "the quotation marks of");
  expect_warned("\u201ca\u201d,b\na,c\n", "t.csv", {"\u201ca\u201d b", "a c"}, "the quotation marks of");
}

TEST(Spreadsheets, TheFirstLineMaySayTheDelimiter) {
  for (const char* const name : {"t.csv", "t", "t.txt"}) {
    expect_silent("sep=;\na;b\nc;d\n", name, {"a b", "c d"});
    expect_silent("\"sep=;\"\r\na;b\r\nc;d\r\n", name, {"a b", "c d"});
    expect_silent("SEP=,\na,b\nc,d\n", name, {"a b", "c d"});
    expect_silent("sep=\t\na\tb\nc\td\n", name, {"a b", "c d"});
    expect_silent("sep=|\na|b\nc|d\n", name, {"a b", "c d"});
    expect_silent("sep=;\nsource;target\na;b\nc;d\n", name, {"a b", "c d"});
  }
}

// As without quotation marks; tabs beside what is no label.
TEST(Spreadsheets, QuotedColumnsAndComments) {
  expect_asked("\"1\" \"0\" \"3\" 4\n\"2\" \"1\" \"2\" 3\n", "t", "--ends 1,2", "--format dense",
               with_weights());
  expect_asked("\"to\" \"from\"\n\"Graz\" \"Bern\" \"1\"\n", "t.txt", "--first-line header",
               "--first-line edge");
  expect_asked("5,0# 1 2\n0,6\n", "t", "--format csv", "--format edgelist");
  EXPECT_EQ(std::get<1>(read_text("1\t4 {'weight': 9}\n", with_weights()).graph.values),
            (std::vector<std::int64_t>{9}));
}

TEST(Spreadsheets, DecimalCommasOfWeights) {
  for (const char* const separator : {";", "\t"}) {
    for (const char* const name : {"t.csv", "t", "t.txt"}) {
      for (const bool header : {false, true}) {
        std::vector<std::vector<std::string>> rows = {
            {"a", "b", "0,5"}, {"c", "d", "-1,25e1"}, {"e", "f", "2"}};
        if (header) rows.insert(rows.begin(), {"source", "target", "weight"});
        const std::string text = joined(rows, separator);
        expect_warned(text, name, {"a b", "c d", "e f"}, "decimal points", with_weights());
        EXPECT_EQ(std::get<std::vector<mpq_class>>(read_text(text, with_weights(), name).graph.values),
                  (std::vector<mpq_class>{mpq_class(1, 2), mpq_class(-25, 2), 2}));
      }
    }
  }
  EXPECT_EQ(input_error("a;b;1,234\nc;d;12,500\n", with_weights(), "t.csv").found(), "'1,234'");
  // Labels, or a matrix.
  const std::string either = "0,5;1,5\n1,0;2,0\n";
  expect_asked(either, "t.csv", "--format dense", "--format csv", with_weights());
  EXPECT_EQ(read_text(either, with_weights(in_format(Format::dense)), "t.csv").graph.edges.size(), 4U);
  EXPECT_EQ(read_text(either, in_format(Format::csv), "t.csv").graph.edges.size(), 2U);
  expect_asked("a b 0,5\nc d 1,5\n", "t.csv", "--format csv", "decimal");
}

TEST(FirstLines, OfNumbersThatNearlyFitAreAskedFor) {
  const std::string five = "1 2\n2 3\n3 4\n4 1\n1 3\n";
  for (const char* const head : {"3 5\n", "4 4\n", "4 6\n", "4 10\n"})
    expect_asked(head + five, "t", "a first line 4 5", "--first-line edge");
  EXPECT_EQ(input_error("4 4\n" + five).expected().find("loops"), std::string::npos);
  ReadOptions header;
  header.first_line = FirstLine::header;
  EXPECT_NE(input_error("3 5\n" + five, header).expected().find("numbers of vertices and edges"),
            std::string::npos);
  EXPECT_NE(input_error("7 8\n" + five, header).found().find("7 8"), std::string::npos);
  ReadOptions edge;
  edge.first_line = FirstLine::edge;
  EXPECT_EQ(read_text("3 5\n" + five, edge).graph.edges.size(), 6U);
  expect_silent("1 2\n2 3\n3 4\n4 1\n", "t", {"1 2", "2 3", "3 4", "4 1"});
  expect_silent("4 2\n1 2\n2 3\n3 4\n4 1\n1 3\n", "t", {"4 2", "1 2", "2 3", "3 4", "4 1", "1 3"});
}

TEST(Encodings, MixedLineEnds) {
  for (const char* const name : {"t", "t.edges"})
    expect_warned("1 2\r2 3\r\n3 4\n4 1\n", name, {"1 2", "2 3", "3 4", "4 1"}, "carriage return");
  expect_warned("1,2\r2,3\r\n3,4\n4,1\n", "t.csv", {"1 2", "2 3", "3 4", "4 1"}, "carriage return");
  expect_silent("1 2\r\r\n3 4\r\r\n5 6\n", "t", {"1 2", "3 4", "5 6"});
  expect_silent("1 2\r\n3 4\n", "t.edges", {"1 2", "3 4"});
}

TEST(Encodings, Utf32AndOnesWithoutAMark) {
  const std::string text = "a \xc3\xa9\nb c\n";
  for (const bool big : {false, true}) {
    std::string four = big ? std::string("\0\0\xfe\xff", 4) : std::string("\xff\xfe\0\0", 4);
    for (const unsigned point : {0x61U, 0x20U, 0xe9U, 0x0aU, 0x62U, 0x20U, 0x63U, 0x0aU}) {
      for (unsigned k = 0; k < 4; ++k) four += static_cast<char>(point >> (8 * (big ? 3 - k : k)) & 0xffU);
    }
    expect_silent(four, "t", edge_labels(read_text(text).graph));
    expect_silent(four, "t.edges", edge_labels(read_text(text).graph));
  }
  for (const std::size_t size : {2U, 4U}) {
    for (const bool big : {false, true}) {
      std::string bytes;
      for (const char c : std::string("1 2\n3 4\n5 6\n")) {
        const std::string zeros(size - 1, '\0');
        bytes += big ? zeros + c : c + zeros;
      }
      EXPECT_NE(input_error(bytes, {}, "t.csv").found().find(size == 2 ? "UTF-16" : "UTF-32"),
                std::string::npos);
    }
  }
}

TEST(NoGraphs, AreNamed) {
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
  const std::vector<std::string> endings = {"",      ".txt", ".edges",   ".csv", ".mtx", ".g6", ".dot",
                                            ".json", ".net", ".graphml", ".mol", ".npz", ".foo"};
  for (const std::string& ending : endings) {
    const auto found = [&](const std::string& text) { return input_error(text, {}, "t" + ending).found(); };
    EXPECT_NE(found(pointer).find("Git LFS"), std::string::npos) << ending;
    EXPECT_NE(found("<!DOCTYPE html>\n<html><body>404</body></html>\n").find("HTML"), std::string::npos)
        << ending;
    EXPECT_NE(found("\n<html>\n<head></head></html>\n").find("HTML"), std::string::npos) << ending;
    EXPECT_NE(found("%PDF-1.4\n").find("PDF"), std::string::npos) << ending;
    EXPECT_NE(found("\x89PNG\r\n").find("picture"), std::string::npos) << ending;
    EXPECT_NE(found(std::string("PK\x03\x04\x14\0\x06\0", 8) + "[Content_Types].xml").find("CSV"),
              std::string::npos)
        << ending;
    if (ending != ".graphml") {
      EXPECT_NE(found("<?xml version=\"1.0\"?>\n<Error/>\n").find("<Error>"), std::string::npos) << ending;
    }
  }
  for (const char* const text : {"dl n=4 format=edgelist1\ndata:\n1 2\n", "DL N = 2\ndata:\n0 1\n1 0\n"})
    EXPECT_NE(input_error(text).found().find("UCINET"), std::string::npos);
  EXPECT_NE(input_error("t # 0\nv 0 1\nv 1 1\ne 0 1 0\n").found().find("gSpan"), std::string::npos);
  EXPECT_NE(input_error("LEDA.GRAPH\nvoid\n").found().find("LEDA"), std::string::npos);
  // Labels that begin so.
  expect_silent("PAR1 F2R\ndl n\n", "t", {"PAR1 F2R", "dl n"});
  expect_silent("t 4\nv 0\n", "t", {"t 4", "v 0"});
}

TEST(Smiles, AreNoEdgesToTheirNames) {
  const std::vector<std::string> texts = {
      "c1ccccc1 benzene\n",
      "c1ccccc1\tbenzene\nc1ccc2ccccc2c1\tnaphthalene\n",
      "C=CC=C butadiene\nCC ethane\n",
      "c1ccccc1\nc1ccc2ccccc2c1\n",
      "SMILES name\nC1=CC=CC=C1 benzene\n",
      "name,smiles\npyridine,c1ccncc1\nsodium acetate,CC(=O)[O-].[Na+]\n"};
  for (const std::string& text : texts) {
    EXPECT_TRUE(looks_like_smiles(text)) << text;
    for (const char* const name : {"t", "t.txt", "t.edges", "t.csv"})
      EXPECT_NE(input_error(text, {}, name).found().find("SMILES"), std::string::npos) << text << name;
  }
  // Names, reactions between molecules, and what is no SMILES.
  for (const char* const text : {"CO NO\nC N\n", "CC=O CCO\nCCO C=C\n", "c1ccccc benzene\n", "C(C benzene\n",
                                 "p(0,0) p(0,1)\n", "C1 C2\nC2 C3\n", "a=b c\n", "C(1) O(2)\n"})
    EXPECT_FALSE(looks_like_smiles(text)) << text;
  EXPECT_EQ(read_text("c1ccccc1 benzene\n", in_format(Format::edge_list)).graph.edges.size(), 1U);
}

TEST(OtherFormats, Gdf) {
  const std::string text =
      "nodedef>name VARCHAR,label VARCHAR\ns1,\"Site 1, north\"\ns2,Site 2\ns3,'Site 3'\ns4,x\n"
      "edgedef>node1 VARCHAR,node2 VARCHAR,weight DOUBLE\ns1,s2,1.5\ns2,s3,3\n";
  for (const char* const name : {"t.gdf", "t", "t.csv", "t.txt"}) {
    const Graph graph = read_text(text, with_weights(), name).graph;
    EXPECT_EQ(edge_labels(graph), (Labels{"s1 s2", "s2 s3"}));
    EXPECT_EQ(graph.left_labels.size(), 4U);
    EXPECT_EQ(std::get<std::vector<mpq_class>>(graph.values), (std::vector<mpq_class>{mpq_class(3, 2), 3}));
  }
  EXPECT_EQ(read_text("nodedef>name\na\nb\nedgedef>node1,node2,directed BOOLEAN\na,b,true\n", {}, "t.gdf")
                .graph.kind,
            GraphKind::directed);
  EXPECT_EQ(input_error("nodedef>name\na\nedgedef>node1,node2\na,b\n", {}, "t.gdf").line(), 4U);
  EXPECT_EQ(input_error("nodedef>name\na\na\n", {}, "t.gdf").line(), 3U);
  expect_asked("nodedef>name\na\nb\nedgedef>node1,node2,directed\na,b,true\nb,a,false\n", "t.gdf",
               "--kind undirected", "--kind directed");
}

TEST(OtherFormats, LglAndNcol) {
  const Labels edges = {"a b", "a d", "b c", "c d"};
  const std::string words = "# a\nb\nd\n# b\nc\n# c\nd\n";
  expect_silent(words, "t.lgl", edges);
  expect_warned(words, "t", edges, "LGL");
  expect_warned("# a\nb 1.5\nd 2\n# b\nc 1\n# c\nd 3\n", "t", edges, "LGL", with_weights());
  expect_asked("# a\nb 1\n# b\nc 1\n", "t", ".lgl", "--format edgelist");
  EXPECT_EQ(input_error("# a\nb c d\n", {}, "t.lgl").line(), 2U);
  EXPECT_EQ(read_text("# a\nb\n# c\n", {}, "t.lgl").graph.left_labels.size(), 3U);
  expect_silent("a b 1\nb c 1\n", "t.ncol", {"a b", "b c"});
}

// With --weights a third word may be a letter; lists of neighbours have no weights.
TEST(OtherFormats, NeighboursOrLetters) {
  const std::string text = "a b x\nb c\nc d\nd a\n";
  for (const char* const name : {"t", "t.edges"}) {
    expect_warned(text, name, {"a b", "a x", "b c", "c d", "d a"}, "read as an adjacency list");
    expect_asked(text, name, "--format edgelist", "--format adjlist", with_weights());
    EXPECT_EQ(read_text("a b 2\nb c\nc d\nd a\n", with_weights(), name).graph.edges.size(), 4U);
  }
}

TEST(OtherFormats, OneEdgeOrAGraphWithoutOne) {
  ReadOptions edge;
  edge.first_line = FirstLine::edge;
  for (const char* const name : {"t", "t.edges", "t.txt"}) {
    expect_warned("2 0\r\n", name, {"2 0"}, "numbers of vertices and edges");
    expect_silent("2 0\n", name, {"2 0"}, edge);
    expect_silent("0 2\n", name, {"0 2"});
  }
}

TEST(OtherFormats, CommentsBehindNumbersOfCsv) {
  for (const char* const name : {"t", "t.csv"})
    expect_warned("5,2\n2,-3# a comment\n", name, {"5 2", "2 -3# a comment"},
                  "not for the beginning of a comment", with_weights());
  expect_silent("a,C# in a name\n", "t.csv", {"a C# in a name"});
}

TEST(OtherFormats, PlainBitmapsAreBoards) {
  for (const char* const text :
       {"P1\n# made by hand\n3 2\n1 1 1\n0 1 1\n", "P1\n3 2\n111\n011\n", "P1 3 2\n111011"}) {
    for (const char* const name : {"t.pbm", "t", "t.txt"}) {
      const ReadResult result = read_text(text, {}, name);
      EXPECT_EQ(result.info.format, Format::board);
      EXPECT_EQ(edge_labels(result.graph), edge_labels(read_text("###\n.##\n", {}, "t.board").graph));
      EXPECT_EQ(result.info.assumptions.size(), 1U);
    }
  }
  EXPECT_NE(input_error("P1\n3 2\n1 1 1 1 1\n", {}, "t.pbm").found().find("the end"), std::string::npos);
  EXPECT_NE(input_error("P1\n1 1\n1 1\n", {}, "t.pbm").found().find("more"), std::string::npos);
  EXPECT_NE(input_error("P4\n3 2\nxx\n", {}, "t.pbm").expected().find("plain"), std::string::npos);
  expect_silent("P1 P2\nP3 P4\n", "t", {"P1 P2", "P3 P4"});
}

}  // namespace
}  // namespace countpm::doubtful_tables_test
