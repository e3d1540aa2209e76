// Bounds of graphs with odd cycles.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "kernels/estimate/bounds/bipartite_part.hpp"
#include "kernels/estimate/bounds/certified_bounds.hpp"
#include "tests/matching/general_support.hpp"
#include "tests/repeats.hpp"

namespace countpm::general_bounds_test {
namespace {

using testing::repeats;
using namespace testing_support;

struct Tally {
  int by_part = 0;
  int by_permanent = 0;
};

template <class Value>
void expect_between(const SparseMatrix<Value>& graph, Tally& tally) {
  const mpq_class count = hafnian(graph);
  if (count == 0) return;
  const double log2 = std::log2(count.get_d());
  const CertifiedBounds bounds = certified_bounds(general_block(graph));
  EXPECT_LE(bounds.log2_lower, log2 + 1e-12) << bounds.lower_by << ' ' << count;
  EXPECT_GE(bounds.log2_upper, log2 - 1e-12) << bounds.upper_by << ' ' << count;
  if (bounds.lower_by == std::string("bipartite part")) ++tally.by_part;
  if (bounds.upper_by == std::string("Bethe of the permanent")) ++tally.by_permanent;
}

TEST(GeneralBounds, HoldForRandomGraphs) {
  Random random(3);
  Tally tally;
  std::uniform_int_distribution<std::int64_t> weight(1, 300);
  for (int round = 0; round < repeats(600); ++round) {
    const auto n = static_cast<Index>(4 + 2 * (round % 4));
    const SparsePattern graph = random_graph(n, 0.3 + 0.1 * (round % 7), random);
    expect_between(with_ones(graph), tally);
    SparseMatrix<std::int64_t> weighted = with_ones(graph);
    SparseMatrix<mpq_class> rational;
    static_cast<SparsePattern&>(rational) = graph;
    rational.value.resize(graph.column.size());
    for (Index v = 0; v < n; ++v) {
      for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + 1]; ++k) {
        const Index w = graph.column[k];
        // The same both ways.
        Random own(static_cast<unsigned>(round * 1000 + std::min(v, w) * 30 + std::max(v, w)));
        weighted.value[k] = weight(own);
        rational.value[k] = mpq_class(static_cast<long>(weight(own)), 7);
        rational.value[k].canonicalize();
      }
    }
    expect_between(weighted, tally);
    expect_between(rational, tally);
  }
  EXPECT_GT(tally.by_part, repeats(600));
  EXPECT_GT(tally.by_permanent, repeats(20));
}

// Two triangles joined by an edge at each corner: the part keeps a perfect matching.
TEST(GeneralBounds, ThePartHasAPerfectMatching) {
  const SparseMatrix<std::int64_t> part = bipartite_part(with_ones(prism(3)));
  EXPECT_EQ(part.rows, 3U);
  EXPECT_EQ(part.columns, 3U);
  const CertifiedBounds bounds = certified_bounds(general_block(with_ones(prism(3))));
  EXPECT_GE(bounds.log2_lower, std::log2(3) - 1e-9);  // of 4
  EXPECT_LE(bounds.log2_upper, std::log2(6) + 1e-9);  // 6^(6 / 6)
}

// An even ring with one chord that makes two odd ones: nothing is lost but the chord.
TEST(GeneralBounds, NearlyBipartiteGraphsLoseLittle) {
  Edges edges = edges_of(cycle(40));
  edges.emplace_back(0, 2);
  const CertifiedBounds bounds = certified_bounds(general_block(with_ones(graph_of(40, edges))));
  EXPECT_NEAR(bounds.log2_lower, 1, 1e-9);
}

}  // namespace
}  // namespace countpm::general_bounds_test
