// Edge uses and draws of planar graphs with odd cycles, against enumeration and against the frontier's
// passes.
#include <gtest/gtest.h>

#include "kernels/planar/passes/edge_shares.hpp"
#include "kernels/planar/passes/planar_passes.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"
#include "tests/kernels/planar/planar_passes_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::planar_general_passes_test {
namespace {

using testing::repeats;

using namespace testing_support;

/// All perfect matchings with their weights, the lowest free vertex first.
Matchings all_matchings(const SparseMatrix<mpq_class>& matrix) {
  Matchings result;
  std::vector<Index> mate(matrix.rows, no_index);
  const std::function<void(const mpq_class&)> extend = [&](const mpq_class& weight) {
    const auto v = static_cast<Index>(std::find(mate.begin(), mate.end(), no_index) - mate.begin());
    if (v == mate.size()) {
      result[mate] = weight;
      return;
    }
    for (std::uint64_t k = matrix.row_start[v]; k < matrix.row_start[v + std::size_t{1}]; ++k) {
      const Index w = matrix.column[k];
      if (mate[w] != no_index) continue;
      mate[v] = w;
      mate[w] = v;
      extend(weight * matrix.value[k]);
      mate[v] = mate[w] = no_index;
    }
  };
  extend(1);
  return result;
}

/// A random planar graph with integers or fractions, of either sign or not.
Block<mpq_class> random_general_block(Random& random, Index most_pairs, bool negative) {
  const EdgeList graph = random_planar(2 * random.below(most_pairs + 1), random);
  Block<mpq_class> block = general_block_of(
      with_symmetric_values<mpq_class>(graph_of(graph.vertices, graph.edges), ValueKind::ones, random));
  const bool fractions = random.below(2) == 0;
  SparseMatrix<mpq_class>& matrix = block.matrix;
  std::map<std::pair<Index, Index>, mpq_class> values;
  for (Index i = 0; i < matrix.rows; ++i) {
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::size_t{1}]; ++k) {
      const auto edge = std::minmax(i, matrix.column[k]);
      mpq_class value(1 + random.below(4), fractions ? 1 + random.below(3) : 1);
      value.canonicalize();
      if (negative && random.below(3) == 0) value = -value;
      matrix.value[k] = values.try_emplace(edge, value).first->second;
    }
  }
  return block;
}

TEST(GeneralPlanarPasses, UsesAgainstEnumeration) {
  int with_matchings = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const Block<mpq_class> block = random_general_block(random, 6, seed % 2 == 0);
    ASSERT_NO_FATAL_FAILURE(expect_uses(block, all_matchings(block.matrix), seed, with_matchings));
  }
  EXPECT_GT(with_matchings, 100);
}

TEST(GeneralPlanarPasses, LatticesAgainstFrontier) {
  for (const char* spec :
       {"triangular:8x7", "triangular:4x12:weights=3,1,2", "triangular:6x6:weights=1/2,1,2/3",
        "triangular:7x7:remove=r3c3", "cylinder:4x9:remove=r0c0+r3c4"}) {
    const AnyBlock block = lattice_block(spec);
    ASSERT_TRUE(is_general(block)) << spec;
    ASSERT_NO_FATAL_FAILURE(expect_uses_of_frontier(block, spec));
  }
}

// Modulo small primes pivots are zero by accident, so that vertices are delayed and swapped.
TEST(EdgeShares, DelayedPairsModuloSmallPrimes) {
  const StopSignal stop;
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    Block<mpq_class> block = random_general_block(random, 9, true);
    for (mpq_class& value : block.matrix.value) value = value.get_num();
    if (block.matrix.entries() == 0) continue;
    const Matchings matchings = all_matchings(block.matrix);
    const mpz_class total = total_of(matchings).get_num();
    const std::vector<mpq_class> uses = uses_of(matchings, block.matrix);
    const Oriented graph = oriented(block);
    for (const std::uint64_t prime : {5, 7, 11, 13}) {
      const std::vector<std::uint64_t> shares =
          edge_shares(graph.matrix, graph.tree, planar::portable_lanes(), {prime}, {1}, stop);
      const mpz_class modulus(static_cast<unsigned long>(prime));
      ASSERT_EQ(shares.empty(), total % modulus == 0 || (total == 0))
          << "seed " << seed << " prime " << prime;
      if (shares.empty()) continue;
      for (std::size_t e = 0; e < shares.size(); ++e) {
        const mpz_class used = uses[graph.matrix.graph.edges[e].entry].get_num();
        ASSERT_EQ((static_cast<unsigned long>(shares[e]) * total - used) % modulus, 0)
            << "seed " << seed << " prime " << prime << " edge " << e;
      }
      compared += shares.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(compared, 300);
}

// Fronts of several panels: the shares of a vertex's edges add up to 1.
TEST(EdgeShares, DelayedPairsInLargeFronts) {
  const StopSignal stop;
  const Oriented graph = oriented(lattice_block("triangular:60x60"));
  const planar::BlockGraph& edges = graph.matrix.graph;
  int compared = 0;
  for (const std::uint64_t prime : {29, 31, 37, 41, 43, 101, 211, 499}) {
    const std::vector<std::uint64_t> shares =
        edge_shares(graph.matrix, graph.tree, planar::portable_lanes(), {prime}, {1}, stop);
    if (shares.empty()) continue;
    ++compared;
    std::vector<std::uint64_t> sum(edges.vertices, 0);
    for (std::size_t e = 0; e < shares.size(); ++e) {
      sum[edges.edges[e].a] += shares[e];
      sum[edges.edges[e].b] += shares[e];
    }
    EXPECT_TRUE(std::all_of(sum.begin(), sum.end(), [&](std::uint64_t s) { return s % prime == 1; }))
        << prime;
  }
  EXPECT_GE(compared, 5);
}

TEST(GeneralRegionDraw, LatticesByChiSquare) {
  for (const char* spec :
       {"triangular:3x4", "triangular:4x4", "triangular:2x8", "triangular:4x4:weights=1,2,3"}) {
    const Block<mpq_class> block = as_rational(lattice_block(spec));
    const Matchings matchings = all_matchings(block.matrix);
    for (const std::size_t small : {0, 4, 96})
      expect_fair_draws(block, matchings, small, repeats(3000), spec);
  }
}

TEST(GeneralRegionDraw, RandomGraphsByChiSquare) {
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(30); ++seed) {
    Random random(seed);
    Block<mpq_class> block = random_general_block(random, 7, false);
    for (mpq_class& value : block.matrix.value) value = value.get_num();
    expect_fair_draws(block, all_matchings(block.matrix), seed % 3 == 0 ? 96 : 2, 500,
                      "seed " + std::to_string(seed));
  }
}

TEST(GeneralRegionDraw, LargeLatticesAreMatched) {
  const AnyBlock block = lattice_block("triangular:30x30");
  const StopSignal stop;
  PlanarPasses passes(block, {~std::uint64_t{0}, 2});
  const auto draws = passes.draw(3, 1, 0, 2, stop);
  ASSERT_EQ(draws.size(), 2U);
  EXPECT_NE(draws[0], draws[1]);
  // Draw number 1 is the same by itself, on one thread.
  PlanarPasses again(block, {});
  EXPECT_EQ(again.draw(3, 1, 1, 1, stop)[0], draws[1]);
  const auto& matrix = std::get<Block<std::int64_t>>(block).matrix;
  for (const PairList& pairs : draws) {
    std::vector<int> used(matrix.rows, 0);
    for (const auto& [a, b] : pairs) {
      ++used[a];
      ++used[b];
      EXPECT_TRUE(std::binary_search(
          matrix.column.begin() + static_cast<std::ptrdiff_t>(matrix.row_start[a]),
          matrix.column.begin() + static_cast<std::ptrdiff_t>(matrix.row_start[a + std::size_t{1}]), b));
    }
    EXPECT_EQ(std::count(used.begin(), used.end(), 1), std::ssize(used));
  }
}

}  // namespace
}  // namespace countpm::planar_general_passes_test
