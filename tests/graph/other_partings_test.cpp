// Signs that part every line as well as what was taken for it, and first lines of a word and a number.
#include <fmt/format.h>

#include "tests/graph/reading_names.hpp"

namespace countpm::other_partings_test {
namespace {

using namespace reading_names;

std::string all_warnings(const ReadResult& result) {
  std::string text;
  for (const std::string& warning : result.info.warnings) text += warning + "\n";
  return text;
}

void expect_warned(const std::string& text, const std::string& words, const Labels& edges,
                   const ReadOptions& options = {}, const std::string& name = "t") {
  SCOPED_TRACE(text + name);
  const ReadResult result = read_text(text, options, name);
  EXPECT_EQ(edge_labels(result.graph), edges);
  EXPECT_NE(all_warnings(result).find(words), std::string::npos) << all_warnings(result);
  ReadOptions strict = options;
  strict.strict = true;
  EXPECT_THROW(read_text(text, strict, name), InputError);
}

void expect_silent(const std::string& text, const Labels& edges, const ReadOptions& options = {},
                   const std::string& name = "t") {
  SCOPED_TRACE(text + name);
  const ReadResult result = read_text(text, options, name);
  EXPECT_EQ(edge_labels(result.graph), edges);
  EXPECT_EQ(all_warnings(result), "");
}

/// No reading without a warning.
void expect_said(const std::string& text, const std::string& name, const ReadOptions& options) {
  SCOPED_TRACE(text + name);
  try {
    const ReadResult result = read_text(text, options, name);
    EXPECT_NE(all_warnings(result), "") << "read in silence: " << edge_labels(result.graph).front();
  } catch (const InputError&) {  // asked
  }
}

TEST(OtherPartings, OfTwoSignsInEveryLineAreSaid) {
  const Labels names = {"Ann", "Bob", "Cy", "Dee", "Eve", "Flo"};
  for (const std::string fields : {",", ";"}) {
    for (const std::string sign : {"|", "=", ":", "~", "--", "->", "<->", "=>", "::", "\u2192"}) {
      for (const std::string blank : {"", " "}) {
        for (const std::size_t lines : {1U, 2U}) {
          for (const bool behind : {false, true}) {
            std::string text;
            for (std::size_t k = 0; k < lines; ++k) {
              const std::string joined = fmt::format("{0}{1}{0}", blank, sign);
              text += fmt::format("{}{}{}{}{}\n", names[3 * k], behind ? fields : joined, names[3 * k + 1],
                                  behind ? joined : fields, names[3 * k + 2]);
            }
            for (const char* const name : {"t", "t.csv", "t.txt"}) {
              expect_said(text, name, {});
              expect_said(text, name, with_weights());
            }
          }
        }
      }
    }
  }
}

TEST(OtherPartings, OfOneLineAreSaid) {
  expect_warned("|,n000 = n002 4\n", "'=' was taken for what stands between the ends", {"|,n000 n002"},
                with_weights());
  expect_warned("|,n000 = n002 4\n", "'=' is in every line", {"| n000 = n002 4"}, with_weights(), "t.csv");
  expect_silent("a=b c\nd=e f\n", {"a=b c", "d=e f"});
  expect_warned("a->b c\nd->e f\n", "'->' is in every line", {"a->b c", "d->e f"});
  expect_warned("a->b,c->d\ne->f,g->h\n", "'->' is in every line", {"a->b c->d", "e->f g->h"});
  expect_warned("1-> 2 3\n4-> 5 6\n", "'->' is in every line", {"1-> 2", "4-> 5"}, with_weights());
  expect_warned("Ann\tBob -> Cy\nDee\tEve -> Flo\n", "'->' is in every line",
                {"Ann Bob -> Cy", "Dee Eve -> Flo"}, {}, "t.tsv");
  expect_warned("1\t2|3\n4\t5|6\n", "'|' is in every line", {"1 2|3", "4 5|6"}, {}, "t.tsv");
  expect_warned("1 = 2\t3\n4 = 5\t6\n", "'=' was taken", {"1 2", "4 5"}, with_weights());
  expect_warned("a;b,c\nd;e,f\n", "',' is in every line", {"a b,c", "d e,f"});
  expect_warned("Ann Lee|Bob\nCy Dee|Eve\n", "'|' is in every line", {"Ann Lee|Bob", "Cy Dee|Eve"});
}

TEST(OtherPartings, ThatAreEvenAreAskedFor) {
  for (const char* const text : {"1,2|3,4\n5,6|7,8\n", "0 1|0 2\n1 1|1 2\n"}) {
    const std::string error = input_error(text, with_weights()).what();
    EXPECT_NE(error.find("--format"), std::string::npos) << error;
    EXPECT_NE(error.find("sep=|"), std::string::npos) << error;
  }
  EXPECT_EQ(edge_labels(read_text("sep=|\n1,2|3,4\n5,6|7,8\n", in_format(Format::csv)).graph),
            (Labels{"1,2 3,4", "5,6 7,8"}));
  expect_warned("sep=|\n0 1|0 2\n1 1|1 2\n", "the blank in '0 1'", {"0 1 0 2", "1 1 1 2"});
  expect_silent("1,2|3,1\n5,6|7,1\n", {"1 2|3", "5 6|7"}, in_format(Format::csv));
}

TEST(OtherPartings, ThatAreNamesAreNot) {
  // What one sign makes of it is a name in every line.
  expect_silent("TP53,GO:0005524\nBRCA1,GO:0003677\n", {"TP53 GO:0005524", "BRCA1 GO:0003677"}, {}, "t.csv");
  expect_silent("ex:Ann ex:Bob\nex:Cy ex:Dee\n", {"ex:Ann ex:Bob", "ex:Cy ex:Dee"});
  expect_silent("A:1,x\nB,C\n", {"A:1 x", "B C"}, {}, "t.csv");
  expect_silent("TP53|7157\tx\nBRCA1|672\ty\n", {"TP53|7157 x", "BRCA1|672 y"}, {}, "t.tsv");
  expect_silent("\"a=b\",c\n\"d=e\",f\n", {"a=b c", "d=e f"}, {}, "t.csv");
  expect_silent("source,target\na=b,c\nd=e,f\n", {"a=b c", "d=e f"}, {}, "t.csv");
  expect_silent("a=b,c\nd=e,f\n", {"a=b c", "d=e f"}, in_format(Format::csv));
  expect_silent("Bern, CH;Rome, IT\n", {"Bern, CH Rome, IT"}, {}, "t.csv");
}

// An edge, or names above a row of a matrix.
TEST(FirstLines, OfAWordAndANumberAboveNumbersAreSaid) {
  for (const char* const name : {"t", "t.csv"}) {
    expect_warned("x0|x1\\1,1\n0,1\n", "--format dense --first-line header", {"x0|x1\\1 1", "0 1"}, {}, name);
    expect_warned("1,x\n2,3\n4,5\n", "--format dense --first-line header", {"1 x", "2 3", "4 5"}, {}, name);
  }
  expect_warned("x 1\n0 1\n", "--format dense --first-line header", {"x 1", "0 1"});
  ReadOptions header = in_format(Format::dense);
  header.first_line = FirstLine::header;
  EXPECT_EQ(edge_labels(read_text("x,1\n0,1\n", header).graph), Labels{"r1 1"});
  ReadOptions edge;
  edge.first_line = FirstLine::edge;
  expect_silent("x,1\n0,1\n", {"x 1", "0 1"}, edge);
  expect_silent("x,1\ny,2\n", {"x 1", "y 2"});
}

// What other lines have between the ends of an edge.
TEST(FirstLines, WithoutTheSignOfTheOthersAreNoEdgesInSilence) {
  const Labels edges = {"a b", "c d"};
  expect_warned("source target\na -- b\nc -- d\n", "taken for names of columns", edges);
  for (const char* const head : {"u v", "graph TD", "Ann Bob"}) {
    const std::string text = std::string(head) + "\na -- b\nc -- d\n";
    const std::string error = input_error(text).what();
    EXPECT_NE(error.find("--first-line header"), std::string::npos) << error;
    EXPECT_NE(error.find("--first-line edge"), std::string::npos) << error;
    ReadOptions options;
    options.first_line = FirstLine::header;
    EXPECT_EQ(edge_labels(read_text(text, options).graph), edges);
    options.first_line = FirstLine::edge;
    EXPECT_EQ(edge_labels(read_text(text, options).graph), (Labels{head, "a b", "c d"}));
  }
  EXPECT_NE(std::string(input_error("5 6\n1 -- 2\n3 -- 4\n").what()).find("--first-line edge"),
            std::string::npos);
  expect_warned("4 nodes\n1 -- 2\n3 -- 4\n", "numbers of vertices", {"1 2", "3 4"});
}

// As databases print them.
TEST(Bars, PartFields) {
  for (const char* const name : {"t", "t.csv", "t.txt"}) {
    expect_silent("source|target\nAnn|Bob\nCy|Dee\n", {"Ann Bob", "Cy Dee"}, {}, name);
    const ReadResult weighted = read_text("source|target|weight\na|b|2\nc|d|3\n", with_weights(), name);
    EXPECT_EQ(edge_labels(weighted.graph), (Labels{"a b", "c d"}));
    EXPECT_EQ(std::get<1>(weighted.graph.values), (std::vector<std::int64_t>{2, 3}));
    expect_silent("New York|Rome\nOslo|Bern\nRome|Los Angeles\n",
                  {"New York Rome", "Oslo Bern", "Rome Los Angeles"}, {}, name);
  }
  EXPECT_NE(input_error("|a|b|\n|c|d|\n").found(), "");
}

TEST(Tables, OfOtherPrograms) {
  // SageMath's edges, a complex matrix as NumPy prints it, KONECT's names, a semicolon behind each line.
  expect_warned("[(0, 1, None), (2, 3, None)]\n", "taken for edges", {"0 1", "2 3"});
  const ReadResult printed = read_text("[[ 0.5+0.1j  0.2-0.3j]\n [-0.1+0.j   1. +0.j ]]\n", with_weights());
  EXPECT_EQ(edge_labels(printed.graph), (Labels{"1 1", "1 2", "2 1", "2 2"}));
  expect_silent("% sym\n1 2\n3 4\n5 6\n", {"1 2", "3 4", "5 6"}, {}, "out.dolphins");
  expect_silent("Ann;Bob;\nCy;Dee;\n", {"Ann Bob", "Cy Dee"}, {}, "t.csv");
}

TEST(Weights, ThatMayBeOthersAreSaid) {
  const std::string table = "source;target;weight\n";
  expect_warned(table + "a;b;1.200\nc;d;2.300\n", "not for what parts thousands", {"a b", "c d"},
                with_weights(), "t.csv");
  expect_silent(table + "a;b;1.200\nc;d;0.300\n", {"a b", "c d"}, with_weights(), "t.csv");
  expect_warned("a,b,2\nc,d,\n", "nothing in the column of weights", {"a b", "c d"}, with_weights(), "t.csv");
  expect_silent("a,b,\nc,d,\n", {"a b", "c d"}, with_weights(), "t.csv");
}

// One value is none, so that the lines are no edges with values.
TEST(Partings, OfNumbersInOneWordAreSaid) {
  expect_warned("1~3 4\n1~4 )2\n2~3 5\n2~4 3\n", "'~'", {"1~3 4", "1~4 )2", "2~3 5", "2~4 3"}, with_weights(),
                "t");
  expect_silent("a~3 4\na~4 )2\n", {"a~3 4", "a~4 )2"}, {}, "t");
  expect_silent("0:1 0:2\n1:1 1:2\n", {"0:1 0:2", "1:1 1:2"}, {}, "t");
}

TEST(FirstLine, ThatIsSaidToBeAHeaderIsNoSizeOfAMatrix) {
  ReadOptions options = with_weights();
  options.first_line = FirstLine::header;
  EXPECT_THROW(read_text("3 3\n1 3 4\n1 3 3\n1 2 8\n", options, "t"), InputError);
  EXPECT_EQ(edge_labels(read_text("3 3\n1 3 4\n2 3 3\n1 2 8\n", options, "t").graph),
            (Labels{"1 3", "2 3", "1 2"}));
}

// A matrix of three columns, or edges with weights.
TEST(Weights, OfZeroBetweenNumbersAreSaid) {
  for (const char* const name : {"t.csv", "t"})
    expect_warned("7\t9\t1\n6\t0\t0\n0\t7\t7\n5\t0\t0\n", "--format dense", {"7 9", "0 7"}, with_weights(),
                  name);
  expect_silent("a,b,1\nc,d,0\n", {"a b"}, with_weights(), "t.csv");
}

TEST(Labels, InParenthesesAreAskedFor) {
  const std::string points = "\"(0,0)\",\"(0,1)\"\n\"(1,0)\",\"(1,1)\"\n\"(0,0)\",\"(1,0)\"\n";
  const std::string error = input_error(points, {}, "t.csv").what();
  EXPECT_NE(error.find("--format csv"), std::string::npos) << error;
  EXPECT_NE(error.find("--format dense"), std::string::npos) << error;
  EXPECT_EQ(edge_labels(read_text(points, in_format(Format::csv), "t.csv").graph),
            (Labels{"(0,0) (0,1)", "(1,0) (1,1)", "(0,0) (1,0)"}));
}

}  // namespace
}  // namespace countpm::other_partings_test
