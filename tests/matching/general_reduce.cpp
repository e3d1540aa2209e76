// Reductions of general graphs: nothing is lost, whatever the values and the rules.
#include "matching/general_reduce.hpp"

#include <gtest/gtest.h>

#include "matching/general_structure.hpp"
#include "tests/matching/general_support.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::repeats;

using namespace testing_support;

template <class Value>
ExactOf<Value> count_of(const Reduced<Value>& reduced) {
  ExactOf<Value> product = reduced.factor;
  for (const Block<Value>& block : reduced.blocks) {
    product =
        ExactOf<Value>(product * (block.general ? hafnian(block.matrix) : permanent(expanded(block).matrix)));
  }
  return product;
}

template <class Value>
void expect_nothing_lost(std::uint64_t seed, ValueKind kind) {
  Random random(seed);
  const Index n = 1 + random.below(14);
  const SparsePattern graph = random_graph(n, (1 + random.below(5)) / (1.0 + n / 1.5), random);
  const SparseMatrix<Value> matrix = with_symmetric_values<Value>(graph, kind, random);
  const ExactOf<Value> truth = hafnian(matrix);
  for (int rules = 0; rules < 4; ++rules) {
    RuleSet set;
    if ((rules & 1) != 0) set.drop(Rule::single);
    if ((rules & 2) != 0) set.drop(Rule::doubles);
    for (const bool settled : {true, false}) {
      const Reduced<Value> reduced = reduce_general(matrix, set, settled);
      ASSERT_EQ(text(count_of(reduced)), text(truth))
          << "seed " << seed << " rules " << rules << " settled " << settled << "\n"
          << show(matrix);
      for (const Block<Value>& block : reduced.blocks) {
        for (Index v = 0; rules == 0 && !reduced.overflow && block.general && v < block.size(); ++v)
          ASSERT_GE(block.matrix.row_degree(v), 3U) << "seed " << seed;
      }
    }
  }
}

TEST(GeneralReduce, NothingIsLost) {
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(250); ++seed) {
    for (const ValueKind kind :
         {ValueKind::ones, ValueKind::small_positive, ValueKind::small_signed, ValueKind::units}) {
      expect_nothing_lost<std::int64_t>(seed, kind);
      if (::testing::Test::HasFailure()) return;
    }
    expect_nothing_lost<mpq_class>(seed, ValueKind::small_signed);
    expect_nothing_lost<ComplexRational>(seed, ValueKind::units);
    expect_nothing_lost<ComplexRational>(seed, ValueKind::small_signed);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(GeneralReduce, LargeIntegersAreNotMultipliedWhereTheyWouldNotFit) {
  int overflows = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const SparsePattern graph = random_graph(4 + 2 * random.below(4), 0.35, random);
    const auto matrix = with_symmetric_values<std::int64_t>(graph, ValueKind::large, random);
    const Reduced<std::int64_t> reduced = reduce_general(matrix, RuleSet{});
    ASSERT_EQ(count_of(reduced), hafnian(matrix)) << "seed " << seed << "\n" << show(matrix);
    overflows += reduced.overflow ? 1 : 0;
    const Reduced<mpq_class> wide = reduce_general(to_rational(matrix), RuleSet{});
    ASSERT_FALSE(wide.overflow);
    ASSERT_EQ(count_of(wide), hafnian(matrix)) << "seed " << seed;
  }
  EXPECT_GT(overflows, 10);
}

TEST(GeneralReduce, AChainOfTrianglesIsANumber) {
  // Triangles in a row, each joined to the next by an edge, the ends closed by pendant edges: vertices of
  // degree 1 and 2 all the way. Large enough that recursion or a quadratic step would show.
  constexpr Index triangles = 20'000;
  Edges edges;
  for (Index t = 0; t < triangles; ++t) {
    const Index v = 3 * t;
    edges.insert(edges.end(), {{v, v + 1}, {v + 1, v + 2}, {v + 2, v}});
    if (t + 1 < triangles) edges.emplace_back(v + 2, v + 3);
  }
  const SparsePattern graph = graph_of(3 * triangles, edges);
  const Reduced<std::int64_t> reduced = reduce_general(with_ones(graph), RuleSet{});
  EXPECT_TRUE(reduced.blocks.empty());
  EXPECT_EQ(reduced.factor, 1);  // edges between triangles 1-2, 3-4, ... and the base of each
}

TEST(GeneralReduce, OddCyclesWithPendantEdges) {
  for (Index n = 3; n <= 15; n += 2) {
    // Every cycle vertex with a pendant of its own: one perfect matching. One pendant: n is odd, one too.
    Edges all = edges_of(cycle(n));
    Edges single = all;
    for (Index v = 0; v < n; ++v) all.emplace_back(v, n + v);
    single.emplace_back(0, n);
    for (const SparsePattern& graph : {graph_of(2 * n, all), graph_of(n + 1, single)}) {
      const Reduced<std::int64_t> reduced = reduce_general(with_ones(graph), RuleSet{});
      EXPECT_TRUE(reduced.blocks.empty());
      EXPECT_EQ(reduced.factor, 1);
    }
    EXPECT_EQ(reduce_general(with_ones(cycle(n)), RuleSet{}).factor, 0);
  }
}

TEST(GeneralReduce, WithoutOddCyclesTheBlocksAreBipartite) {
  // A cube is two-colourable, a prism over a triangle is not.
  for (const Block<std::int64_t>& block : reduce_general(with_ones(prism(4)), RuleSet{}).blocks)
    EXPECT_FALSE(block.general);
  const auto reduced = reduce_general(with_ones(prism(3)), RuleSet{});
  ASSERT_EQ(reduced.blocks.size(), 1U);
  EXPECT_TRUE(reduced.blocks.front().general);
  EXPECT_EQ(count_of(reduced), 4);
}

}  // namespace
}  // namespace countpm
