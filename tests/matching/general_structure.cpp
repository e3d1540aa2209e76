// Matchings, Tutte violators, forbidden edges and pieces of general graphs.
#include "matching/general_structure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "matching/parity_cuts.hpp"
#include "tests/matching/general_support.hpp"

#define BOOST_ALLOW_DEPRECATED_HEADERS
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>

namespace countpm {
namespace {

using namespace testing_support;

std::size_t boost_matching_size(const SparsePattern& graph) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> other(graph.rows);
  for (const auto& [a, b] : edges_of(graph)) add_edge(a, b, other);
  std::vector<std::size_t> mate(graph.rows);
  boost::edmonds_maximum_cardinality_matching(other, mate.data());
  return boost::matching_size(other, mate.data());
}

void expect_matching(const SparsePattern& graph, const GeneralMatching& matching) {
  Index matched = 0;
  for (Index v = 0; v < graph.rows; ++v) {
    const Index w = matching.mate[v];
    if (w == no_index) continue;
    ++matched;
    EXPECT_EQ(matching.mate[w], v);
    const auto begin = graph.column.begin();
    EXPECT_TRUE(std::binary_search(begin + static_cast<std::ptrdiff_t>(graph.row_start[v]),
                                   begin + static_cast<std::ptrdiff_t>(graph.row_start[v + 1]), w));
  }
  EXPECT_EQ(matched, 2 * matching.size);
}

// A proof by itself: every odd set that is listed has no neighbour outside but the removed vertices, the sets
// are disjoint, and there are more of them.
void expect_violator(const SparsePattern& graph, const TutteViolator& violator) {
  EXPECT_GT(violator.odd_components.size(), violator.removed.size());
  constexpr Index removed = 1000000;
  std::vector<Index> place(graph.rows, no_index);
  for (const Index v : violator.removed) {
    EXPECT_EQ(place[v], no_index);
    place[v] = removed;
  }
  for (Index c = 0; c < violator.odd_components.size(); ++c) {
    EXPECT_EQ(violator.odd_components[c].size() % 2, 1U);
    for (const Index v : violator.odd_components[c]) {
      EXPECT_EQ(place[v], no_index);
      place[v] = c;
    }
  }
  for (const auto& component : violator.odd_components) {
    for (const Index v : component) {
      for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + 1]; ++k) {
        const Index at = place[graph.column[k]];
        EXPECT_TRUE(at == removed || at == place[v]) << v << " " << graph.column[k];
      }
    }
  }
}

TEST(GeneralMatching, RandomGraphsAgainstBoostAndTheirCertificates) {
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    Random random(seed);
    const Index n = 1 + random.below(seed % 10 == 0 ? 60 : 18);
    const SparsePattern graph = random_graph(n, (1 + random.below(6)) / (1.0 + random.below(2 * n)), random);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << show(graph));
    const GeneralMatching matching = general_maximum_matching(graph);
    expect_matching(graph, matching);
    ASSERT_EQ(matching.size, boost_matching_size(graph));
    if (2 * matching.size != n) expect_violator(graph, tutte_violator(graph, matching));
    if (::testing::Test::HasFailure()) return;
  }
}

// Odd cycles in a row, joined by single edges or sharing vertices: blossoms within blossoms.
TEST(GeneralMatching, NestedBlossoms) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    Edges edges;
    Index n = 1;
    while (n < 80) {
      const Index at = random.below(n);
      const Index length = 2 * (1 + random.below(3));
      Index last = at;
      for (Index i = 0; i < length; ++i) {
        edges.emplace_back(last, n);
        last = n++;
      }
      edges.emplace_back(last, random.below(4) == 0 ? random.below(n - 1) : at);
      if (edges.back().first == edges.back().second) edges.pop_back();
    }
    std::vector<Index> label(n);
    std::iota(label.begin(), label.end(), 0);
    std::shuffle(label.begin(), label.end(), random);
    for (auto& [a, b] : edges) a = label[a], b = label[b];
    const SparsePattern graph = graph_of(n, edges);
    const GeneralMatching matching = general_maximum_matching(graph);
    expect_matching(graph, matching);
    ASSERT_EQ(matching.size, boost_matching_size(graph)) << "seed " << seed << "\n" << show(graph);
    if (2 * matching.size != n) expect_violator(graph, tutte_violator(graph, matching));
  }
}

TEST(GeneralMatching, LargeStripsOfTriangles) {
  constexpr Index columns = 60'001;
  const SparsePattern strip = triangular(2, columns);
  EXPECT_EQ(general_maximum_matching(strip).size, columns);
  const SparsePattern odd = triangular(3, 20'001);
  const GeneralMatching matching = general_maximum_matching(odd);
  EXPECT_EQ(2 * matching.size + 1, odd.rows);
  const TutteViolator violator = tutte_violator(odd, matching);
  EXPECT_TRUE(violator.removed.empty());
  ASSERT_EQ(violator.odd_components.size(), 1U);
  EXPECT_EQ(violator.odd_components.front().size(), odd.rows);
}

TEST(GeneralStructure, ForbiddenEdgesAreThoseInNoPerfectMatching) {
  int with_matching = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const Index n = 2 + 2 * random.below(7);
    const SparsePattern graph = random_graph(n, (1 + random.below(4)) / (1.0 + n / 2.0), random);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << "\n" << show(graph));
    const GeneralStructure structure = analyse_general(graph);
    SparseMatrix<std::int64_t> matrix = with_ones(graph);
    Hafnian<std::int64_t> count(matrix);
    ASSERT_EQ(structure.violator.has_value(), count() == 0);
    if (structure.violator) {
      expect_violator(graph, *structure.violator);
      continue;
    }
    ++with_matching;
    std::uint64_t forbidden = 0;
    for (Index v = 0; v < n; ++v) {
      for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + 1]; ++k) {
        const Index w = graph.column[k];
        const bool useless = count(std::uint64_t{1} << v | std::uint64_t{1} << w) == 0;
        ASSERT_EQ(structure.forbidden[k], useless) << v << " " << w;
        forbidden += useless ? 1 : 0;
        if (!useless) {
          ASSERT_EQ(structure.component[v], structure.component[w]);
        }
      }
    }
    ASSERT_EQ(structure.edges_dropped, forbidden / 2);
    ASSERT_TRUE(structure.complete);
    // The pieces multiply.
    mpq_class product = 1;
    const auto blocks = general_blocks(graph, matrix.value, structure);
    ASSERT_EQ(blocks.size(), structure.components);
    for (const auto& block : blocks)
      product *= block.general ? hafnian(block.matrix) : permanent(block.matrix);
    ASSERT_EQ(product, count());
  }
  EXPECT_GT(with_matching, 100);
}

TEST(GeneralStructure, OneEdgeBetweenTwoOddPiecesIsForced) {
  // Two triangles joined by an edge: it is in every perfect matching, and their own edges at it in none.
  const SparsePattern graph = graph_of(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {2, 3}});
  const GeneralStructure structure = analyse_general(graph);
  ASSERT_FALSE(structure.violator);
  EXPECT_EQ(structure.edges_dropped, 4U);
  EXPECT_EQ(structure.components, 3U);
}

TEST(GeneralStructure, ParityForbidsOnlyWhatIsForbidden) {
  std::uint64_t found = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    // A tree with some edges more: many cut vertices.
    const Index n = 2 + 2 * random.below(7);
    Edges edges;
    for (Index v = 1; v < n; ++v) edges.emplace_back(random.below(v), v);
    for (Index extra = random.below(6); extra > 0; --extra) {
      const Index a = random.below(n);
      const Index b = random.below(n);
      if (a != b) edges.emplace_back(a, b);
    }
    const SparsePattern graph = graph_of(n, edges);
    const SparseMatrix<std::int64_t> matrix = with_ones(graph);
    Hafnian<std::int64_t> count(matrix);
    if (count() == 0) continue;
    const std::vector<bool> cuts = parity_cuts(graph);
    for (Index v = 0; v < n; ++v) {
      // Whether v is a cut vertex, and its edge one into an even piece.
      for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + 1]; ++k) {
        const Index w = graph.column[k];
        const auto even_piece = [&](Index without, Index from) {
          std::vector<bool> seen(n, false);
          std::vector<Index> queue{from};
          seen[without] = seen[from] = true;
          for (std::size_t head = 0; head < queue.size(); ++head) {
            for (std::uint64_t m = graph.row_start[queue[head]]; m < graph.row_start[queue[head] + 1]; ++m) {
              if (seen[graph.column[m]]) continue;
              seen[graph.column[m]] = true;
              queue.push_back(graph.column[m]);
            }
          }
          return queue.size() % 2 == 0;
        };
        ASSERT_EQ(cuts[k], even_piece(v, w) || even_piece(w, v))
            << "seed " << seed << " " << v << " " << w << show(graph);
        if (!cuts[k]) continue;
        ++found;
        ASSERT_EQ(count(std::uint64_t{1} << v | std::uint64_t{1} << w), 0) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(found, 50U);
}

TEST(GeneralStructure, ACaterpillarOfTrianglesIsCutInLinearTime) {
  // Triangles in a row, joined by edges: every other of these is forced, all cut vertices. Quadratic searches
  // would give up.
  constexpr Index triangles = 40'000;
  Edges edges;
  for (Index t = 0; t < triangles; ++t) {
    const Index v = 3 * t;
    edges.insert(edges.end(), {{v, v + 1}, {v + 1, v + 2}, {v + 2, v}});
    if (t + 1 < triangles) edges.emplace_back(v + 2, v + 3);
  }
  const GeneralStructure structure = analyse_general(graph_of(3 * triangles, edges));
  ASSERT_FALSE(structure.violator);
  EXPECT_TRUE(structure.complete);
  EXPECT_EQ(structure.components, 3 * triangles / 2);  // single edges all
}

TEST(GeneralStructure, TwoOddComponentsAreTheirOwnReason) {
  const SparsePattern graph = graph_of(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}});
  const GeneralStructure structure = analyse_general(graph);
  ASSERT_TRUE(structure.violator);
  EXPECT_TRUE(structure.violator->removed.empty());
  EXPECT_EQ(structure.violator->odd_components, (std::vector<std::vector<Index>>{{0, 1, 2}}));
}

}  // namespace
}  // namespace countpm
