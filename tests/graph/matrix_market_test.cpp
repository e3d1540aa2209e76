#include "tests/graph/read_support.hpp"
#include "tests/shared_files.hpp"

namespace countpm {
namespace {

using testing::as_kind;
using testing::edge_labels;
using testing::input_error;
using testing::Labels;
using testing::read_text;
using testing::with_weights;

TEST(MatrixMarket, CoordinatePattern) {
  const ReadResult result =
      read_text("%%MatrixMarket matrix coordinate pattern general\n% a comment\n\n2 3 3\n1 1\n2 3\n1 2\n");
  EXPECT_EQ(result.info.format, Format::matrix_market);
  EXPECT_EQ(result.graph.kind, GraphKind::bipartite);
  EXPECT_EQ(result.graph.left_labels.size(), 2U);
  EXPECT_EQ(result.graph.right_labels.size(), 3U);
  EXPECT_EQ(edge_labels(result.graph), (Labels{"1 1", "2 3", "1 2"}));
}

TEST(MatrixMarket, HeaderInAnyCaseAndCrlf) {
  const ReadResult result =
      read_text("%%matrixmarket MATRIX Coordinate REAL General\r\n1 1 1\r\n1 1 2.5\r\n", with_weights());
  EXPECT_EQ(std::get<2>(result.graph.values), std::vector<mpq_class>{mpq_class(5, 2)});
  EXPECT_EQ(result.graph.weight_kind, WeightKind::real);
}

TEST(MatrixMarket, Symmetries) {
  const std::string body = " symmetric\n2 2 2\n1 1 4\n2 1 3\n";
  const ReadResult symmetric = read_text("%%MatrixMarket matrix coordinate integer" + body, with_weights());
  EXPECT_EQ(edge_labels(symmetric.graph), (Labels{"1 1", "2 1", "1 2"}));
  EXPECT_EQ(std::get<1>(symmetric.graph.values), (std::vector<std::int64_t>{4, 3, 3}));

  const ReadResult skew =
      read_text("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n", with_weights());
  EXPECT_EQ(std::get<1>(skew.graph.values), (std::vector<std::int64_t>{3, -3}));

  const ReadResult hermitian = read_text(
      "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 2 0\n2 1 1 -1\n", with_weights());
  EXPECT_EQ(std::get<3>(hermitian.graph.values), (std::vector<ComplexRational>{{2, 0}, {1, -1}, {1, 1}}));
}

TEST(MatrixMarket, ArraysGoColumnByColumnAndDropZeros) {
  const ReadResult general =
      read_text("%%MatrixMarket matrix array integer general\n2 3\n1\n0\n2\n3\n0\n4\n", with_weights());
  EXPECT_EQ(edge_labels(general.graph), (Labels{"1 1", "1 2", "2 2", "2 3"}));
  EXPECT_EQ(std::get<1>(general.graph.values), (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(general.info.zeros_dropped, 2U);
  // Walking the columns, none of which has an entry, took seconds (10 under the sanitizers).
  const ReadResult no_rows = read_text("%%MatrixMarket matrix array integer general\n0 4294967294\n");
  EXPECT_TRUE(no_rows.graph.edges.empty());
  const ReadResult symmetric = read_text("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n");
  EXPECT_EQ(edge_labels(symmetric.graph), (Labels{"1 1", "2 1", "1 2", "2 2"}));
  const ReadResult skew = read_text("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n");
  EXPECT_EQ(edge_labels(skew.graph), (Labels{"2 1", "1 2", "3 1", "1 3", "3 2", "2 3"}));
}

TEST(MatrixMarket, AsDirectedAndUndirected) {
  const std::string text = "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 2\n2 1\n2 2\n";
  EXPECT_EQ(edge_labels(read_text(text, as_kind(GraphKind::directed)).graph), (Labels{"1 2", "2 1", "2 2"}));
  EXPECT_EQ(input_error(text, as_kind(GraphKind::undirected)).line(), 5U);
  ReadOptions drop = as_kind(GraphKind::undirected);
  drop.loops = LoopPolicy::drop;
  const ReadResult undirected = read_text(text, drop);
  EXPECT_EQ(edge_labels(undirected.graph), (Labels{"1 2"}));
  EXPECT_EQ(undirected.info.loops_dropped, 1U);
  const std::string pattern = "%%MatrixMarket matrix coordinate pattern general\n";
  const InputError lopsided = input_error(pattern + "3 3 3\n1 2\n2 1\n2 3\n", as_kind(GraphKind::undirected));
  EXPECT_EQ(lopsided.line(), 5U);
  // All on one side of the diagonal: half of a symmetric matrix.
  for (const char* const half : {"3 3 2\n1 2\n2 3\n", "3 3 2\n2 1\n3 2\n"}) {
    const ReadResult read = read_text(pattern + half, as_kind(GraphKind::undirected));
    EXPECT_EQ(read.graph.edges.size(), 2U);
    ASSERT_EQ(read.info.warnings.size(), 1U);
    EXPECT_NE(read.info.warnings[0].find("half of a symmetric one"), std::string::npos);
  }
  EXPECT_EQ(input_error(pattern + "3 3 2\n1 2\n3 2\n", as_kind(GraphKind::undirected)).line(), 3U);
  EXPECT_EQ(input_error("%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 2\n",
                        as_kind(GraphKind::directed))
                .line(),
            2U);
}

// Every matrix of ../shared/matrices has the rows and nonzeros of its MANIFEST.tsv.
TEST(MatrixMarket, SharedMatricesHaveTheirSizes) {
  const auto manifest = shared_files::table("matrices/MANIFEST.tsv");
  if (manifest.empty()) GTEST_SKIP() << "../shared/matrices is not here";
  int files = 0;
  for (std::size_t k = 1; k < manifest.size(); ++k) {
    const std::string& name = manifest[k].at(0);
    const auto rows = std::stoul(manifest[k].at(1));
    const std::uint64_t nonzeros = std::stoull(manifest[k].at(2));
    const Source source = Source::from_argument(shared_files::path_of("matrices/" + name + ".mtx").string());
    const ReadResult result = read_graph(source);
    EXPECT_EQ(result.graph.left_labels.size(), rows) << name;
    EXPECT_EQ(result.graph.edges.size() + result.info.zeros_dropped, nonzeros)
        << name << " " << result.info.zeros_dropped;
    const Instance instance = to_instance(read_graph(source, with_weights()).graph);
    EXPECT_EQ(instance.pattern.entries(), result.graph.edges.size()) << name;
    ++files;
  }
  EXPECT_EQ(files, 104);
}

}  // namespace
}  // namespace countpm
