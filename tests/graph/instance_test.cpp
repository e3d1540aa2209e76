#include <fmt/format.h>

#include <map>
#include <numeric>
#include <random>
#include <set>

#include "tests/graph/read_support.hpp"

namespace countpm {
namespace {

using testing::as_kind;
using testing::read_text;
using testing::with_weights;

// label pair -> value, which every order of rows and columns shares.
std::map<std::pair<std::string, std::string>, std::int64_t> entries_of(const Instance& instance) {
  std::map<std::pair<std::string, std::string>, std::int64_t> result;
  const auto* values = std::get_if<1>(&instance.values);
  for (Index i = 0; i < instance.pattern.rows; ++i) {
    for (std::uint64_t k = instance.pattern.row_start[i]; k < instance.pattern.row_start[i + 1]; ++k) {
      result[{instance.row_label(i), instance.column_label(instance.pattern.column[k])}] =
          values == nullptr ? 1 : (*values)[k];
    }
  }
  return result;
}

void expect_well_formed(const SparsePattern& pattern) {
  ASSERT_EQ(pattern.row_start.size(), pattern.rows + std::uint64_t{1});
  EXPECT_EQ(pattern.row_start.front(), 0U);
  EXPECT_EQ(pattern.row_start.back(), pattern.entries());
  for (Index i = 0; i < pattern.rows; ++i) {
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
      EXPECT_LT(pattern.column[k], pattern.columns);
      if (k > pattern.row_start[i]) {
        EXPECT_LT(pattern.column[k - 1], pattern.column[k]);
      }
    }
  }
}

TEST(Instance, BipartiteAndDirected) {
  const Instance bipartite =
      to_instance(read_text("a y 3\nb x 5\na x 2\n", with_weights(as_kind(GraphKind::bipartite))).graph);
  EXPECT_EQ(bipartite.problem, Problem::perfect_matchings);
  EXPECT_EQ(bipartite.pattern.row_start, (std::vector<std::uint64_t>{0, 2, 3}));
  EXPECT_EQ(bipartite.pattern.column, (std::vector<Index>{0, 1, 1}));
  EXPECT_EQ(std::get<1>(bipartite.values), (std::vector<std::int64_t>{3, 2, 5}));
  EXPECT_EQ(bipartite.column_label(1), "x");
  const Instance directed = to_instance(read_text("a b\nb a\nb b\n", as_kind(GraphKind::directed)).graph);
  EXPECT_EQ(directed.problem, Problem::cycle_covers);
  EXPECT_EQ(directed.pattern.column, (std::vector<Index>{1, 0, 1}));
  EXPECT_EQ(directed.column_label(1), "b");
}

TEST(Instance, EvenCycleIsTwoColouredOddCycleIsNot) {
  const Instance even = to_instance(read_text("a b\nb c\nc d\nd a\n").graph);
  EXPECT_EQ(even.problem, Problem::perfect_matchings);
  EXPECT_EQ(even.kind, GraphKind::undirected);
  EXPECT_EQ(even.row_label(0), "a");
  EXPECT_EQ(even.row_label(1), "c");
  EXPECT_EQ(even.pattern.entries(), 4U);
  const Instance odd = to_instance(read_text("x a\na b 2\nb c 3\nc a 4\n", with_weights()).graph);
  EXPECT_EQ(odd.problem, Problem::general_perfect_matchings);
  EXPECT_EQ(std::set<Index>(odd.odd_cycle.begin(), odd.odd_cycle.end()), (std::set<Index>{1, 2, 3}));
  EXPECT_EQ(odd.pattern.entries(), 8U);
  EXPECT_EQ((entries_of(odd).at({"b", "c"})), 3);
  EXPECT_EQ((entries_of(odd).at({"c", "b"})), 3);
}

TEST(Instance, EmptyAndIsolated) {
  EXPECT_EQ(to_instance(read_text("#! empty\n").graph).pattern.rows, 0U);
  const Instance isolated = to_instance(read_text("#! vertex a\nb c\n").graph);
  EXPECT_EQ(isolated.pattern.rows, 2U);
  EXPECT_EQ(isolated.pattern.columns, 1U);
}

// A path this deep would overflow the stack of anything recursive.
TEST(Instance, PathOfAMillionVertices) {
  Graph graph;
  constexpr Index vertices = 1'000'000;
  graph.left_labels = LabelTable::numbered(vertices);
  for (Index v = 0; v + 1 < vertices; ++v) graph.edges.push_back(Edge{v, v + 1});
  const Instance path = to_instance(std::move(graph));
  EXPECT_EQ(path.pattern.rows, vertices / 2);
  EXPECT_EQ(path.pattern.columns, vertices / 2);
}

// Random graphs of every kind, written as edge lists, keep their edges and weights through reader and matrix.
TEST(Instance, RandomEdgeListsKeepTheirEntries) {
  constexpr std::uint64_t seed = 4242;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 400; ++round) {
    const auto kind = static_cast<GraphKind>(random() % 3);
    const std::uint64_t size = random() % 12 + 1;
    std::map<std::pair<std::string, std::string>, std::int64_t> expected;
    std::string text;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
    for (std::uint64_t u = 0; u < size; ++u) {
      for (std::uint64_t v = kind == GraphKind::undirected ? u + 1 : 0; v < size; ++v) {
        if (random() % 3 == 0) pairs.emplace_back(u, v);
      }
    }
    std::shuffle(pairs.begin(), pairs.end(), random);
    // Short numbers, long numbers, words short and long, so that every way of finding labels is taken.
    const auto label = [&](std::uint64_t v) {
      switch (v % 4) {
        case 0:
          return fmt::format("{}", v);
        case 1:
          return fmt::format("1000000000{}", v);
        case 2:
          return fmt::format("w{}", v);
        default:
          return fmt::format("a-long-word-{}", v);
      }
    };
    for (const auto& [u, v] : pairs) {
      const auto weight = static_cast<std::int64_t>(random() % 9) - 4;
      text += fmt::format("{} {} {}\n", label(u), label(v), weight);
      if (weight != 0) expected[{label(u), label(v)}] = weight;
    }
    if (text.empty()) continue;
    SCOPED_TRACE(fmt::format("seed {} round {}:\n{}", seed, round, text));
    const Instance instance =
        to_instance(read_text(text, with_weights(as_kind(kind)), "random.edgelist").graph);
    expect_well_formed(instance.pattern);
    auto found = entries_of(instance);
    if (kind == GraphKind::undirected) {
      // Each edge stands once (two-coloured) or twice (general); bring both to the order of the file.
      for (const auto& [ends, weight] : expected) {
        const std::pair mirror{ends.second, ends.first};
        const bool general = instance.problem == Problem::general_perfect_matchings;
        EXPECT_EQ(found.count(ends) + found.count(mirror), general ? 2U : 1U);
        if (found.count(ends) == 0) found[ends] = found[mirror];
        found.erase(mirror);
      }
      if (instance.problem == Problem::general_perfect_matchings) {
        EXPECT_EQ(instance.odd_cycle.size() % 2, 1U);
        for (std::size_t k = 0; k < instance.odd_cycle.size(); ++k) {
          const Index row = instance.odd_cycle[k];
          const Index next = instance.odd_cycle[(k + 1) % instance.odd_cycle.size()];
          const auto begin = instance.pattern.column.begin();
          EXPECT_TRUE(std::binary_search(
              begin + static_cast<std::ptrdiff_t>(instance.pattern.row_start[row]),
              begin + static_cast<std::ptrdiff_t>(instance.pattern.row_start[row + 1]), next));
        }
      }
    }
    EXPECT_EQ(found, expected);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace countpm
