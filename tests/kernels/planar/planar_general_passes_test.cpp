// Edge uses and draws of planar graphs with odd cycles, against enumeration and against the frontier's
// passes.
#include <gtest/gtest.h>

#include "kernels/planar/elimination/determinant.hpp"
#include "kernels/planar/passes/planar_passes.hpp"
#include "kernels/planar/passes/use_residues.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"
#include "tests/kernels/planar/planar_passes_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::planar_general_passes_test {
namespace {

using testing::repeats;

using namespace testing_support;

/// A random planar graph with integers or fractions, of either sign or not.
Block<mpq_class> random_general_block(Random& random, Index most_pairs, bool negative) {
  const EdgeList graph = random_planar(2 * random.below(most_pairs + 1), random);
  Block<mpq_class> block = general_block(
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
    ASSERT_NO_FATAL_FAILURE(expect_uses(block, all_matchings(block), seed, with_matchings));
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

// Modulo small primes pivots are zero by accident, so that vertices are delayed and swapped, and the matrix
// is singular now and then: its uses are what they are all the same.
TEST(UseResidues, DelayedPairsModuloSmallPrimes) {
  const StopSignal stop;
  int compared = 0;
  int of_singular = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    Block<mpq_class> block = random_general_block(random, 9, true);
    for (mpq_class& value : block.matrix.value) value = value.get_num();
    if (block.matrix.entries() == 0) continue;
    const Matchings matchings = all_matchings(block);
    if (matchings.empty()) continue;
    const mpz_class total = total_of(matchings).get_num();
    const std::vector<mpq_class> uses = uses_of(matchings, block.matrix);
    const Oriented graph = oriented(block);
    for (const std::uint64_t prime : {5, 7, 11, 13}) {
      const std::vector<std::uint64_t> sums =
          use_residues(graph.matrix(), graph.tree, planar::portable_lanes(), {prime},
                       {graph.terms[0].sign > 0 ? 1 : prime - 1}, stop);
      ASSERT_EQ(sums.size(), graph.matrix().graph.edges.size());
      bool all_zero = true;
      for (std::size_t e = 0; e < sums.size(); ++e) {
        const mpz_class used = uses[graph.matrix().graph.edges[e].entry].get_num();
        all_zero = all_zero && sums[e] == 0;
        ASSERT_EQ((mpz_class(static_cast<unsigned long>(sums[e])) - used) % static_cast<unsigned long>(prime),
                  0)
            << "seed " << seed << " prime " << prime << " edge " << e;
      }
      ++compared;
      of_singular += total % static_cast<unsigned long>(prime) == 0 && !all_zero ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 300);
  EXPECT_GT(of_singular, 20);
}

// Fronts of several panels: the uses of a vertex's edges add up to the total.
TEST(UseResidues, DelayedPairsInLargeFronts) {
  const StopSignal stop;
  const Oriented graph = oriented(lattice_block("triangular:60x60"));
  const planar::BlockGraph& edges = graph.matrix().graph;
  int regular = 0;
  for (const std::uint64_t prime : {29, 31, 37, 41, 43, 101, 211, 499}) {
    const std::uint64_t total =
        planar::determinant(graph.matrix(), graph.tree, planar::portable_lanes(), {prime}, stop)[0];
    const std::vector<std::uint64_t> sums =
        use_residues(graph.matrix(), graph.tree, planar::portable_lanes(), {prime}, {1}, stop);
    regular += total == 0 ? 0 : 1;
    std::vector<std::uint64_t> sum(edges.vertices, 0);
    for (std::size_t e = 0; e < sums.size(); ++e) {
      sum[edges.edges[e].a] += sums[e];
      sum[edges.edges[e].b] += sums[e];
    }
    EXPECT_TRUE(std::all_of(sum.begin(), sum.end(), [&](std::uint64_t s) { return s % prime == total; }))
        << prime;
  }
  EXPECT_GE(regular, 5);
}

TEST(GeneralRegionDraw, LatticesByChiSquare) {
  for (const char* spec :
       {"triangular:3x4", "triangular:4x4", "triangular:2x8", "triangular:4x4:weights=1,2,3"}) {
    const Block<mpq_class> block = as_rational(lattice_block(spec));
    const Matchings matchings = all_matchings(block);
    for (const std::size_t small : {0, 4, 96})
      expect_fair_draws(block, matchings, small, repeats(3000), spec);
  }
}

TEST(GeneralRegionDraw, RandomGraphsByChiSquare) {
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(30); ++seed) {
    Random random(seed);
    Block<mpq_class> block = random_general_block(random, 7, false);
    for (mpq_class& value : block.matrix.value) value = value.get_num();
    expect_fair_draws(block, all_matchings(block), seed % 3 == 0 ? 96 : 2, 500,
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
