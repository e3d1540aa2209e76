// Matrices as programs print them and as a line of a program makes them: the entries, whatever stands around.
#include <fmt/format.h>

#include <map>

#include "tests/graph/reading_names.hpp"

namespace countpm::printed_matrix_test {
namespace {

using namespace reading_names;

std::string value_text(const Graph& graph, std::size_t edge) {
  if (const auto* whole = std::get_if<1>(&graph.values)) return std::to_string(whole->at(edge));
  if (const auto* rational = std::get_if<2>(&graph.values)) return rational->at(edge).get_str();
  if (const auto* complex = std::get_if<3>(&graph.values))
    return complex->at(edge).re.get_str() + "," + complex->at(edge).im.get_str();
  return "1";
}

/// "1 2 3; 4 5 6": all entries, zeros too.
std::string entries(const Graph& graph) {
  std::map<std::pair<Index, Index>, std::string> values;
  for (std::size_t k = 0; k < graph.edges.size(); ++k)
    values[{graph.edges[k].from, graph.edges[k].to}] = value_text(graph, k);
  std::string text;
  for (Index i = 0; i < graph.left_labels.size(); ++i) {
    text += i == 0 ? "" : "; ";
    for (Index j = 0; j < graph.right_labels.size(); ++j) {
      const auto found = values.find({i, j});
      text += (j == 0 ? "" : " ") + (found == values.end() ? std::string("0") : found->second);
    }
  }
  return text;
}

std::string with_line_ends(const std::string& text) {
  std::string result = "\xef\xbb\xbf";
  for (const char c : text) result += c == '\n' ? "\r\n" : std::string(1, c);
  return result;
}

/// Read so, however the lines end; as it is and as --format dense.
void expect_entries(const std::string& text, const std::string& want, const std::string& name = "t.txt") {
  SCOPED_TRACE(text);
  ReadOptions dense = with_weights(in_format(Format::dense));
  // Below a comment, too, but where comments say what is below them.
  const std::string commented = text.starts_with('#') ? text : "% a comment\n\n" + text;
  for (const std::string& variant : {text, with_line_ends(text), commented}) {
    for (const ReadOptions& options : {with_weights(), dense}) {
      const ReadResult read = read_text(variant, options, name);
      EXPECT_EQ(read.graph.kind, GraphKind::bipartite);
      EXPECT_EQ(entries(read.graph), want);
    }
  }
}

constexpr const char* four = "1 0 3 1; 0 2 1 0; 1 1 0 1; 5 0 0 1";

TEST(PrintedMatrix, LiteralsOfPrograms) {
  for (const char* const text : {
           "A = np.array([[1,0,3,1],[0,2,1,0],[1,1,0,1],[5,0,0,1]], dtype=int)\n",
           "import numpy as np\nA = np.array([[1, 0, 3, 1],\n [0, 2, 1, 0],\n [1, 1, 0, 1],\n [5,0,0,1]])\n",
           "A = [[1,0,3,1],\n     [0,2,1,0],\n     [1,1,0,1],\n     [5,0,0,1]]\n",
           "A = [1 0 3 1; 0 2 1 0; 1 1 0 1; 5 0 0 1];\n",
           "A=[1,0,3,1;0,2,1,0;1,1,0,1;5,0,0,1]\n",
           "A = [1 0 3 1\n     0 2 1 0\n     1 1 0 1\n     5 0 0 1];\n",
           "A = [1, 0, 3, 1; ...\n     0, 2, 1, 0; ...\n     1, 1, 0, 1; ...\n     5, 0, 0, 1];\n",
           "matrix(QQ, [[1,0,3,1],[0,2,1,0],[1,1,0,1],[5,0,0,1]])\n",
           "M = matrix(ZZ, 4, 4, [1,0,3,1,0,2,1,0,1,1,0,1,5,0,0,1])\n",
           "Matrix(4, 4, [1, 0, 3, 1, 0, 2, 1, 0, 1, 1, 0, 1, 5, 0, 0, 1])\n",
           "A: matrix([1,0,3,1],[0,2,1,0],[1,1,0,1],[5,0,0,1])$\n",
           "A := Matrix(4, 4, [[1,0,3,1],[0,2,1,0],[1,1,0,1],[5,0,0,1]]);\n",
           "<<1|0|3|1>,<0|2|1|0>,<1|1|0|1>,<5|0|0|1>>\n",
           "<<1,0,1,5>|<0,2,1,0>|<3,1,0,0>|<1,0,1,1>>;\n",
           "<1,0,1,5|0,2,1,0|3,1,0,0|1,0,1,1>\n",
           "A <- matrix(c(1,0,1,5,0,2,1,0,3,1,0,0,1,0,1,1), nrow = 4)\n",
           "matrix(c(1,0,3,1,0,2,1,0,1,1,0,1,5,0,0,1), ncol = 4, byrow = TRUE)\n",
           "structure(c(1L, 0L, 1L, 5L, 0L, 2L, 1L, 0L, 3L, 1L, 0L, 0L, 1L, 0L, 1L, 1L), dim = c(4L, 4L))\n",
           "rbind(c(1,0,3,1), c(0,2,1,0), c(1,1,0,1), c(5,0,0,1))\n",
           "cbind(c(1,0,1,5), c(0,2,1,0), c(3,1,0,0), c(1,0,1,1))\n",
           "np.matrix('1 0 3 1; 0 2 1 0; 1 1 0 1; 5 0 0 1')\n",
           "A = {{1,0,3,1},{0,2,1,0},{1,1,0,1},{5,0,0,1}};\n",
           "int A[4][4] = {{1, 0, 3, 1}, {0, 2, 1, 0}, {1, 1, 0, 1}, {5, 0, 0, 1}};\n",
           "M = [1,0,3,1;0,2,1,0;1,1,0,1;5,0,0,1];\n",
           ">>> A\narray([[1, 0, 3, 1],\n       [0, 2, 1, 0],\n       [1, 1, 0, 1],\n       [5, 0, 0, 1]])\n",
       })
    expect_entries(text, four);
  for (const char* const text :
       {"((1,0,3,1),(0,2,1,0),(1,1,0,1),(5,0,0,1))", "[(1,0,3,1),(0,2,1,0),(1,1,0,1),(5,0,0,1)]",
        "Int64[1 0 3 1; 0 2 1 0; 1 1 0 1; 5 0 0 1]",
        "(%o1) matrix([1,0,3,1],[0,2,1,0],[1,1,0,1],[5,0,0,1])\n",
        "std::vector<std::vector<int>> a = {{1,0,3,1},{0,2,1,0},{1,1,0,1},{5,0,0,1}};",
        "Out[1]= {{1,0,3,1},{0,2,1,0},{1,1,0,1},{5,0,0,1}}\n",
        "A = [1 0 3 1; # first\n 0 2 1 0;\n 1 1 0 1;\n 5 0 0 1]"})
    expect_entries(text, four);
  // Another matrix than the one that is written, or none.
  for (const char* const text :
       {"2*np.array([[1,0,3,1],[0,2,1,0],[1,1,0,1],[5,0,0,1]])", "np.array([[1,2,3,4],[5,6,7,8]])/2",
        "A = [1 2 3 4; 5 6 7 8]'", "A = [[1,2,3,4],[5,6,7]]", "A = [[1,2,3,4],[5,6,7,8]", "A = [1 NaN; 2 3]",
        "[[1, inf],[2, 3]]", "1,000 2,000\n3,000 4,000\n",
        "2x2 Matrix{Rational{Int64}}:\n 1//2  1//3\n 1//1  2//1\n"})
    EXPECT_THROW(read_text(text, with_weights()), InputError) << text;
  expect_entries("[[True, False],[False, True]]\nprint(1)\n", "1 0; 0 1", "t.dense");
}

TEST(PrintedMatrix, RowsUnderHeadings) {
  for (const char* const text : {
           "A =\n\n   1   0   3   1\n   0   2   1   0\n   1   1   0   1\n   5   0   0   1\n\n",
           "ans =\n    1    0    3    1\n    0    2    1    0\n    1    1    0    1\n    5    0    0    1\n",
           "4\u00d74 Matrix{Int64}:\n 1  0  3  1\n 0  2  1  0\n 1  1  0  1\n 5  0  0  1\n",
           "4x4 Array{Int64,2}:\n 1  0  3  1\n 0  2  1  0\n 1  1  0  1\n 5  0  0  1\n",
           "A =\n\n Columns 1 through 3:\n\n 1 0 3\n 0 2 1\n 1 1 0\n 5 0 0\n\n Column 4:\n\n 1\n 0\n 1\n 1\n",
           "     [,1] [,2] [,3] [,4]\n[1,]    1    0    3    1\n[2,]    0    2    1    0\n[3,]    1    1    "
           "0    1\n"
           "[4,]    5    0    0    1\n",
           "     [,1] [,2] [,3]\n[1,] 1 0 3\n[2,] 0 2 1\n[3,] 1 1 0\n[4,] 5 0 0\n     [,4]\n[1,] 1\n[2,] "
           "0\n[3,] 1\n"
           "[4,] 1\n",
           "4 x 4 sparse Matrix of class \"dgCMatrix\"\n            \n[1,] 1 . 3 1\n[2,] . 2 1 .\n[3,] 1 1 . "
           "1\n[4,] 5 . . 1\n",
           "[1 0 3 1]\n[0 2 1 0]\n[1 1 0 1]\n[5 0 0 1]\n",
           "[1  0  3  1]\n[          ]\n[0  2  1  0]\n[          ]\n[1  1  0  1]\n[          ]\n[5  0  0  "
           "1]\n",
           ">> A\nA =\n\n 1 0 3 1\n 0 2 1 0\n 1 1 0 1\n 5 0 0 1\n",
           "  [,1] [,2] [,3] [,4]\nw 1 0 3 1\nx 0 2 1 0\ny 1 1 0 1\nz 5 0 0 1\n",
           "$\\left[\\begin{array}{cccc}1&0&3&1\\\\0&2&1&0\\\\1&1&0&1\\\\5&0&0&1\\end{array}\\right]$\n",
           "4x4 SparseMatrixCSC{Int64, Int64} with 10 stored entries:\n 1  \u22c5  3  1\n \u22c5  2  1  "
           "\u22c5\n 1  1  \u22c5  1\n"
           " 5  \u22c5  \u22c5  1\n",
           "[1, 0, 3, 1],\n[0, 2, 1, 0],\n[1, 1, 0, 1],\n[5, 0, 0, 1]\n",
           "\xe2\x8e\xa1"
           "1  0  3  1\xe2\x8e\xa4\n\xe2\x8e\xa2"
           "0  2  1  0\xe2\x8e\xa5\n\xe2\x8e\xa2"
           "1  1  0  1\xe2\x8e\xa5\n"
           "\xe2\x8e\xa3"
           "5  0  0  1\xe2\x8e\xa6\n",
           "\\begin{pmatrix}\n1 & 0 & 3 & 1 \\\\\n0 & 2 & 1 & 0 \\\\\n1 & 1 & 0 & 1 \\\\\n5 & 0 & 0 & "
           "1\n\\end{pmatrix}\n",
           "1 & 0 & 3 & 1 \\\\\n0 & 2 & 1 & 0 \\\\\n1 & 1 & 0 & 1 \\\\\n5 & 0 & 0 & 1 \\\\\n",
           "   0  1  2  3\n0  1  0  3  1\n1  0  2  1  0\n2  1  1  0  1\n3  5  0  0  1\n",
           "# Created by Octave 8.4.0, Mon Jan 01 00:00:00 2024 UTC <u@h>\n# name: A\n# type: matrix\n# "
           "rows: 4\n# columns: 4\n"
           " 1 0 3 1\n 0 2 1 0\n 1 1 0 1\n 5 0 0 1\n\n\n",
           "rows = 4\ncols = 4\n1 0 3 1\n0 2 1 0\n1 1 0 1\n5 0 0 1\n",
           "4 4\n1 0 3 1\n0 2 1 0\n1 1 0 1\n5 0 0 1\n",
           "4\n1 0 3 1\n0 2 1 0\n1 1 0 1\n5 0 0 1\n",
       })
    expect_entries(text, four);
  expect_entries("A =\n\nDiagonal Matrix\n\n   1   0   0\n   0   2   0\n   0   0   3\n\n",
                 "1 0 0; 0 2 0; 0 0 3");
  for (const char* const text : {"\"10\",\n\"11\"\n", "10,\n11\n", "2\n10\n11\n", "2 2\n10\n11\n"})
    EXPECT_EQ(entries(read_text(text).graph), "1 0; 1 1") << text;
  EXPECT_EQ(input_error("A =\n 1 2\n 3 4\nB =\n 1 2\n").line(), 4U);
  EXPECT_NE(input_error("A =\n 1 2 3 4\n 3 4 5\n", with_weights()).expected().find("4 entries"),
            std::string::npos);
  EXPECT_NE(
      input_error("3\u00d73 Matrix{Int64}:\n 1  \xe2\x80\xa6  2\n \xe2\x8b\xae\n").found().find("in short"),
      std::string::npos);
}

// MATLAB prints a factor of all entries.
TEST(PrintedMatrix, ColumnsWithoutRowsAreRefused) {
  for (const char* const text : {"[,1]\n[,1]\n", "   [,1] [,2]\n   [,3]\n",
                                 "2 x 2 sparse Matrix of class \"dgCMatrix\"\n[,1] [,2]\n"}) {
    for (const ReadOptions& options : {ReadOptions(), with_weights(), in_format(Format::dense)}) {
      const InputError error = input_error(text, options);
      EXPECT_NE(error.found().find("none"), std::string::npos) << text << error.what();
    }
  }
}

// Lines of CR or of a byte order mark alone, of an empty label, or that begin with a semicolon have no word.
TEST(PrintedMatrix, LinesWithoutAWordAreNoRows) {
  for (const char* const text :
       {"1 2\n2 3\n; 4\n4 1\n", "In [2\n\r\r\r\n10 1\n0 01\n", "\n\xef\xbb\xbf\n 1 ",
        "\"\"\n\"1\" \"212 \n\" 2 3\n", " ,\r\r\n\r\n1 2\n", "#! v\r\r\r\n \r\r\nx a\n"}) {
    for (const ReadOptions& options : {ReadOptions(), with_weights(), in_format(Format::dense),
                                       in_format(Format::edge_list), in_format(Format::csv)}) {
      try {
        read_text(text, options);
      } catch (const InputError& error) {
        EXPECT_FALSE(error.expected().empty()) << text;
      }
    }
  }
}

TEST(PrintedMatrix, TheFactorAboveCounts) {
  for (const char* const head : {"A =\n\n   1.0e+03 *\n\n", "A =\n   1.0e+03  *\n", "   1.0e+03 *\n\n"})
    expect_entries(std::string(head) + "    1.0000    2.0000\n    0.4000    0.0050\n", "1000 2000; 400 5");
  expect_entries("A =\n   1.0e-02 *\n 1.0000 + 2.0000i   0.5000 - 1.0000i\n 3 0\n",
                 "1/100,1/50 1/200,-1/100; 3/100,0 0");
  const ReadResult read = read_text("A =\n 1.0e+03 *\n 1 2\n 3 4\n", with_weights());
  ASSERT_EQ(read.info.warnings.size(), 1U);
  EXPECT_NE(read.info.warnings[0].find("multiplied by 1.0e+03"), std::string::npos);
  EXPECT_NE(input_error("A =\n 2.5e+03 *\n 1 2\n 3 4\n", with_weights()).expected().find("power of ten"),
            std::string::npos);
}

TEST(PrintedMatrix, ComplexNumbersOfOtherPrograms) {
  const std::string want = "1,2 3,0; 0 2,-1";
  for (const char* const rows :
       {"1+2im  3+0im\n0+0im  2-1im\n", "1 + 2im  3 + 0im\n0 + 0im  2 - 1im\n", "1+2*%i 3+0*%i\n0 2-1*%i\n",
        "2*%i+1 3+0*%i\n0 2-%i\n", "1+2*I, 3\n0, 2-I\n", "1 + 2*I, 3 + 0*I\n0, 2 - 1*I\n",
        "1.0000 + 2.0000i   3.0000 + 0.0000i\n0.0000 + 0.0000i   2.0000 - 1.0000i\n",
        "1 + 2i;3 + 0i\n0 + 0i;2 - 1i\n", "1 + 2i\t3 + 0i\n0 + 0i\t2 - 1i\n",
        "1 + 2i, 3 + 0i\n0 + 0i, 2 - 1i\n",
        "2\u00d72 Matrix{Complex{Int64}}:\n 1+2im  3+0im\n 0+0im  2-1im\n", "{{1 + 2 I, 3}, {0, 2 - I}}",
        "{{1. + 2. I, 3.}, {0., 2. - 1. I}}", "[[1 + 2*I, 3], [0, 2 - I]]", "matrix([1+2*%i,3],[0,2-%i])$",
        "[1+2i 3; 0 2-1i]", "[1 + 2i, 3; 0, 2 - 1i]"}) {
    SCOPED_TRACE(rows);
    const std::string text = rows;
    EXPECT_EQ(entries(read_text(text, with_weights(), "t.txt").graph), want);
    EXPECT_EQ(entries(read_text(text, with_weights(in_format(Format::dense))).graph), want);
  }
  EXPECT_EQ(entries(read_text("{{1.5*^-3, 1.}, {2`, 3`20}}", with_weights()).graph), "3/2000 1; 2 3");
  EXPECT_EQ(entries(read_text("2*I 1\n1 2*I\n", with_weights()).graph), "0,2 1,0; 1,0 0,2");
  // In edge lists they are weights, and words without a number in them labels.
  EXPECT_EQ(value_text(read_text("a b 1+2im\nim I 2*I\n", with_weights(), "t.edges").graph, 0), "1,2");
  EXPECT_THROW(read_text("1.5x 2\n", with_weights(in_format(Format::dense))), Error);
}

TEST(PrintedMatrix, SparseOnes) {
  const std::string want = "3 1 0; 1 2 0; 0 0 5";
  for (const char* const text :
       {"A =\n\nCompressed Column Sparse (rows = 3, cols = 3, nnz = 5 [56%])\n\n  (1, 1) -> 3\n  (2, 1) -> "
        "1\n"
        "  (1, 2) -> 1\n  (2, 2) -> 2\n  (3, 3) -> 5\n",
        "A =\n\n   (1,1)        3\n   (2,1)        1\n   (1,2)        1\n   (2,2)        2\n   (3,3)        "
        "5\n",
        "<Compressed Sparse Row sparse matrix of dtype 'int64'\n\twith 5 stored elements and shape (3, 3)>\n"
        "  Coords\tValues\n  (0, 0)\t3\n  (0, 1)\t1\n  (1, 0)\t1\n  (1, 1)\t2\n  (2, 2)\t5\n",
        "# name: A\n# type: sparse matrix\n# nnz: 5\n# rows: 3\n# columns: 3\n1 1 3\n2 1 1\n1 2 1\n2 2 2\n3 "
        "3 5\n"})
    expect_entries(text, want);
  // Without a heading they may be edges.
  const std::string bare = "  (0, 1)\t3\n  (1, 2)\t4\n  (2, 0)\t5\n";
  EXPECT_NE(input_error(bare, with_weights()).expected().find("--kind bipartite"), std::string::npos);
  EXPECT_EQ(entries(read_text(bare, with_weights(as_kind(GraphKind::bipartite))).graph),
            "0 3 0; 0 0 4; 5 0 0");
  EXPECT_EQ(edge_labels(read_text(bare, with_weights(as_kind(GraphKind::undirected))).graph),
            (Labels{"0 1", "1 2", "2 0"}));
  EXPECT_NE(input_error("A =\nCompressed Column Sparse (rows = 2, cols = 2, nnz = 1)\n (3, 1) -> 1\n")
                .expected()
                .find("a row up to 2"),
            std::string::npos);
}

TEST(PrintedMatrix, ListsThatMayBeEdgesAreAskedForOrSaid) {
  for (const char* const text : {"A = [[1,2],[2,3]]", "A = [1 2; 2 3]", "[1, 2],\n[2, 3]\n"}) {
    EXPECT_NE(input_error(text).expected().find("--format dense"), std::string::npos) << text;
    EXPECT_EQ(edge_labels(read_text(text, in_format(Format::edge_list)).graph), (Labels{"1 2", "2 3"}))
        << text;
    EXPECT_EQ(entries(read_text(text, with_weights(in_format(Format::dense))).graph), "1 2; 2 3") << text;
  }
  const ReadResult edges = read_text("[1, 2],\n[2, 3],\n[3, 4]\n");
  EXPECT_EQ(edge_labels(edges.graph), (Labels{"1 2", "2 3", "3 4"}));
  EXPECT_EQ(edges.info.warnings.size(), 1U);
  EXPECT_EQ(edge_labels(read_text("[0, 3],\n").graph), (Labels{"0 3"}));
  const std::string headed = "A =\n\n 1 2\n 2 3\n 3 4\n";
  EXPECT_NE(input_error(headed).expected().find("--kind undirected"), std::string::npos);
  EXPECT_EQ(read_text(headed, as_kind(GraphKind::undirected)).graph.edges.size(), 3U);
  // "n m" and edges, or rows and columns.
  const std::string sized = "3 3\n1 2 5\n2 3 4\n1 3 4\n";
  EXPECT_NE(input_error(sized, with_weights()).expected().find("--format dense"), std::string::npos);
  ReadOptions header = with_weights();
  header.first_line = FirstLine::header;
  EXPECT_EQ(read_text(sized, header).graph.edges.size(), 3U);
  EXPECT_EQ(entries(read_text(sized, with_weights(in_format(Format::dense))).graph), "1 2 5; 2 3 4; 1 3 4");
  // A loop is no edge here.
  EXPECT_EQ(entries(read_text("3 3\n0 1 1\n1 1 0\n1 0 1\n").graph), "0 1 1; 1 1 0; 1 0 1");
}

TEST(PrintedMatrix, DecimalCommas) {
  const std::string want = "3/2 2 1; 3 9/2 1; 1 1 2";
  for (const std::string blank : {";", "\t", " ", "; "}) {
    const std::string text = fmt::format("1,5{0}2,0{0}1,0\n3,0{0}4,5{0}1,0\n1,0{0}1,0{0}2,0\n", blank);
    expect_entries(text, want);
    EXPECT_NE(read_text(text, with_weights()).info.warnings[0].find("taken for decimal points"),
              std::string::npos);
  }
  EXPECT_NE(input_error("1,5;2,0\n3,0;4,5\n", with_weights()).expected().find("--format csv"),
            std::string::npos);
  EXPECT_EQ(entries(read_text("1,5;2,0\n3,0;4,5\n", with_weights(in_format(Format::dense))).graph),
            "3/2 2; 3 9/2");
  EXPECT_EQ(read_text("1,5;2,0\n3,0;4,5\n", in_format(Format::csv)).graph.left_labels.size(), 4U);
  EXPECT_EQ(entries(read_text("1,2\n3,4\n", with_weights(), "t.dense").graph), "1 2; 3 4");
  EXPECT_NE(input_error("[1,5 2,0; 3,0 4,5]").expected().find("decimal points"), std::string::npos);
}

// In one line semicolons part rows, and commas numbers: that is said where they may be decimals.
TEST(PrintedMatrix, DecimalCommasInOneLine) {
  const ReadResult read = read_text("1,5;2,0\n", with_weights(in_format(Format::dense)));
  EXPECT_EQ(entries(read.graph), "1 5; 2 0");
  ASSERT_EQ(read.info.warnings.size(), 1U);
  EXPECT_NE(read.info.warnings[0].find("not for decimal points: 2 rows and 2 columns"), std::string::npos);
  EXPECT_NE(input_error("1,5;2,0\n").expected().find("--format dense"), std::string::npos);
  for (const char* const text : {"1 5; 2 0\n", "1, 5; 2, 0\n", "1,5,1;2,0,1;1,1,1\n"})
    EXPECT_EQ(read_text(text, with_weights(in_format(Format::dense))).info.warnings, Labels{}) << text;
}

TEST(PrintedMatrix, WordsOfBitsAreNoNumbers) {
  for (const char* const text : {"01 1\n10 0\n", "011\n1 0 1\n110\n"})
    EXPECT_NE(input_error(text, with_weights(in_format(Format::dense))).found().find("beside other words"),
              std::string::npos);
  EXPECT_EQ(entries(read_text("10 1\n1 11\n", with_weights(in_format(Format::dense))).graph), "10 1; 1 11");
}

}  // namespace
}  // namespace countpm::printed_matrix_test
