// Nothing is guessed in silence: endings of other formats, packed files, blank ones, header lines, and what
// an error says of the format that was assumed.
#include <set>

#include "graph/formats/foreign_formats.hpp"
#include "graph/formats/formats.hpp"
#include "tests/graph/reading_names.hpp"

namespace countpm {
namespace {

using namespace reading_names;

TEST(Endings, WhatIsAnEnding) {
  EXPECT_EQ(ending_of("a/b.MTX.gz"), ".mtx");
  EXPECT_EQ(ending_of("naphthalene.smi"), ".smi");
  for (const char* name : {"graph", "-", "<stdin>", ".graph", "a.b/graph", "n50.40", "tmp.x8Gh4kLm01",
                           "graph.", "list.txt", "a.DAT", "/dev/fd/63", "graph.v2-final"})
    EXPECT_EQ(ending_of(name), "") << name;
}

TEST(Endings, OfOtherFormatsAreRefusedByName) {
  std::set<std::string_view> seen;
  for (const ForeignFormat& foreign : foreign_formats()) {
    for (const std::string_view ending : foreign.endings) {
      EXPECT_TRUE(seen.insert(ending).second) << ending << " twice";
      const std::string name = "file" + std::string(ending);
      EXPECT_EQ(ending_of(name), ending);
      EXPECT_FALSE(format_by_ending(name)) << ending << " is read";
      const std::string found = input_error("a b\n", {}, name).found();
      EXPECT_NE(found.find(foreign.name), std::string::npos) << found;
      EXPECT_EQ(read_text("a b\n", in_format(Format::edge_list), name).graph.edges.size(), 1U);
    }
  }
}

TEST(Endings, UnknownOnesNeedAHeaderOrAnOption) {
  EXPECT_EQ(input_error("a b\n", {}, "graph.foo").found(), "the unknown ending .foo");
  const std::string matrix = "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n";
  EXPECT_EQ(read_text(matrix, {}, "matrix.foo").info.format, Format::matrix_market);
  EXPECT_EQ(read_text("a b\n", {}, "graph.txt").info.format, Format::edge_list);
}

TEST(Endings, ErrorsSayWhichFormatWasAssumedAndWhy) {
  const auto text = [](const std::string& name, const ReadOptions& options = {}) {
    try {
      read_text("a b\nc\n", options, name);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  const std::string found =
      ":2: expected two labels, or a directive '#! vertex LABEL' for an isolated vertex, found the "
      "single label 'c' ";
  EXPECT_EQ(text("a.el.gz"), "a.el.gz" + found + "(read as edgelist, as the ending .el says)");
  EXPECT_EQ(text("a"),
            "a" + found + "(read as edgelist, by its content; --format NAME forces another format)");
  EXPECT_EQ(text("a.smi", in_format(Format::edge_list)),
            "a.smi" + found + "(read as edgelist, as --format says)");
}

TEST(Endings, PackedStandardInputIsNamed) {
  try {
    refuse_binary("<stdin>", true,
                  std::string_view("\xfd"
                                   "7zXZ\0......",
                                   12));
    ADD_FAILURE() << "was taken";
  } catch (const InputError& error) {
    EXPECT_EQ(error.found(), "xz data (xz -dc FILE | countpm - reads it)");
  }
  refuse_binary("a", false, "BZh is a label\n");  // not bzip2
  EXPECT_EQ(read_text("BZh9 b\n").graph.edges.size(), 1U);
}

TEST(Headers, OfEdgeListsAreSaidUnlessTheyAreVertices) {
  EXPECT_EQ(read_text("# c\nSource Target\na b\n").info.warnings,
            Labels{"test: line 2 was taken for a header: edges from 'Source' to 'Target'"});
  EXPECT_EQ(read_text("u v w\na b 1\n").info.warnings.size(), 1U);
  // i and w are words of headers, and weights.
  EXPECT_EQ(edge_labels(read_text("i j w\na b 5\n").graph), Labels{"a b"});
  EXPECT_NE(input_error("p q w\na b 5\n", with_weights()).expected().find("--first-line"), std::string::npos);
  EXPECT_EQ(read_text("i j w\n1 2 5\n").graph.edges.size(), 1U);  // above numbers
  EXPECT_EQ(read_text("a b i\nb c 1\n", with_weights()).graph.weight_kind, WeightKind::complex);
  ReadOptions letters = with_weights();
  letters.letters = true;
  EXPECT_EQ(read_text("a b w\nb c 1\n", letters).graph.edges.size(), 2U);
  EXPECT_EQ(edge_labels(read_text("source target\nsource a\nb target\n").graph).size(), 3U);
  EXPECT_EQ(read_text("source target\n").graph.edges.size(), 1U);  // alone, it heads nothing
  EXPECT_EQ(read_text("u v\nv x\n").graph.edges.size(), 2U);
  EXPECT_EQ(read_text("from to\na b\n", in_format(Format::edge_list)).graph.edges.size(), 2U);
}

TEST(Networkx, ItsEdgeListsAreRead) {
  EXPECT_EQ(edge_labels(read_text("a b {}\nb c {}\n").graph), (Labels{"a b", "b c"}));
  const ReadResult weighted = read_text("a b {'weight': 2}\nb c {'weight': 0.5}\nc d {}\n", with_weights());
  EXPECT_EQ(std::get<std::vector<mpq_class>>(weighted.graph.values),
            (std::vector<mpq_class>{2, mpq_class(1, 2), 1}));
  EXPECT_EQ(weighted.graph.weight_kind, WeightKind::real);
  EXPECT_NE(input_error("a b {'weight': heavy}\n").found().find("heavy"), std::string::npos);
  for (const char* data : {"{'weight': }", "{'weight':}", "{", "}", "{'w': 1}", "{'weight': 1"})
    EXPECT_NE(input_error("a b " + std::string(data) + "\n").line(), 0U) << data;
}

TEST(Assumptions, ASymmetricMatrixIsStillRowsTimesColumns) {
  const std::string matrix = "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n";
  const InputInfo info = read_text(matrix).info;
  ASSERT_EQ(info.assumptions.size(), 1U);
  EXPECT_NE(info.assumptions.front().find("--kind undirected"), std::string::npos);
  for (const GraphKind kind : {GraphKind::bipartite, GraphKind::undirected, GraphKind::directed})
    EXPECT_TRUE(read_text(matrix, testing::as_kind(kind)).info.assumptions.empty());
}

TEST(Assumptions, AGraphSaidToBeEmptyIsEmpty) {
  EXPECT_EQ(read_text("#! empty\n").graph.left_labels.size(), 0U);
  EXPECT_EQ(read_text("graph {}\n").graph.left_labels.size(), 0U);
}

}  // namespace
}  // namespace countpm
