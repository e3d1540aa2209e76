// Small weighted sums, by a path of their own: those of brute force and of the whole pipeline.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "src/count/direct_count.hpp"

#include "tests/library/random_arrays.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::random_arrays;

TEST(LibraryDirectSum, IsWhatBruteForceAndThePipelineCount) {
  std::mt19937_64 random(11);
  for (int run = 0; run < testing::repeats(300); ++run) {
    const testing::Arrays arrays = random_arrays(static_cast<std::uint64_t>(run) % 8, false, random);
    const ReadResult read = read_view(arrays.view());
    const std::optional<DirectSum> sum = direct_sum(read.graph, {});
    ASSERT_TRUE(sum);
    EXPECT_EQ(sum->value, testing::permanent_of(arrays));
    if (run % 10 == 0) {
      EXPECT_EQ(sum->value.get_str(), count(read).count);
    }
  }
}

TEST(LibraryDirectSum, OfUndirectedGraphsToo) {
  std::mt19937_64 random(12);
  for (int run = 0; run < testing::repeats(300); ++run) {
    const testing::Arrays arrays = random_arrays(static_cast<std::uint64_t>(run) % 11, true, random);
    EdgeView edges;
    edges.left = arrays.size;
    std::vector<std::int64_t> from;
    std::vector<std::int64_t> to;
    std::vector<std::int64_t> weight;
    for (std::uint64_t i = 0; i < arrays.size; ++i) {
      for (std::uint64_t j = i + 1; j < arrays.size; ++j) {
        if (arrays.at(i, j) == 0) continue;
        from.push_back(static_cast<std::int64_t>(i));
        to.push_back(static_cast<std::int64_t>(j));
        weight.push_back(arrays.at(i, j));
      }
    }
    edges.from = std::span<const std::int64_t>(from);
    edges.to = std::span<const std::int64_t>(to);
    edges.weights = std::span<const std::int64_t>(weight);
    const ReadResult read = read_view(edges);
    const std::optional<DirectSum> sum = direct_sum(read.graph, {});
    ASSERT_TRUE(sum);
    EXPECT_EQ(sum->value, testing::hafnian_of(arrays));
    if (run % 10 == 0) {
      EXPECT_EQ(sum->value.get_str(), count(read).count);
    }
  }
}

/// A complete graph with whole numbers from -9 to 9, no 0, for weights: on two sides of that many vertices,
/// or of that many vertices.
Graph complete_graph(GraphKind kind, Index vertices, std::mt19937_64& random) {
  std::uniform_int_distribution<std::int64_t> value(1, 9);
  Graph graph;
  graph.kind = kind;
  graph.weight_kind = WeightKind::integer;
  graph.left_labels = LabelTable::numbered(vertices, 0);
  if (kind == GraphKind::bipartite) graph.right_labels = LabelTable::numbered(vertices, 0);
  std::vector<std::int64_t> weights;
  for (Index u = 0; u < vertices; ++u) {
    for (Index v = kind == GraphKind::undirected ? u + 1 : 0; v < vertices; ++v) {
      graph.edges.push_back({u, v});
      weights.push_back(random() % 4 == 0 ? -value(random) : value(random));
    }
  }
  graph.values = std::move(weights);
  return graph;
}

// Graphs of both colours in any order, which are counted as matrices: the sum is the permanent.
TEST(LibraryDirectSum, OfUndirectedGraphsThatCanBeTwoColoured) {
  std::mt19937_64 random(15);
  for (int run = 0; run < testing::repeats(300); ++run) {
    const testing::Arrays arrays = random_arrays(1 + static_cast<std::uint64_t>(run) % 7, false, random);
    std::vector<std::int64_t> place(2 * arrays.size);
    std::iota(place.begin(), place.end(), 0);
    std::shuffle(place.begin(), place.end(), random);
    EdgeView edges;
    edges.left = 2 * arrays.size;
    std::vector<std::int64_t> from;
    std::vector<std::int64_t> to;
    std::vector<std::int64_t> weight;
    for (std::uint64_t i = 0; i < arrays.size; ++i) {
      for (std::uint64_t j = 0; j < arrays.size; ++j) {
        if (arrays.at(i, j) == 0) continue;
        from.push_back(place[i]);
        to.push_back(place[arrays.size + j]);
        if (run % 2 != 0) std::swap(from.back(), to.back());
        weight.push_back(arrays.at(i, j));
      }
    }
    edges.from = std::span<const std::int64_t>(from);
    edges.to = std::span<const std::int64_t>(to);
    edges.weights = std::span<const std::int64_t>(weight);
    const std::optional<DirectSum> sum = direct_sum(read_view(edges).graph, {});
    ASSERT_TRUE(sum);
    EXPECT_EQ(sum->value, testing::permanent_of(arrays));
  }
}

// Dense ones, which elimination would take too long for.
TEST(LibraryDirectSum, OfDenseGraphsThatCanBeTwoColoured) {
  std::mt19937_64 random(16);
  const Graph matrix = complete_graph(GraphKind::bipartite, 16, random);
  Graph graph = matrix;
  graph.kind = GraphKind::undirected;
  graph.left_labels = LabelTable::numbered(32, 0);
  graph.right_labels = {};
  for (Edge& edge : graph.edges) edge = {2 * edge.from, 2 * edge.to + 1};
  const std::optional<DirectSum> sum = direct_sum(graph, {});
  ASSERT_TRUE(sum);
  EXPECT_FALSE(sum->eliminated);
  EXPECT_EQ(sum->value, direct_sum(matrix, {})->value);
}

// Elimination would take too long for the matrix: it is counted from its rows and from its columns.
TEST(LibraryDirectSum, OfDenseMatricesAndGraphs) {
  std::mt19937_64 random(13);
  for (const GraphKind kind : {GraphKind::bipartite, GraphKind::directed, GraphKind::undirected}) {
    const Graph graph = complete_graph(kind, 16, random);
    const std::optional<DirectSum> sum = direct_sum(graph, {});
    ASSERT_TRUE(sum) << name_of(kind);
    EXPECT_EQ(sum->eliminated, kind == GraphKind::undirected) << name_of(kind);
    CountOptions frontier;
    frontier.method = "frontier";
    EXPECT_EQ(sum->value.get_str(), count(graph, frontier).count) << name_of(kind);
  }
  // Beyond 62 bits, and beyond 126: 24 rows take longer than a plan.
  EXPECT_EQ(direct_sum(complete_graph(GraphKind::undirected, 20, random), {})->eliminated, true);
  EXPECT_FALSE(direct_sum(complete_graph(GraphKind::bipartite, 30, random), {}));
}

TEST(LibraryDirectSum, LargeWeights) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  // One row, whose sum may be 2^63; two rows of two such weights exceed 126 bits.
  testing::Arrays one;
  one.size = 1;
  one.column = {0};
  one.weight = {least};
  one.row_start = {0, 1};
  EXPECT_EQ(direct_sum(read_view(one.view()).graph, {})->value, mpz_class("-9223372036854775808"));
  testing::Arrays two;
  two.size = 2;
  two.column = {0, 1, 0, 1};
  two.weight = {largest, largest, largest, least};
  two.row_start = {0, 2, 4};
  const mpz_class top = static_cast<long>(largest);
  const mpz_class sum = top * top - top * (top + 1);
  const std::optional<DirectSum> direct = direct_sum(read_view(two.view()).graph, {});
  ASSERT_TRUE(direct);
  EXPECT_FALSE(direct->eliminated);
  EXPECT_EQ(direct->value, sum);
  EXPECT_EQ(std::get<mpz_class>(permanent(two.view())), sum);
}

}  // namespace
}  // namespace countpm
