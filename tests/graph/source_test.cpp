// Where bytes come from: files, pipes, gzip, endings against content.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <fstream>
#include <limits>
#include <thread>

#include "graph/formats/input_bytes.hpp"
#include "tests/graph/read_support.hpp"
#include "tests/graph/temporary_folder.hpp"

namespace countpm {
namespace {

using testing::edge_labels;
using testing::in_format;
using testing::input_error;
using testing::Labels;
using testing::read_text;
using testing::TemporaryFolder;

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string result(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

std::string long_list(int edges) {
  std::string text;
  for (int k = 0; k < edges; ++k) text += "left" + std::to_string(k) + " " + std::to_string(k) + "\n";
  return text;
}

// Reads `bytes` through standard input, handed over in pieces of `piece` bytes.
ReadResult read_through_stdin(const std::string& bytes, std::size_t piece, const ReadOptions& options = {}) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe");
  const int saved = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  std::thread writer([&] {
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      if (write(ends[1], bytes.data() + at, std::min(piece, bytes.size() - at)) <= 0) break;
    }
    close(ends[1]);
  });
  ReadResult result;
  std::exception_ptr error;
  try {
    result = read_graph(Source::from_argument("-"), options);
  } catch (...) {
    error = std::current_exception();
  }
  dup2(saved, STDIN_FILENO);
  close(saved);
  writer.join();
  if (error) std::rethrow_exception(error);
  return result;
}

TEST(Source, ArgumentsAreToldApart) {
  EXPECT_EQ(Source::from_argument("-").kind, Source::Kind::standard_input);
  EXPECT_EQ(Source::from_argument("lattice:square:2x2").kind, Source::Kind::lattice);
  EXPECT_EQ(Source::from_argument("./lattice:square:2x2").kind, Source::Kind::file);
  EXPECT_EQ(Source::from_argument("a.mtx").name, "a.mtx");
}

TEST(Source, FileStdinFifoAndGzipGiveTheSameGraph) {
  const std::string text = long_list(120'000);  // beyond 1 MiB, so that the head is not all
  const TemporaryFolder folder;
  const Labels expected = edge_labels(read_text(text).graph);
  ASSERT_EQ(expected.size(), 120'000U);
  const ReadResult file = read_graph(Source::from_argument(folder.write("a.edgelist", text)));
  EXPECT_EQ(edge_labels(file.graph), expected);
  EXPECT_EQ(file.info.bytes, text.size());
  EXPECT_FALSE(file.info.gzip);
  const ReadResult zipped = read_graph(Source::from_argument(folder.write("a.edgelist.gz", gzip(text))));
  EXPECT_EQ(edge_labels(zipped.graph), expected);
  EXPECT_EQ(zipped.info.bytes, text.size());
  EXPECT_TRUE(zipped.info.gzip);
  EXPECT_EQ(edge_labels(read_through_stdin(text, 1 << 16).graph), expected);
  EXPECT_EQ(edge_labels(read_through_stdin(gzip(text), 1 << 16).graph), expected);
  EXPECT_EQ(edge_labels(read_text(gzip(text)).graph), expected);
}

TEST(Source, StdinByteByByte) {
  EXPECT_EQ(edge_labels(read_through_stdin("a b\nb c\n", 1).graph), (Labels{"a b", "b c"}));
  EXPECT_EQ(edge_labels(read_through_stdin(gzip("a b\nb c\n"), 1).graph), (Labels{"a b", "b c"}));
  EXPECT_THROW(read_through_stdin("", 1), InputError);
  const std::string cut = gzip(long_list(1000));
  EXPECT_THROW(read_through_stdin(cut.substr(0, cut.size() / 2), 7), InputError);
}

TEST(Source, GzipMembersJoinAndPaddingIsIgnored) {
  const std::string joined = gzip("a b\nb ") + gzip("c\n") + std::string(100, '\0');
  EXPECT_EQ(edge_labels(read_text(joined).graph), (Labels{"a b", "b c"}));
  EXPECT_EQ(edge_labels(read_through_stdin(joined, 3).graph), (Labels{"a b", "b c"}));
}

TEST(Source, Sha256OfTheStoredBytes) {
  ReadOptions options;
  options.hash = true;
  // printf 'a b\n' | sha256sum
  const std::string hash = "01186fcf04b4b447f393e552964c08c7b419c1ad7a25c342a0b631b1967d3a27";
  const std::string in_memory = read_text("a b\n", options).info.sha256;
  EXPECT_EQ(in_memory.size(), 64U);
  EXPECT_EQ(in_memory, read_through_stdin("a b\n", 1, options).info.sha256);
  const TemporaryFolder folder;
  EXPECT_EQ(in_memory, read_graph(Source::from_argument(folder.write("x", "a b\n")), options).info.sha256);
  EXPECT_NE(in_memory, read_text(gzip("a b\n"), options).info.sha256);
  EXPECT_EQ(read_text("a b\n").info.sha256, "");
  EXPECT_EQ(in_memory, hash);
}

TEST(Source, GoesByContentWhereNothingIsSaid) {
  EXPECT_EQ(read_text("%%MatrixMarket matrix array real general\n0 0\n").info.format, Format::matrix_market);
  EXPECT_EQ(read_text("0110\n1001\n").info.format, Format::dense);
  EXPECT_EQ(read_text("1\n").info.format, Format::dense);
  EXPECT_EQ(read_text("0 1 1 0\n").info.format, Format::dense);
  EXPECT_EQ(read_text("0 1\n").info.format, Format::edge_list);
  EXPECT_EQ(read_text("graph b\n").info.format, Format::edge_list);
  EXPECT_EQ(read_text("c d\np q\n").info.format, Format::edge_list);
}

TEST(Source, EndingsDecideUnlessTheContentContradicts) {
  EXPECT_EQ(read_text("0 1\n1 0\n", {}, "a.dense").info.format, Format::dense);
  EXPECT_EQ(read_text("0 1\n0 2\n", {}, "A.EDGES").info.format, Format::edge_list);
  EXPECT_EQ(read_text("0 1\n1 0\n", {}, "a.01.gz").info.format, Format::dense);
  const std::string matrix = "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n";
  EXPECT_EQ(input_error(matrix, {}, "a.dot").found(), "mtx");
  EXPECT_EQ(read_text(matrix, in_format(Format::matrix_market), "a.dot").info.format, Format::matrix_market);
  EXPECT_NE(input_error("0 1\n1 0\n").expected().find("--format"), std::string::npos);
  EXPECT_EQ(read_text("0 1\n1 0\n", in_format(Format::dense)).graph.edges.size(), 2U);
}

TEST(Source, NumbersThatMayBeAMatrixAreNoEdgeList) {
  for (const char* text :
       {"1 2 0\n0 1/2 1\n1 0 3\n", "1 2\n3 4\n", "7 8 9\n1 2 3\n4 5 2\n", "0.5 1\n2 1\n1 3\n",
        "# weights\n-1 2 3\n4 5 6\n", "1 1/2\n", "1e-3 2\n2 1\n", "3 4 5\n1 +2 3\n7 8 9\n1 2 1\n2 3 2\n"}) {
    const InputError error = input_error(text);
    EXPECT_NE(error.expected().find("--format edgelist or --format dense"), std::string::npos) << text;
    EXPECT_NE(error.found().find("matrix of weights"), std::string::npos) << text;
    EXPECT_EQ(read_text(text, in_format(Format::edge_list)).info.format, Format::edge_list);
    EXPECT_EQ(read_text(text, {}, "a.el").info.format, Format::edge_list);
  }
  ReadOptions sums;
  sums.multi = MultiPolicy::sum;
  // Labels that are no numbers, or edges too many for a square of whole numbers.
  for (const char* text : {"1-2 1-3\n1-3 2-3\n", "1 2\n2 3\n3 4\n", "1 2 1/2\n2 3 1/3\n3 1 5\n1 4 2\n",
                           "1 2 7\n2 1 -3\n", "e E\n- +\n", "a 1\nb 2\n"})
    EXPECT_EQ(read_text(text, sums).info.format, Format::edge_list) << text;
}

TEST(Source, DamagedMatrixMarketHeadersAreNoComments) {
  for (const char* header :
       {"%MatrixMarket matrix coordinate real", "%%MatrixMarkt matrix coordinate real general",
        " %%MatrixMarket matrix coordinate real general", "%% MATRIX array", "%%\n%matrixmarket"}) {
    const InputError error = input_error(std::string(header) + "\n2 2 2\n1 1 1\n2 2 1\n");
    EXPECT_NE(error.expected().find("%%MatrixMarket"), std::string::npos) << header;
    EXPECT_NE(error.expected().find("--format edgelist"), std::string::npos) << header;
  }
  for (const char* comment : {"% a matrix of friends", "# array of edges", "% market"})
    EXPECT_EQ(read_text(std::string(comment) + "\na b\n").info.format, Format::edge_list) << comment;
  EXPECT_EQ(read_text("%MatrixMarket matrix coordinate\na b\n", {}, "a.edgelist").info.format,
            Format::edge_list);
}

TEST(Source, FormatNames) {
  for (const FormatInfo& info : formats()) {
    EXPECT_EQ(format_named(info.name), info.format);
    EXPECT_EQ(name_of(info.format), info.name);
  }
  try {
    format_named("mtxx");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("edgelist, csv, mtx, dimacs"), std::string::npos);
  }
}

TEST(Sources, TextBeyondAFormatsLimitIsNotInflatedToItsEnd) {
  // 120 MiB of DOT: what is read of it ends soon after 64 MiB.
  const std::string text = gzip("graph {\n" + std::string(std::size_t{120} << 20U, '\n'));
  const Source source = Source::from_bytes(text, "long.dot");
  InputBytes bytes(source, false);
  const std::size_t limit = std::size_t{64} << 20U;
  const std::size_t size = bytes.all(0, limit).size();
  EXPECT_GT(size, limit);
  EXPECT_LT(size, limit + (std::size_t{20} << 20U));
  EXPECT_EQ(input_error(text, {}, "long.dot").expected(),
            "at most 64 MiB of DOT (an edge list may be larger)");
}

TEST(Sources, LargeFilesMayBeReadInsteadOfMapped) {
  const TemporaryFolder folder;
  const std::string text = long_list(100'000);
  const std::string file = folder.write("a.edgelist", text);
  const auto expected = edge_labels(read_graph(Source::from_argument(file)).graph);
  set_largest_mapping(1000);
  ReadOptions options;
  options.hash = true;
  const ReadResult read = read_graph(Source::from_argument(file), options);
  set_largest_mapping(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(edge_labels(read.graph), expected);
  EXPECT_EQ(read.info.sha256, read_graph(Source::from_argument(file), options).info.sha256);
}

}  // namespace
}  // namespace countpm
