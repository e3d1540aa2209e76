// Matrices as spreadsheets, NumPy, MATLAB, Mathematica and R write them, and complex numbers of theirs.
#include <zlib.h>

#include <cmath>
#include <cstring>

#include "tests/graph/reading_names.hpp"

namespace countpm::text_matrix_test {
namespace {

using namespace reading_names;

ComplexRational complex_of(const Graph& graph, std::size_t edge) {
  return std::get<3>(graph.values).at(edge);
}

TEST(ComplexText, AsOthersWriteIt) {
  const auto weight_of = [](const std::string& text) {
    return complex_of(read_text("a b " + text + "\n", with_weights(), "t.edges").graph, 0);
  };
  const ComplexRational want{1, 2};
  for (const char* const text : {"1+2i", "1+2j", "(1+2j)", "(1,2)", "1.+2.j", "(1e0+2.0e+00j)", "1.0D0+2i"})
    EXPECT_EQ(weight_of(text), want) << text;
  EXPECT_EQ(weight_of("2j"), (ComplexRational{0, 2}));
  EXPECT_EQ(weight_of("-2.5j"), (ComplexRational{0, mpq_class(-5, 2)}));
  EXPECT_EQ(weight_of("1e-3-4.5e+00j"), (ComplexRational{mpq_class(1, 1000), mpq_class(-9, 2)}));
  EXPECT_EQ(weight_of("(1+-2j)"), (ComplexRational{1, -2}));
  // j without a number is a letter.
  EXPECT_THROW(weight_of("j"), Error);
}

TEST(ComplexText, MatricesOfIt) {
  const std::string rows[] = {" (1+2j)  (0+0j)\n (3-1j)  (0+1j)\n", "(1+2j),(0+0j)\n(3-1j),(0+1j)\n",
                              "1+2j 0j\n3-1j 1j\n", "1.0 + 2.0i   0.0 + 0.0i\n3.0 - 1.0i   0.0 + 1.0i\n"};
  for (const std::string& text : rows) {
    const ReadResult result = read_text(text, with_weights(), "t.txt");
    EXPECT_EQ(result.info.format, Format::dense) << text;
    ASSERT_EQ(result.graph.edges.size(), 3U) << text;
    EXPECT_EQ(complex_of(result.graph, 0), (ComplexRational{1, 2}));
    EXPECT_EQ(complex_of(result.graph, 1), (ComplexRational{3, -1}));
  }
  EXPECT_EQ(read_text("(1+2j), (0+0j)\n(3-1j), (0+1j)\n", with_weights(), "t.csv").graph.edges.size(), 3U);
  EXPECT_NE(input_error("1+2j 1\n1 1j\n").expected().find("--weights"), std::string::npos);
  // Ends and weights.
  EXPECT_EQ(edge_labels(read_text("1 2 3j\n2 3 1+1j\n", with_weights()).graph), (Labels{"1 2", "2 3"}));
}

TEST(TextMatrix, OfFields) {
  for (const char* const text :
       {"1,0,2,3\n3,3,1,0\n3,3,0,3\n0,2,0,0\n", "1;0;2;3\n3;3;1;0\n3;3;0;3\n0;2;0;0\n",
        "1\t0\t2\t3\n3\t3\t1\t0\n3\t3\t0\t3\n0\t2\t0\t0\n", "a,b,c,d\n1,0,2,3\n3,3,1,0\n3,3,0,3\n0,2,0,0\n",
        ",a,b,c,d\nr,1,0,2,3\ns,3,3,1,0\nt,3,3,0,3\nu,0,2,0,0\n",
        "a,b,c,d\nr,1,0,2,3\ns,3,3,1,0\nt,3,3,0,3\nu,0,2,0,0\n"}) {
    const ReadResult result = read_text(text, with_weights(), "t.csv");
    EXPECT_EQ(result.graph.kind, GraphKind::bipartite) << text;
    EXPECT_EQ(result.graph.edges.size(), 10U) << text;
    EXPECT_EQ(result.info.warnings.size(), 1U) << text;
  }
  // Edges and more columns, or a matrix.
  const std::string either = "1,2,5,7\n2,3,5,7\n3,4,5,7\n4,1,5,7\n";
  EXPECT_NE(input_error(either, with_weights(), "t.csv").expected().find("--ends 1,2"), std::string::npos);
  ReadOptions options = with_weights(in_format(Format::dense));
  EXPECT_EQ(read_text(either, options, "t.csv").graph.edges.size(), 16U);
}

// Words that may be weights are no labels where somebody asks for weights.
TEST(TextMatrix, LettersOfAMatrixAreNoLabels) {
  const auto letters = [](const std::string& text, const ReadOptions& options) {
    const ReadResult result = read_text(text, options, "t.dense");
    EXPECT_TRUE(result.info.warnings.empty()) << text;
    return result.graph.edges.size();
  };
  ReadOptions weights = with_weights();
  weights.letters = true;
  ReadOptions dense = weights;
  dense.format = Format::dense;
  for (const ReadOptions& options : {dense, weights}) {
    EXPECT_EQ(letters("0 x^2 0 0\nx^2 0 0 0\n0 0 0 7\n0 0 7 0\n", options), 4U);
    EXPECT_EQ(letters("0 x y\nx 0 1\ny 1 0\n", options), 6U);
    EXPECT_EQ(letters("x y y x\n1 0 1 1\n0 1 1 1\n1 1 0 1\n", options), 13U);
  }
  EXPECT_EQ(letters("x a b\na 1 0\nb 0 1\n", dense), 7U);
  EXPECT_NE(input_error("x a b\na 1 0\nb 0 1\n", weights).expected().find("--format dense"),
            std::string::npos);
  // Without weights they are labels, and so are they below an empty corner.
  EXPECT_EQ(read_text("x,a,b,c\na,0,1,1\nb,1,0,1\nc,1,1,0\n", {}, "t.csv").graph.edges.size(), 3U);
  EXPECT_EQ(read_text(",a,b,c\na,0,1,1\nb,1,0,1\nc,1,1,0\n", weights, "t.csv").graph.edges.size(), 3U);
}

TEST(TextMatrix, TheSameLabelsOnBothSidesAreAGraph) {
  for (const char* const text : {",a,b,c,d\na,0,1,1,1\nb,1,0,1,1\nc,1,1,0,1\nd,1,1,1,0\n",
                                 ";a;b;c;d\na;0;1;1;1\nb;1;0;1;1\nc;1;1;0;1\nd;1;1;1;0\n"}) {
    const ReadResult graph = read_text(text, {}, "t.csv");
    EXPECT_EQ(graph.graph.kind, GraphKind::undirected);
    EXPECT_EQ(edge_labels(graph.graph), (Labels{"a b", "a c", "a d", "b c", "b d", "c d"}));
    EXPECT_EQ(read_text(text, as_kind(GraphKind::bipartite), "t.csv").graph.edges.size(), 12U);
  }
  EXPECT_EQ(read_text(",a,b,c\na,0,1,0\nb,0,0,1\nc,1,0,0\n", {}, "t.csv").graph.kind, GraphKind::directed);
}

TEST(TextMatrix, Literals) {
  for (const char* const text :
       {"[[0,1,1],[1,1,0],[0,1,1]]", "[[0, 1, 1],\n [1, 1, 0],\n [0, 1, 1]]\n", "{{0,1,1},{1,1,0},{0,1,1}}",
        "[[0 1 1]\n [1 1 0]\n [0 1 1]]", "0 1 1; 1 1 0; 0 1 1", "[0 1 1; 1 1 0; 0 1 1]",
        "[0,1,1;1,1,0;0,1,1];", "array([[0, 1, 1],\n       [1, 1, 0],\n       [0, 1, 1]])",
        "Matrix([[0,1,1],[1,1,0],[0,1,1]])"}) {
    const ReadResult result = read_text(text, in_format(Format::dense));
    EXPECT_EQ(edge_labels(result.graph), (Labels{"1 2", "1 3", "2 1", "2 2", "3 2", "3 3"})) << text;
  }
  EXPECT_EQ(read_text("[[1,0,0,1],[0,1,0,0],[0,0,1,0],[1,0,0,1]]").graph.edges.size(), 6U);
  EXPECT_NE(input_error("[[0,1],[1,0]]").expected().find("--format edgelist"), std::string::npos);
  EXPECT_EQ(complex_of(read_text("[[1+2j, 1],[(0-1j), 2]]", with_weights(in_format(Format::dense))).graph, 2),
            (ComplexRational{0, -1}));
}

TEST(TextMatrix, ListsOfEdges) {
  for (const char* const text : {"[[1,2],[2,3],[3,4]]", "[(1, 2), (2, 3), (3, 4)]", "{{1,2},{2,3},{3,4}}",
                                 "Graph[{1<->2,2<->3,3<->4}]", "{1 -> 2, 2 -> 3, 3 -> 4}"}) {
    const ReadResult result = read_text(text);
    EXPECT_EQ(edge_labels(result.graph), (Labels{"1 2", "2 3", "3 4"})) << text;
    EXPECT_FALSE(result.info.warnings.empty());
  }
  EXPECT_EQ(read_text("[('a', 'b', 2), ('b', 'c', 3)]", with_weights()).graph.edges.size(), 2U);
}

TEST(TextMatrix, ExactCoversAsZerosAndOnes) {
  for (const char* const text : {"1 0 0 0\n0 1 1 0\n1 0 0 1\n", "1000\n0110\n1001\n"}) {
    const ReadResult result = read_text(text, in_format(Format::hyper));
    EXPECT_FALSE(result.info.warnings.empty());
    EXPECT_GE(result.graph.left_labels.size(), 4U);
  }
}

TEST(TextMatrix, DialectsOfMatrixMarket) {
  const std::string body = "2 2 2\n1 1 3\n2 2 1\n";
  for (const char* const head : {"%%MatrixMarket matrix coordinate unsigned-integer general\n",
                                 "%MatrixMarket matrix coordinate integer general\n",
                                 "%%MatrixMarket matrix coordinate double general\n"})
    EXPECT_EQ(read_text(head + body, with_weights(), "t.mtx").graph.edges.size(), 2U) << head;
  EXPECT_EQ(read_text("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1.5D+01\n", with_weights(),
                      "t.mtx")
                .graph.edges.size(),
            1U);
}

TEST(TextMatrix, BoardsOfOtherCharacters) {
  const std::size_t edges = read_text("##.\n###\n", {}, "t.board").graph.edges.size();
  for (const char* const text :
       {"## \n###\n", "XX.\nXXX\n", "\xe2\x96\x88\xe2\x96\x88\n\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\n"})
    EXPECT_EQ(read_text(text).graph.edges.size(), edges) << text;
  EXPECT_NE(input_error("#X.\n", in_format(Format::board)).expected().find("one character"),
            std::string::npos);
  // Below its size, and X in a file whose name says board.
  for (const char* const name : {"t.board", "t.txt"}) {
    EXPECT_EQ(read_text("2 3\n##.\n###\n", {}, name).graph.edges.size(), edges) << name;
    EXPECT_EQ(read_text("XX\nXX\n", {}, name).graph.edges.size(), 4U) << name;
  }
  EXPECT_NE(input_error("2 2\n##.\n###\n", {}, "t.board").expected().find("at most 2 columns"),
            std::string::npos);
  EXPECT_EQ(edge_labels(read_text("2 4\n# a comment\n").graph), (Labels{"2 4"}));
  // With blanks between all characters no cell has a neighbour on its line.
  const ReadResult apart = read_text("# # #\n# # #\n", {}, "t.board");
  ASSERT_EQ(apart.info.warnings.size(), 1U);
  EXPECT_NE(apart.info.warnings[0].find("blanks were taken for holes"), std::string::npos);
}

/// An array in NumPy's format.
std::string npy(const std::string& type, const std::string& shape, const std::string& data,
                const char* order = "False") {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  header.resize(117, ' ');
  header += '\n';
  return "\x93NUMPY" + std::string("\x01\x00\x76\x00", 4) + header + data;
}

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers, bool swapped = false) {
  std::string result;
  for (const Number& number : numbers) {
    std::string one(sizeof number, '\0');
    std::memcpy(one.data(), &number, sizeof number);
    if (swapped) std::reverse(one.begin(), one.end());
    result += one;
  }
  return result;
}

template <class Number>
void expect_entries(const std::string& type) {
  const std::vector<Number> numbers = {Number(1), Number(0), Number(0), Number(2), Number(3), Number(0)};
  for (const bool swapped : {false, true}) {
    const std::string text = npy((swapped ? ">" : "<") + type, "(2, 3)", bytes_of(numbers, swapped));
    EXPECT_EQ(edge_labels(read_text(text, with_weights()).graph), (Labels{"1 1", "2 1", "2 2"})) << type;
  }
}

TEST(Numpy, ArraysOfAllTypes) {
  expect_entries<std::int8_t>("i1");
  expect_entries<std::int16_t>("i2");
  expect_entries<std::int32_t>("i4");
  expect_entries<std::int64_t>("i8");
  expect_entries<std::uint8_t>("u1");
  expect_entries<std::uint16_t>("u2");
  expect_entries<std::uint32_t>("u4");
  expect_entries<std::uint64_t>("u8");
  expect_entries<float>("f4");
  expect_entries<double>("f8");
  EXPECT_EQ(read_text(npy("|b1", "(1, 2)", std::string("\1\0", 2))).graph.edges.size(), 1U);
  // 1.5 in half precision, 1 - 2i in single.
  EXPECT_EQ(std::get<2>(
                read_text(npy("<f2", "(1, 1)", std::string("\x00\x3e", 2)), with_weights()).graph.values)[0],
            mpq_class(3, 2));
  EXPECT_EQ(complex_of(read_text(npy("<c8", "(1, 1)", bytes_of<float>({1, -2})), with_weights()).graph, 0),
            (ComplexRational{1, -2}));
  // Column by column.
  EXPECT_EQ(edge_labels(read_text(npy("<i4", "(2, 2)", bytes_of<std::int32_t>({1, 1, 0, 1}), "True")).graph),
            (Labels{"1 1", "2 1", "2 2"}));
  EXPECT_NE(
      input_error(npy("<f8", "(1, 1)", bytes_of<double>({std::nan("")})), with_weights()).found().find("nan"),
      std::string::npos);
  EXPECT_NE(input_error(npy("<f8", "(2,)", bytes_of<double>({1, 1}))).expected().find("two dimensions"),
            std::string::npos);
  EXPECT_NE(input_error(npy("<i4", "(1, 1)", bytes_of<std::int32_t>({2}))).expected().find("--weights"),
            std::string::npos);
}

TEST(Numpy, ArraysThatMayBeEdges) {
  const std::string rows = npy("<i4", "(4, 2)", bytes_of<std::int32_t>({0, 1, 1, 2, 2, 3, 3, 0}));
  const std::string columns = npy("<i8", "(2, 4)", bytes_of<std::int64_t>({0, 1, 2, 3, 1, 2, 3, 0}));
  const std::string weighted =
      npy("<i4", "(4, 3)", bytes_of<std::int32_t>({0, 1, 7, 1, 2, 1, 2, 3, 1, 3, 0, 5}));
  for (const std::string& array : {rows, columns, weighted}) {
    const std::string expected = input_error(array, with_weights()).expected();
    EXPECT_NE(expected.find("--kind undirected"), std::string::npos) << expected;
    const ReadResult read = read_text(array, with_weights(as_kind(GraphKind::undirected)));
    EXPECT_EQ(edge_labels(read.graph), (Labels{"0 1", "1 2", "2 3", "3 0"}));
    EXPECT_EQ(read.info.warnings.size(), 1U);
    EXPECT_EQ(read_text(array, with_weights(as_kind(GraphKind::bipartite))).graph.edges.size(),
              array == weighted ? 10U : 6U);
  }
  // 0 and 1 alone, and numbers in floating point, are a matrix.
  EXPECT_EQ(read_text(npy("<i4", "(3, 2)", bytes_of<std::int32_t>({0, 1, 1, 0, 0, 1}))).graph.edges.size(),
            3U);
  EXPECT_EQ(read_text(npy("<f8", "(3, 2)", bytes_of<double>({0, 1, 2, 0, 3, 1})), with_weights())
                .graph.edges.size(),
            4U);
}

/// A zip archive of the members, each deflated or stored.
std::string zip(const std::vector<std::pair<std::string, std::string>>& members, bool deflated) {
  const auto number = [](std::uint64_t value, std::size_t size) {
    std::string bytes;
    for (std::size_t k = 0; k < size; ++k) bytes += static_cast<char>(value >> (8 * k) & 255U);
    return bytes;
  };
  std::string archive;
  std::string directory;
  for (const auto& [name, bytes] : members) {
    std::string packed = bytes;
    if (deflated) {
      z_stream stream{};
      deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
      packed.resize(bytes.size() + 64);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(bytes.size());
      stream.next_out = reinterpret_cast<Bytef*>(packed.data());
      stream.avail_out = static_cast<uInt>(packed.size());
      deflate(&stream, Z_FINISH);
      packed.resize(stream.total_out);
      deflateEnd(&stream);
    }
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    const std::string common = number(20, 2) + number(0, 2) + number(deflated ? 8 : 0, 2) + number(0, 4) +
                               number(sum, 4) + number(packed.size(), 4) + number(bytes.size(), 4) +
                               number(name.size(), 2) + number(0, 2);
    for (const std::string& part :
         {std::string("PK\x01\x02"), number(20, 2), common, number(0, 2), number(0, 2), number(0, 2),
          number(0, 4), number(archive.size(), 4), name})
      directory += part;
    for (const std::string& part : {std::string("PK\x03\x04"), common, name, packed}) archive += part;
  }
  return archive + directory + "PK\x05\x06" + number(0, 4) + number(members.size(), 2) +
         number(members.size(), 2) + number(directory.size(), 4) + number(archive.size(), 4) + number(0, 2);
}

TEST(Numpy, Archives) {
  const std::string array = npy("<i4", "(2, 2)", bytes_of<std::int32_t>({1, 1, 0, 1}));
  const auto of = [](const std::vector<std::int32_t>& numbers) {
    return npy("<i4", "(" + std::to_string(numbers.size()) + ",)", bytes_of(numbers));
  };
  const std::string ones = npy("<f8", "(3,)", bytes_of<double>({1, 1, 1}));
  for (const bool deflated : {false, true}) {
    EXPECT_EQ(edge_labels(read_text(zip({{"arr_0.npy", array}}, deflated), {}, "t.npz").graph),
              (Labels{"1 1", "1 2", "2 2"}));
    EXPECT_EQ(read_text(zip({{"arr_0.npy", array}}, deflated)).info.format, Format::npz);
    EXPECT_NE(input_error(zip({{"a.npy", array}, {"b.npy", array}}, deflated)).found().find("a.npy, b.npy"),
              std::string::npos);
    const std::pair<std::string, std::string> shape = {"shape.npy", of({2, 3})};
    const std::pair<std::string, std::string> data = {"data.npy", ones};
    const auto format = [](const char* name) {
      return std::pair<std::string, std::string>("format.npy", npy("|S3", "()", name));
    };
    EXPECT_EQ(edge_labels(read_text(zip({{"indices.npy", of({0, 2, 1})},
                                         {"indptr.npy", of({0, 2, 3})},
                                         format("csr"),
                                         shape,
                                         data},
                                        deflated))
                              .graph),
              (Labels{"1 1", "1 3", "2 2"}));
    EXPECT_EQ(edge_labels(read_text(zip({{"indices.npy", of({0, 1, 1})},
                                         {"indptr.npy", of({0, 1, 2, 3})},
                                         format("csc"),
                                         shape,
                                         data},
                                        deflated))
                              .graph),
              (Labels{"1 1", "2 2", "2 3"}));
    EXPECT_EQ(
        edge_labels(
            read_text(
                zip({{"row.npy", of({0, 1, 1})}, {"col.npy", of({0, 1, 2})}, format("coo"), shape, data},
                    deflated))
                .graph),
        (Labels{"1 1", "2 2", "2 3"}));
    EXPECT_THROW(
        read_text(zip({{"row.npy", of({0, 1, 2})}, {"col.npy", of({0, 1, 2})}, format("coo"), shape, data},
                      deflated)),
        InputError);
  }
  std::string damaged = zip({{"arr_0.npy", array}}, true);
  damaged[60] = static_cast<char>(damaged[60] ^ 4);
  EXPECT_THROW(read_text(damaged), InputError);
}

}  // namespace
}  // namespace countpm::text_matrix_test
