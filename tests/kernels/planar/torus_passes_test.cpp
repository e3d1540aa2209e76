// Edge uses and draws on a torus, against enumeration and against the frontier's passes: lattices of which
// some of the four matrices are singular, weights of either sign, vertices removed, and graphs with odd
// cycles.
#include <gtest/gtest.h>

#include "kernels/planar/elimination/determinant.hpp"
#include "kernels/planar/passes/planar_passes.hpp"
#include "kernels/planar/passes/small_determinant.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"
#include "tests/kernels/planar/planar_passes_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::torus_passes_test {
namespace {

using testing::repeats;

using namespace testing_support;

TEST(TorusPasses, UsesAgainstEnumeration) {
  int compared = 0;
  for (const char* spec :
       {"torus:3x6", "torus:3x8", "torus:6x5", "honeycomb-torus:4x4", "triangular-torus:4x4",
        "torus:6x6:remove=r0c0+r0c1", "torus:3x6:weights=1,-1", "torus:6x5:weights=2,-3/2",
        "honeycomb-torus:4x4:weights=1,-2,1/3", "triangular-torus:4x4:weights=1,-1,2"}) {
    const Block<mpq_class> block = as_rational(lattice_block(spec));
    ASSERT_NO_FATAL_FAILURE(expect_uses(block, all_matchings(block), 0, compared)) << spec;
  }
  EXPECT_GE(compared, 9);
}

// Weights drawn at random, small and of either sign, so that sums cancel, some of them to 0.
TEST(TorusPasses, RandomWeightsAgainstEnumeration) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(24); ++seed) {
    Random random(seed);
    Block<mpq_class> block =
        as_rational(lattice_block(seed % 2 == 0 ? "honeycomb-torus:4x4" : "triangular-torus:4x4"));
    SparseMatrix<mpq_class>& matrix = block.matrix;
    std::map<std::pair<Index, Index>, mpq_class> values;
    for (Index i = 0; i < matrix.rows; ++i) {
      for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::size_t{1}]; ++k) {
        mpq_class value(1 + random.below(3), seed % 3 == 0 ? 1 + random.below(2) : 1);
        value.canonicalize();
        if (random.below(2) == 0) value = -value;
        const Index j = matrix.column[k];
        const auto edge = block.general ? std::pair(std::min(i, j), std::max(i, j)) : std::pair(i, j);
        matrix.value[k] = values.try_emplace(edge, value).first->second;
      }
    }
    ASSERT_NO_FATAL_FAILURE(expect_uses(block, all_matchings(block), seed, compared));
  }
  EXPECT_GT(compared, 0);
}

TEST(TorusPasses, UsesAgainstFrontier) {
  for (const char* spec :
       {"torus:6x8", "torus:8x8", "torus:7x6", "torus:6x6:weights=2,1/3", "torus:6x8:remove=r1c1+r3c4",
        "honeycomb-torus:6x7", "triangular-torus:6x6", "triangular-torus:5x6:weights=1,2,3"})
    ASSERT_NO_FATAL_FAILURE(expect_uses_of_frontier(lattice_block(spec), spec));
}

// Where a lattice has as many rows as columns all its edges are alike.
TEST(TorusPasses, LargeTori) {
  const StopSignal stop;
  for (const auto& [spec, degree] : {std::pair{"torus:24x24", 4}, std::pair{"honeycomb-torus:14x14", 3},
                                     std::pair{"triangular-torus:12x12", 6}}) {
    PlanarPasses passes(lattice_block(spec), {~std::uint64_t{0}, 2});
    const EdgeUses found = passes.edge_uses(stop);
    for (const mpz_class& use : found.uses) ASSERT_EQ(use * degree, passes.total(stop)) << spec;
  }
}

TEST(TorusDraws, ByChiSquare) {
  for (const char* spec : {"torus:3x6", "honeycomb-torus:4x4", "honeycomb-torus:4x4:weights=1,2,3",
                           "torus:3x6:weights=3,1", "honeycomb-torus:4x4:remove=r0c0a+r0c0b",
                           "triangular-torus:4x4", "triangular-torus:4x4:weights=1,3,1"}) {
    const Block<mpq_class> block = as_rational(lattice_block(spec));
    const Matchings matchings = all_matchings(block);
    for (const std::size_t small : {0, 4, 96}) expect_fair_draws(block, matchings, small, repeats(600), spec);
  }
}

TEST(TorusDraws, LargeLatticesAreMatched) {
  const StopSignal stop;
  for (const char* spec : {"torus:16x16", "honeycomb-torus:8x9", "triangular-torus:8x8", "torus:9x12"}) {
    const AnyBlock block = lattice_block(spec);
    PlanarPasses passes(block, {~std::uint64_t{0}, 2});
    const auto draws = passes.draw(3, 1, 0, 2, stop);
    ASSERT_EQ(draws.size(), 2U);
    EXPECT_NE(draws[0], draws[1]) << spec;
    // Draw number 1 is the same by itself, on one thread.
    PlanarPasses again(block, {});
    EXPECT_EQ(again.draw(3, 1, 1, 1, stop)[0], draws[1]) << spec;
    const auto& matrix = std::get<Block<std::int64_t>>(block).matrix;
    const bool general = is_general(block);
    for (const PairList& pairs : draws) {
      ASSERT_EQ(pairs.size(), matrix.rows / (general ? 2U : 1U));
      std::vector<int> used(matrix.rows, 0);
      for (const auto& [a, b] : pairs) {
        if (general) ++used[a];
        ++used[b];
        EXPECT_TRUE(std::binary_search(
            matrix.column.begin() + static_cast<std::ptrdiff_t>(matrix.row_start[a]),
            matrix.column.begin() + static_cast<std::ptrdiff_t>(matrix.row_start[a + std::size_t{1}]), b));
      }
      EXPECT_EQ(std::count(used.begin(), used.end(), 1), std::ssize(used)) << spec;
    }
  }
}

TEST(SmallDeterminants, AgainstTheirDefinition) {
  constexpr std::uint64_t prime = 1009;
  Random random(7);
  const std::function<std::uint64_t(const std::vector<std::uint64_t>&, std::size_t)> by_minors =
      [&](const std::vector<std::uint64_t>& matrix, std::size_t size) -> std::uint64_t {
    if (size == 0) return 1;
    std::uint64_t sum = 0;
    for (std::size_t j = 0; j < size; ++j) {
      std::vector<std::uint64_t> minor;
      for (std::size_t i = 1; i < size; ++i) {
        for (std::size_t l = 0; l < size; ++l) {
          if (l != j) minor.push_back(matrix[i * size + l]);
        }
      }
      const std::uint64_t term = matrix[j] * by_minors(minor, size - 1) % prime;
      sum = (sum + (j % 2 == 0 ? term : prime - term)) % prime;
    }
    return sum;
  };
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t size = random.below(6);
    std::vector<std::uint64_t> matrix(size * size);
    for (std::uint64_t& value : matrix) value = random.below(3) == 0 ? 0 : random.below(prime);
    ASSERT_EQ(planar::small_determinant(matrix, size, prime), by_minors(matrix, size));
    std::vector<std::uint64_t> skew(size * size, 0);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = i + 1; j < size; ++j) {
        skew[i * size + j] = matrix[i * size + j];
        skew[j * size + i] = (prime - matrix[i * size + j]) % prime;
      }
    }
    const std::uint64_t pfaffian = planar::small_pfaffian(skew, size, prime);
    ASSERT_EQ(pfaffian * pfaffian % prime, by_minors(skew, size));
    if (size == 4) {
      const auto at = [&](std::size_t i, std::size_t j) { return skew[i * 4 + j]; };
      ASSERT_EQ(pfaffian,
                (at(0, 1) * at(2, 3) + (prime - at(0, 2)) * at(1, 3) + at(0, 3) * at(1, 2)) % prime);
    }
  }
}

}  // namespace
}  // namespace countpm::torus_passes_test
