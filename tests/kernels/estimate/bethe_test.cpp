// Belief propagation on graphs that shrink: contractions keep permanents, the matching tells which edges
// count, messages are right where they must be, and walks are exact where nothing is left to choose.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "kernels/estimate/bethe/walk.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "kernels/estimate/walks/walk_random.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm::bethe_test {
namespace {

const StopSignal never;

BetheMemory memory_of(const SampleMatrix& matrix) {
  return BetheMemory(BetheLayout(matrix, 64), matrix);
}

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

/// Every edge is in the lists of both its ends where it says, and every vertex in the list of its degree.
void expect_consistent(const BetheGraph& graph) {
  std::size_t rows = 0;
  std::map<std::uint32_t, std::set<BetheGraph::Vertex>> of_degree;
  for (BetheGraph::Vertex v = 0; v < 2 * graph.size(); ++v) {
    if (!graph.is_left(v)) {
      EXPECT_EQ(graph.degree(v), 0U);
      continue;
    }
    rows += graph.side(v) == 0 ? 1 : 0;
    of_degree[graph.degree(v)].insert(v);
    for (std::uint32_t k = 0; k < graph.degree(v); ++k) {
      const BetheGraph::Edge& edge = graph.edge(graph.edges(v)[k]);
      EXPECT_EQ(edge.end[graph.side(v)], v);
      EXPECT_EQ(graph.place(graph.edges(v)[k], graph.side(v)), k);
      EXPECT_TRUE(graph.is_left(edge.end[1 - graph.side(v)]));
    }
  }
  EXPECT_EQ(graph.left(), rows);
  for (std::uint32_t d = 0; d <= graph.most_degree(); ++d) {
    std::set<BetheGraph::Vertex> found;
    for (BetheGraph::Vertex v = graph.first_of_degree(d); v != BetheGraph::no_vertex;
         v = graph.record(v).next)
      EXPECT_TRUE(found.insert(v).second);
    EXPECT_EQ(found, of_degree[d]);
  }
}

TEST(BetheGraph, ContractionsKeepThePermanent) {
  oracle::Random random(1);
  int contractions = 0;
  for (int round = 0; round < 300; ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 2, 7));
    AnyBlock block = oracle::random_block<mpq_class>(random, n, 0.4, 1, 30);
    if (round % 2 == 1) block = oracle::random_block<std::int64_t>(random, n, 0.5, 1, 1);
    BetheMemory memory = memory_of(make_sample_matrix(block));
    const BetheGraph graph = memory.graph();
    double factor = 1;
    const double whole = permanent_of(graph);
    for (bool found = true; found;) {
      found = false;
      for (BetheGraph::Vertex v = 0; v < 2 * n && !found; ++v) {
        if (!graph.is_left(v) || graph.degree(v) != 2) continue;
        const BetheGraph::Contraction contraction = graph.contraction(v);
        const std::uint32_t merged = graph.degree(contraction.kept) + graph.degree(contraction.other) - 2;
        ASSERT_EQ(graph.fits(contraction), merged <= BetheGraph::most_contracted_degree);
        if (!graph.fits(contraction)) continue;
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

// Lists beyond a cache line shrink into it, until all is gone; no contraction makes one.
TEST(BetheGraph, LongListsShrink) {
  const Index n = 40;
  BetheMemory memory = memory_of(make_sample_matrix(oracle::pattern_block(n, [](Index i, Index j) {
    if (i == 0) return j < 2;
    if (j == 0) return i < 15;
    if (j == 1) return i >= 15 && i < 30;
    return i % 2 == 0 || j == i;
  })));
  const BetheGraph graph = memory.graph();
  expect_consistent(graph);
  EXPECT_GT(graph.degree(2), 12U);
  ASSERT_EQ(graph.degree(0), 2U);
  EXPECT_FALSE(graph.fits(graph.contraction(0)));
  BetheMemory copy = memory;
  for (BetheGraph::Vertex i = 1; i < n; ++i) {
    copy.graph().remove(i, [](const BetheGraph::Edge&, BetheGraph::Vertex) {});
    expect_consistent(copy.graph());
  }
  EXPECT_EQ(graph.left(), n);
  for (BetheGraph::Vertex j = n; j < 2 * n; ++j) {
    graph.remove(j, [](const BetheGraph::Edge&, BetheGraph::Vertex) {});
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
  BetheMemory memory = memory_of(make_sample_matrix(block));
  const BetheGraph graph = memory.graph();
  ASSERT_EQ(graph.degree(0), 2U);
  EXPECT_FALSE(graph.fits(graph.contraction(0)));
}

TEST(KeptMatching, TellsWhichEdgesCount) {
  oracle::Random random(2);
  CpuWarp warp(0, 1);
  int outside = 0;
  for (int round = 0; round < testing::repeats(300); ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 1, 7));
    const BetheStart start(make_sample_matrix(oracle::random_block<std::int64_t>(random, n, 0.35, 1, 1)));
    BetheMemory whole = start.memory();
    if (!start.matched()) {
      EXPECT_EQ(permanent_of(whole.graph()), 0);
      continue;
    }
    for (BetheGraph::Vertex i = 0; i < n; ++i) {
      for (const BetheGraph::EdgeNumber e : whole.graph().edges(i)) {
        const BetheGraph::Vertex j = whole.graph().neighbour(i, e);
        BetheMemory rest = whole;
        rest.graph().remove(i, [](const BetheGraph::Edge&, BetheGraph::Vertex) {});
        rest.graph().remove(j, [](const BetheGraph::Edge&, BetheGraph::Vertex) {});
        const bool counts = permanent_of(rest.graph()) > 0;
        BetheMemory memory = whole;
        const BetheGraph graph = memory.graph();
        const KeptMatching<CpuWarp> matching(warp, graph);
        if (!may_take(graph, i, j)) {
          EXPECT_FALSE(counts);
        }
        ASSERT_EQ(matching.take(i, j), counts);
        outside += counts ? 0 : 1;
        if (counts) {
          EXPECT_EQ(graph.mate(i).mate, j);
        }
        for (BetheGraph::Vertex v = 0; v < n; ++v) {
          const BetheGraph::EdgeList edges = graph.edges(v);
          EXPECT_EQ(graph.mate(graph.mate(v).mate).mate, v);
          EXPECT_TRUE(std::any_of(edges.begin(), edges.end(), [&](BetheGraph::EdgeNumber f) {
            return graph.neighbour(v, f) == graph.mate(v).mate;
          }));
        }
      }
    }
  }
  EXPECT_GT(outside, testing::repeats(30));
}

// A long cycle: the two matchings differ everywhere, so that taking an edge of the other one turns all of it.
TEST(KeptMatching, TurnsLongCycles) {
  const Index n = 5000;
  const BetheStart start(make_sample_matrix(
      oracle::pattern_block(n, [](Index i, Index j) { return i == j || (i + 1) % n == j; })));
  BetheMemory memory = start.memory();
  const BetheGraph graph = memory.graph();
  CpuWarp warp(0, 1);
  const KeptMatching<CpuWarp> matching(warp, graph);
  const BetheGraph::Vertex other = graph.mate(0).mate == n ? n + 1 : n;
  EXPECT_TRUE(may_take(graph, 0, other));
  ASSERT_TRUE(matching.take(0, other));
  const BetheGraph::Vertex step = other - n;
  for (BetheGraph::Vertex i = 0; i < n; ++i) {
    ASSERT_EQ(graph.mate(i).mate, n + (i + step) % n);
    ASSERT_EQ(graph.mate(n + (i + step) % n).mate, i);
  }
}

TEST(BetheMessages, EvenOnFullAndRegularGraphs) {
  for (const Index n : {2U, 5U, 30U}) {
    const BetheStart start(make_sample_matrix(oracle::pattern_block(n, [](Index, Index) { return true; })));
    BetheMemory memory = start.memory();
    const BetheGraph graph = memory.graph();
    for (const BetheGraph::EdgeNumber e : graph.edges(0))
      EXPECT_NEAR(graph.edge(e).odds() / graph.edge(0).odds(), 1, 0.05) << n;
  }
}

// Where all vertices have three edges, kappa apart, the Bethe approximation of every edge is 1/3.
TEST(BetheMessages, NearTheBetheApproximation) {
  const Index n = 3000;
  const BetheStart start(make_sample_matrix(oracle::pattern_block(
      n, [](Index i, Index j) { return j == i || j == (i + 1) % n || j == (i + 37) % n; })));
  BetheMemory memory = start.memory();
  for (BetheGraph::EdgeNumber e = 0; e < 3 * n; e += 100)
    EXPECT_NEAR(memory.graph().edge(e).odds(), 0.5, 0.01) << e;
}

// A GPU's steps and those of one thread: the same messages and the same that is left to send, where lists run
// over, too.
TEST(BetheMessages, LanesDoWhatOneThreadDoes) {
  oracle::Random random(5);
  for (int round = 0; round < 60; ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 1, 120));
    const double density = round % 3 == 0 ? 0.3 : 4.0 / n;
    const SampleMatrix matrix =
        make_sample_matrix(oracle::random_block<std::int64_t>(random, n, density, 1, 9));
    const BetheLayout layout(matrix, round % 2 == 0 ? 4 : 256);
    BetheMemory one(layout, matrix);
    BetheMemory many = one;
    const BetheGraph by_one = one.graph();
    const BetheGraph by_many = many.graph();
    LoneWarp lone;
    CpuWarp warp(0, 1);
    const BetheSettings settings(n);
    const BetheMessages<LoneWarp> ours(lone, by_one, settings);
    const BetheMessages<CpuWarp> theirs(warp, by_many, settings);
    for (int time = 0; time < 4; ++time) {
      for (Index k = 0; k < n; ++k) {
        const auto v = static_cast<BetheGraph::Vertex>(oracle::uniform(random, 0, 2 * n - 1));
        const double share = std::exp2(static_cast<double>(oracle::uniform(random, -12, 4)));
        ours.changed(v, share);
        theirs.changed(v, share);
      }
      const auto most = static_cast<std::uint64_t>(oracle::uniform(random, 1, 200));
      ours.pass(most);
      theirs.pass(most);
      ASSERT_EQ(std::memcmp(one.data(), many.data(), layout.image_bytes), 0) << n << " rows, round " << round;
    }
  }
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
    return std::sqrt(mean.variance * 40 / 2);  // doubled, as they are worth fewer than 100
  };
  EXPECT_LT(spread(bethe()), 0.6);
  EXPECT_GT(spread(plain), 1.0);
}

}  // namespace
}  // namespace countpm::bethe_test
