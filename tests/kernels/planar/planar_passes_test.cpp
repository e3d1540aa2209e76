// Edge uses and draws of planar bipartite blocks against enumeration and against the frontier's passes.
#include "kernels/planar/passes/planar_passes.hpp"

#include <gtest/gtest.h>

#include <map>

#include "graph/errors.hpp"
#include "kernels/arithmetic/residue_join.hpp"
#include "kernels/planar/elimination/determinant.hpp"
#include "kernels/planar/passes/use_residues.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"
#include "tests/kernels/planar/planar_passes_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::repeats;

using namespace testing_support;

/// Rows 0 .. half - 1 of a random planar graph by the others; integers or fractions, of either sign or not.
Block<mpq_class> random_planar_block(Random& random, Index most_rows, bool negative) {
  const EdgeList graph = between_halves(random_planar(2 * random.below(most_rows + 1), random));
  const SparsePattern pattern = graph_of(graph.vertices, graph.edges);
  Block<mpq_class> block =
      bipartite_block_of(with_symmetric_values<mpq_class>(pattern, ValueKind::ones, random));
  const bool fractions = random.below(2) == 0;
  for (mpq_class& value : block.matrix.value) {
    value = mpq_class(1 + random.below(4), fractions ? 1 + random.below(3) : 1);
    value.canonicalize();
    if (negative && random.below(3) == 0) value = -value;
  }
  return block;
}

TEST(PlanarPasses, UsesAgainstEnumeration) {
  int with_matchings = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const Block<mpq_class> block = random_planar_block(random, 8, seed % 2 == 0);
    ASSERT_NO_FATAL_FAILURE(expect_uses(block, all_matchings(block), seed, with_matchings));
  }
  EXPECT_GT(with_matchings, 100);
}

// The sum is 1, far below the shares: the bound on the determinant holds for it alone.
TEST(PlanarPasses, SharesBeyondASumThatCancels) {
  const StopSignal stop;
  for (const unsigned bits : {40U, 200U, 420U, 450U, 900U, 2000U}) {
    const mpz_class large = mpz_class(1) << bits;
    Block<mpq_class> block;
    block.matrix = {{2, 2, {0, 2, 4}, {0, 1, 0, 1}}, {large + 1, -large, 1, 1}};
    PlanarPasses passes(block, {});
    EXPECT_EQ(passes.total(stop), 1);
    const EdgeUses found = passes.edge_uses(stop);
    EXPECT_EQ(found.uses[found.place[0]], large + 1) << bits;
    EXPECT_EQ(found.uses[found.place[1]], -large) << bits;
  }
}

TEST(PlanarPasses, LatticesAgainstFrontier) {
  for (const char* spec : {"square:10x9", "aztec:5", "hexagon:3x4x2", "honeycomb:4x5", "cylinder:5x8",
                           "square:8x8:weights=2,1/3:remove=r0c0+r7c6"})
    ASSERT_NO_FATAL_FAILURE(expect_uses_of_frontier(lattice_block(spec), spec));
}

// Fronts of several panels of pivots: transposing the board changes no probability, and a corner cell has two
// equal edges.
TEST(PlanarPasses, LargeBoardsAreSymmetric) {
  const StopSignal stop;
  const AnyBlock block = lattice_block("square:70x70");
  PlanarPasses passes(block, {~std::uint64_t{0}, 2});
  const EdgeUses found = passes.edge_uses(stop);
  // The cells of a board in reading order are rows and columns by turns.
  const auto& matrix = std::get<Block<std::int64_t>>(block).matrix;
  const auto cell_of_row = [](Index i) { return std::pair{i / 35, 2 * (i % 35) + (i / 35) % 2}; };
  const auto cell_of_column = [](Index j) { return std::pair{j / 35, 2 * (j % 35) + 1 - (j / 35) % 2}; };
  std::map<std::pair<std::pair<Index, Index>, std::pair<Index, Index>>, mpz_class> uses;
  for (Index i = 0; i < matrix.rows; ++i) {
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k)
      uses[{cell_of_row(i), cell_of_column(matrix.column[k])}] = found.uses[found.place[k]];
  }
  const auto transposed = [](std::pair<Index, Index> cell) { return std::pair{cell.second, cell.first}; };
  ASSERT_EQ(uses.size(), 2U * 70 * 69);
  for (const auto& [edge, value] : uses)
    ASSERT_EQ(value, uses.at({transposed(edge.first), transposed(edge.second)}));
  EXPECT_EQ(2 * uses.at({{0, 0}, {0, 1}}), passes.total(stop));
}

TEST(PlanarPasses, Refusals) {
  EXPECT_NE(PlanarPasses::obstacle(lattice_block("torus:4x4")), std::nullopt);
  EXPECT_NE(PlanarPasses::obstacle(lattice_block("cubic:4x4x4")), std::nullopt);
  EXPECT_EQ(PlanarPasses::obstacle(lattice_block("torus:6x6")), std::nullopt);
  Block<ComplexRational> complex;
  complex.matrix = {{1, 1, {0, 1}, {0}}, {ComplexRational{1, 2}}};
  EXPECT_EQ(PlanarPasses::obstacle(complex), "weights are complex");
  const StopSignal stop;
  PlanarPasses passes(lattice_block("square:20x20"), {1000, 1});
  EXPECT_THROW(passes.edge_uses(stop), UnableError);
  EXPECT_THROW(passes.draw(1, 0, 0, 1, stop), UnableError);
  StopSignal stopped;
  stopped.request();
  EXPECT_THROW(PlanarPasses(lattice_block("square:20x20"), {}).total(stopped), Stopped);
}

TEST(UseResidues, PrimesThatDivideTheDeterminant) {
  // 36 = 4 * 9 matchings, of which 18 have the first edge.
  const Oriented square = oriented(lattice_block("square:4x4"));
  const StopSignal stop;
  for (const std::uint64_t prime : {3, 5, 11}) {
    const std::vector<std::uint64_t> sums =
        planar::use_residues(square.matrix(), square.tree, planar::portable_lanes(), {prime},
                             {square.terms[0].sign > 0 ? 1 : prime - 1}, stop);
    ASSERT_EQ(sums.size(), 24U);
    EXPECT_EQ(sums[0], 18 % prime) << prime;
  }
}

TEST(RegionDraw, LatticesByChiSquare) {
  for (const char* spec : {"square:4x4", "square:4x5", "aztec:3", "hexagon:2x2x2", "honeycomb:2x3",
                           "square:4x4:weights=3,1", "square:4x6:weights=1,2"}) {
    const Block<mpq_class> block = as_rational(lattice_block(spec));
    const Matchings matchings = all_matchings(block);
    for (const std::size_t small : {0, 4, 96})
      expect_fair_draws(block, matchings, small, repeats(2000), spec);
  }
}

TEST(RegionDraw, RandomGraphsByChiSquare) {
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(30); ++seed) {
    Random random(seed);
    Block<mpq_class> block = random_planar_block(random, 8, false);
    for (mpq_class& value : block.matrix.value) value = value.get_num();
    expect_fair_draws(block, all_matchings(block), seed % 3 == 0 ? 96 : 2, 500,
                      "seed " + std::to_string(seed));
  }
}

TEST(RegionDraw, LargeLatticesAreMatched) {
  const AnyBlock block = lattice_block("square:40x40");
  const StopSignal stop;
  double heard = 0;
  PlanarPasses passes(block, {~std::uint64_t{0}, 3}, [&](double share) { heard = share; });
  auto draws = passes.draw(3, 1, 0, 3, stop);
  ASSERT_EQ(draws.size(), 3U);
  EXPECT_EQ(heard, 1);
  EXPECT_NE(draws[0], draws[1]);
  for (PairList& pairs : passes.draw(3, 1, 3, 2, stop)) draws.push_back(std::move(pairs));
  // They are the same on one thread, from number 1 on.
  PlanarPasses again(block, {});
  const std::vector<PairList> later(draws.begin() + 1, draws.end());
  EXPECT_EQ(again.draw(3, 1, 1, 4, stop), later);
  const auto& matrix = std::get<Block<std::int64_t>>(block).matrix;
  for (const PairList& pairs : draws) {
    std::vector<int> used(matrix.columns, 0);
    ASSERT_EQ(pairs.size(), matrix.rows);
    for (const auto& [row, column] : pairs) {
      ++used[column];
      EXPECT_TRUE(std::binary_search(
          matrix.column.begin() + static_cast<std::ptrdiff_t>(matrix.row_start[row]),
          matrix.column.begin() + static_cast<std::ptrdiff_t>(matrix.row_start[row + 1]), column));
    }
    EXPECT_EQ(std::count(used.begin(), used.end(), 1), std::ssize(used));
  }
}

TEST(ResidueJoin, RoundTrips) {
  const ResidueJoin join({1009, 1013, 1019});
  EXPECT_EQ(join.product(), mpz_class(1009) * 1013 * 1019);
  for (const long value : {0L, 1L, -1L, 123456789L, -500000000L}) {
    std::vector<std::uint64_t> residues;
    for (const std::uint64_t p : join.primes())
      residues.push_back(mpz_fdiv_ui(mpz_class(value).get_mpz_t(), p));
    EXPECT_EQ(join.join_signed(residues.data()), value);
    EXPECT_EQ(join.join(residues.data()), value < 0 ? mpz_class(join.product() + value) : mpz_class(value));
  }
}

}  // namespace
}  // namespace countpm
