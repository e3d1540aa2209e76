// Belief propagation on graphs that shrink: contractions keep permanents, the matching tells which edges
// count, messages are right where they must be, and walks are exact where nothing is left to choose.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/estimate/bethe_walk.hpp"
#include "kernels/estimate/interval.hpp"
#include "kernels/estimate/sampler.hpp"
#include "kernels/estimate/walk_random.hpp"
#include "oracle.hpp"

namespace countpm {
namespace {

const StopSignal never;

/// Rows and columns that are left, in their order.
std::vector<BetheGraph::Vertex> left_on(const BetheGraph& graph, unsigned side) {
  std::vector<BetheGraph::Vertex> left;
  for (BetheGraph::Vertex v = 0; v < 2 * graph.size(); ++v) {
    if (graph.side(v) == side && graph.is_left(v)) left.push_back(v);
  }
  return left;
}

/// By expansion along the rows.
double permanent_of(const std::vector<std::vector<double>>& cells, std::size_t row, std::vector<bool>& used) {
  if (row == cells.size()) return 1;
  double sum = 0;
  for (std::size_t j = 0; j < used.size(); ++j) {
    if (used[j] || cells[row][j] == 0) continue;
    used[j] = true;
    sum += cells[row][j] * permanent_of(cells, row + 1, used);
    used[j] = false;
  }
  return sum;
}

std::vector<std::vector<double>> cells_of(const BetheGraph& graph) {
  const auto rows = left_on(graph, 0);
  const auto columns = left_on(graph, 1);
  std::vector<std::vector<double>> cells(rows.size(), std::vector<double>(columns.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const BetheGraph::EdgeNumber e : graph.edges(rows[i])) {
      const auto at = std::lower_bound(columns.begin(), columns.end(), graph.neighbour(rows[i], e));
      cells[i][static_cast<std::size_t>(at - columns.begin())] += graph.edge(e).weight;
    }
  }
  return cells;
}

double permanent_of(const BetheGraph& graph) {
  const auto cells = cells_of(graph);
  std::vector<bool> used(cells.size());
  return permanent_of(cells, 0, used);
}

/// Every edge is in the lists of both its ends where it says, and of_least_degree is right.
void expect_consistent(const BetheGraph& graph) {
  std::size_t least = ~std::size_t{0};
  std::size_t rows = 0;
  for (BetheGraph::Vertex v = 0; v < 2 * graph.size(); ++v) {
    if (!graph.is_left(v)) {
      EXPECT_TRUE(graph.edges(v).empty());
      continue;
    }
    rows += graph.side(v) == 0 ? 1 : 0;
    least = std::min<std::size_t>(least, graph.degree(v));
    for (std::size_t k = 0; k < graph.edges(v).size(); ++k) {
      const BetheGraph::Edge& edge = graph.edge(graph.edges(v)[k]);
      EXPECT_EQ(edge.end[graph.side(v)], v);
      EXPECT_EQ(graph.place(graph.edges(v)[k], graph.side(v)), k);
      EXPECT_TRUE(graph.is_left(edge.end[1 - graph.side(v)]));
    }
  }
  EXPECT_EQ(graph.left(), rows);
  if (rows == 0) return;
  for (const BetheGraph::Vertex v : graph.of_least_degree()) EXPECT_EQ(graph.degree(v), least);
  EXPECT_FALSE(graph.of_least_degree().empty());
}

TEST(BetheGraph, ContractionsKeepThePermanent) {
  oracle::Random random(1);
  int contractions = 0;
  for (int round = 0; round < 300; ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 2, 7));
    AnyBlock block = oracle::random_block<mpq_class>(random, n, 0.4, 1, 30);
    if (round % 2 == 1) block = oracle::random_block<std::int64_t>(random, n, 0.5, 1, 1);
    BetheGraph graph(make_sample_matrix(block));
    double factor = 1;
    const double whole = permanent_of(graph);
    for (bool found = true; found;) {
      found = false;
      for (BetheGraph::Vertex v = 0; v < 2 * n && !found; ++v) {
        if (!graph.is_left(v) || graph.degree(v) != 2) continue;
        const BetheGraph::Contraction contraction = graph.contraction(v);
        ASSERT_TRUE(graph.fits(contraction, 100));
        graph.contract(v, contraction, [&](BetheGraph::Vertex w) { EXPECT_TRUE(graph.is_left(w)); });
        factor *= contraction.factor;
        found = true;
        ++contractions;
        expect_consistent(graph);
      }
    }
    EXPECT_NEAR(factor * permanent_of(graph), whole, 1e-12 * whole);
  }
  EXPECT_GT(contractions, 100);
}

// Lists beyond a cache line: one that a contraction makes, and shorter ones of full rows, until all is gone.
TEST(BetheGraph, LongListsGrowAndShrink) {
  const Index n = 40;
  BetheGraph graph(make_sample_matrix(oracle::pattern_block(n, [](Index i, Index j) {
    if (i == 0) return j < 2;
    if (j == 0) return i < 15;
    if (j == 1) return i >= 15 && i < 30;
    return i % 2 == 0 || j == i;
  })));
  expect_consistent(graph);
  EXPECT_GT(graph.degree(2), 12U);
  ASSERT_EQ(graph.degree(0), 2U);
  const BetheGraph::Contraction contraction = graph.contraction(0);
  EXPECT_FALSE(graph.fits(contraction, 28));
  ASSERT_TRUE(graph.fits(contraction, 29));
  std::vector<BetheGraph::Vertex> changed;
  graph.contract(0, contraction, [&](BetheGraph::Vertex w) { changed.push_back(w); });
  expect_consistent(graph);
  EXPECT_EQ(graph.degree(contraction.kept), 29U);
  std::sort(changed.begin(), changed.end());
  std::vector<BetheGraph::Vertex> expected(29);
  std::iota(expected.begin(), expected.end(), 1U);
  EXPECT_EQ(changed, expected);
  BetheGraph copy = graph;
  for (BetheGraph::Vertex i = 1; i < n; ++i) {
    copy.remove(i, [](const BetheGraph::Edge&, BetheGraph::Vertex) {});
    expect_consistent(copy);
  }
  for (BetheGraph::Vertex j = n; j < 2 * n; ++j) {
    if (graph.is_left(j)) graph.remove(j, [](const BetheGraph::Edge&, BetheGraph::Vertex) {});
    expect_consistent(graph);
  }
}

TEST(BetheGraph, ContractionsThatWouldLeaveTheRangeDoNotFit) {
  const auto power = [](unsigned exponent) { return mpq_class(mpz_class(mpz_class(1) << exponent)); };
  // Row 0 has 1 and 2^200, row 1 2^250 and 1: the contraction of row 0 would leave 2^-450 beside 1.
  const AnyBlock block = oracle::make_block<mpq_class>(3, 3, [&](Index i, Index j) {
    if (i == 0) return j == 2 ? mpq_class(0) : power(j == 0 ? 0 : 200);
    return power(i == 1 && j != 1 ? 250 : 0);
  });
  const BetheGraph graph(make_sample_matrix(block));
  ASSERT_EQ(graph.degree(0), 2U);
  EXPECT_FALSE(graph.fits(graph.contraction(0), 100));
}

TEST(KeptMatching, TellsWhichEdgesCount) {
  oracle::Random random(2);
  int outside = 0;
  for (int round = 0; round < 300; ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 1, 7));
    const BetheStart start(make_sample_matrix(oracle::random_block<std::int64_t>(random, n, 0.35, 1, 1)));
    if (start.mate.empty()) {
      EXPECT_EQ(permanent_of(start.graph), 0);
      continue;
    }
    for (BetheGraph::Vertex i = 0; i < n; ++i) {
      for (const BetheGraph::EdgeNumber e : start.graph.edges(i)) {
        const BetheGraph::Vertex j = start.graph.neighbour(i, e);
        BetheGraph rest = start.graph;
        rest.remove(i, [](const BetheGraph::Edge&, BetheGraph::Vertex) {});
        rest.remove(j, [](const BetheGraph::Edge&, BetheGraph::Vertex) {});
        const bool counts = permanent_of(rest) > 0;
        KeptMatching matching;
        matching.reset(start.mate);
        if (!matching.may_take(start.graph, i, j)) {
          EXPECT_FALSE(counts);
        }
        ASSERT_EQ(matching.take(start.graph, i, j), counts);
        outside += counts ? 0 : 1;
        if (counts) {
          EXPECT_EQ(matching.mate(i), j);
        }
        for (BetheGraph::Vertex v = 0; v < n; ++v) {
          const auto& edges = start.graph.edges(v);
          EXPECT_EQ(matching.mate(matching.mate(v)), v);
          EXPECT_TRUE(std::any_of(edges.begin(), edges.end(), [&](BetheGraph::EdgeNumber f) {
            return start.graph.neighbour(v, f) == matching.mate(v);
          }));
        }
      }
    }
  }
  EXPECT_GT(outside, 30);
}

// A long cycle: the two matchings differ everywhere, so that taking an edge of the other one turns all of it.
TEST(KeptMatching, TurnsLongCycles) {
  const Index n = 5000;
  const BetheStart start(make_sample_matrix(
      oracle::pattern_block(n, [](Index i, Index j) { return i == j || (i + 1) % n == j; })));
  KeptMatching matching;
  matching.reset(start.mate);
  const BetheGraph::Vertex other = matching.mate(0) == n ? n + 1 : n;
  EXPECT_TRUE(matching.may_take(start.graph, 0, other));
  ASSERT_TRUE(matching.take(start.graph, 0, other));
  const BetheGraph::Vertex step = other - n;
  for (BetheGraph::Vertex i = 0; i < n; ++i) {
    ASSERT_EQ(matching.mate(i), n + (i + step) % n);
    ASSERT_EQ(matching.mate(n + (i + step) % n), i);
  }
}

TEST(BetheMessages, EvenOnFullAndRegularGraphs) {
  for (const Index n : {2U, 5U, 30U}) {
    BetheStart start(make_sample_matrix(oracle::pattern_block(n, [](Index, Index) { return true; })));
    for (const BetheGraph::EdgeNumber e : start.graph.edges(0))
      EXPECT_NEAR(start.graph.edge(e).odds() / start.graph.edge(0).odds(), 1, 0.05) << n;
  }
}

// Where all vertices have three edges, kappa apart, the Bethe approximation of every edge is 1/3.
TEST(BetheMessages, NearTheBetheApproximation) {
  const Index n = 3000;
  BetheStart start(make_sample_matrix(oracle::pattern_block(
      n, [](Index i, Index j) { return j == i || j == (i + 1) % n || j == (i + 37) % n; })));
  for (BetheGraph::EdgeNumber e = 0; e < 3 * n; e += 100)
    EXPECT_NEAR(start.graph.edge(e).odds(), 0.5, 0.01) << e;
}

SamplerOptions bethe(std::uint32_t tail_rows = 0) {
  SamplerOptions options;
  options.kind = SamplerKind::bethe;
  options.tail_rows = tail_rows;
  return options;
}

// Nothing is left to choose where every vertex but for those of degree 2 is contracted away.
TEST(BetheWalk, ExactWhereAllIsContracted) {
  const Index n = 400;
  const AnyBlock band =
      oracle::pattern_block(n, [](Index i, Index j) { return i == j || i + 1 == j || j + 1 == i; });
  mpz_class exact;
  mpz_fib_ui(exact.get_mpz_t(), n + 1);
  signed long bits = 0;
  const double mantissa = mpz_get_d_2exp(&bits, exact.get_mpz_t());
  const SampleMoments moments = BlockSampler(band, bethe(), 1, 0).run(0, 3, never);
  EXPECT_NEAR(moments.sum.log2() - std::log2(3.0), std::log2(mantissa) + static_cast<double>(bits), 1e-9);
  EXPECT_NEAR(moments.largest.log2(), std::log2(mantissa) + static_cast<double>(bits), 1e-9);
}

// Weights so uneven that belief propagation by itself leaves a tenth of the count to a choice that it never
// makes.
TEST(BetheWalk, UnevenWeightsLeaveNothingOut) {
  const int cells[5][5] = {{0, 0, 17 * 24, 81, 240},
                           {0, 24, 5, 152, 48},
                           {66, 75, 51, 31, 72},
                           {58, 888, 288, 0, 0},
                           {0, 7, 432, 0, 34}};
  const AnyBlock block =
      oracle::make_block<std::int64_t>(5, 5, [&](Index i, Index j) { return std::int64_t{cells[i][j]}; });
  const double exact = oracle::permanent(block).re.get_d();
  const SampledMean mean = sampled_mean(BlockSampler(block, bethe(), 1, 0).run(0, 2000, never));
  EXPECT_NEAR(mean.log_mean, std::log(exact), 4 * std::sqrt(mean.variance));
  EXPECT_LT(mean.variance, 1e-3);
}

TEST(BetheWalk, TailsCountTheRestOfWhatWasContracted) {
  oracle::Random random(3);
  for (int round = 0; round < 40; ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 2, 9));
    const AnyBlock block = oracle::random_block<mpq_class>(random, n, 0.5, 1, 30);
    const double exact = oracle::permanent(block).re.get_d();
    const SampleMoments moments = BlockSampler(block, bethe(64), 1, 0).run(0, 2, never);
    if (exact == 0) {
      EXPECT_EQ(moments.nonzero, 0U);
      continue;
    }
    EXPECT_NEAR(moments.sum.log2(), std::log2(2 * exact), 1e-9) << oracle::show(block);
  }
}

// 200 rows in a sparse random matrix, where walks row by row are spread by a factor of two: these by less
// than a half.
TEST(BetheWalk, SteadyOnSparseRandomMatrices) {
  oracle::Random random(4);
  const AnyBlock block = oracle::random_block<std::int64_t>(random, 200, 0.05, 1, 1);
  SamplerOptions plain;
  plain.kind = SamplerKind::rasmussen_plus;
  const auto spread = [&](const SamplerOptions& options) {
    const SampledMean mean = sampled_mean(BlockSampler(block, options, 1, 0).run(0, 40, never));
    return std::sqrt(mean.variance * 40);
  };
  EXPECT_LT(spread(bethe()), 0.6);
  EXPECT_GT(spread(plain), 1.0);
}

}  // namespace
}  // namespace countpm
