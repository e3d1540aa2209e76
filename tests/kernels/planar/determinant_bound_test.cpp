// The bound that planar offers is never below the count, and on lattices not far above it.
#include "kernels/planar/elimination/determinant_bound.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/arithmetic/big_float.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/planar/orientation/embedding.hpp"
#include "kernels/planar/planar.hpp"
#include "kernels/polynomial_method.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::repeats;

using namespace testing_support;

/// |integer| <= 2^bound, in exact numbers.
bool within(const mpq_class& integer, double bound) {
  BigFloat limit(mpfr_prec_t{4096});
  mpfr_set_d(limit.get(), bound, MPFR_RNDD);
  mpfr_exp2(limit.get(), limit.get(), MPFR_RNDU);
  return mpfr_cmp_q(limit.get(), mpq_class(abs(integer)).get_mpq_t()) >= 0;
}

double offered(const AnyBlock& block) {
  return prepare(planar_method(), block)->log2_bound(1);
}

double by_rows(const AnyBlock& block, unsigned near, int threads = 1) {
  planar::BlockGraph graph = planar::block_graph(block);
  planar::Orientation orientation =
      planar::kasteleyn_orientation(graph, planar::test_planarity(graph).embedding);
  return planar::log2_determinant_bound(
      planar::signed_matrix(block, std::move(graph), std::move(orientation)), near, threads);
}

/// Weights from 1e-400 to 1e400 by the side of small ones.
SparseMatrix<mpq_class> with_far_values(const SparsePattern& pattern, Random& random) {
  SparseMatrix<mpq_class> matrix = with_symmetric_values<mpq_class>(pattern, ValueKind::small_signed, random);
  mpz_class far;
  mpz_ui_pow_ui(far.get_mpz_t(), 10, 400);
  for (Index i = 0; i < matrix.rows; ++i) {
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
      // the same for (i, j) and (j, i)
      switch ((i + matrix.column[k]) % 5) {
        case 0:
          matrix.value[k] *= far;
          break;
        case 1:
          matrix.value[k] /= far;
          break;
        default:
          break;
      }
    }
  }
  return matrix;
}

TEST(DeterminantBound, NeverBelowTheCount) {
  constexpr ValueKind kinds[] = {ValueKind::ones, ValueKind::small_positive, ValueKind::small_signed,
                                 ValueKind::large};
  int nonzero = 0;
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(300); ++seed) {
    Random random(seed);
    const EdgeList graph = random_planar(2 * random.below(9), random);
    const EdgeList halves = between_halves(graph);
    const auto check = [&](const auto& matrix, bool general) {
      const AnyBlock block = general ? AnyBlock(general_block(matrix)) : AnyBlock(bipartite_block_of(matrix));
      const mpq_class count = hafnian(matrix);
      nonzero += count != 0 ? 1 : 0;
      ASSERT_TRUE(within(count * denominator(block), offered(block))) << "seed " << seed << "\n"
                                                                      << show(matrix);
      for (const unsigned near : {0U, 1U, 3U, 30U})
        ASSERT_TRUE(within(count, by_rows(block, near))) << "seed " << seed << ", " << near << "\n"
                                                         << show(matrix);
    };
    for (const bool general : {true, false}) {
      const EdgeList& edges = general ? graph : halves;
      const SparsePattern pattern = graph_of(edges.vertices, edges.edges);
      check(with_symmetric_values<std::int64_t>(pattern, kinds[seed % 4], random), general);
      check(with_symmetric_values<mpq_class>(pattern, ValueKind::large, random), general);
      check(with_far_values(pattern, random), general);
    }
  }
  EXPECT_GT(nonzero, repeats(300));
}

// Fitted by all rows before it, a row leaves its distance from them: then the bound is the determinant
// itself.
TEST(DeterminantBound, TightWhereEveryRowIsFittedByAll) {
  EXPECT_NEAR(by_rows(lattice_block("square:8x8"), 64), std::log2(12988816.0), 1e-9);
  EXPECT_NEAR(by_rows(lattice_block("hexagon:3x3x3"), 64), std::log2(980.0), 1e-9);
  EXPECT_NEAR(by_rows(lattice_block("aztec:5"), 64), 15, 1e-9);
  const AnyBlock strip = lattice_block("triangular:2x8");
  const mpq_class count = hafnian(std::get<Block<std::int64_t>>(strip).matrix);
  EXPECT_NEAR(by_rows(strip, 64), std::log2(count.get_d()), 1e-9);
}

TEST(DeterminantBound, OnLatticesWellBelowBregmanMinc) {
  for (const char* const spec :
       {"square:40x40", "honeycomb:20x20", "triangular:30x30", "square:40x40:weights=3,1/7"}) {
    const AnyBlock block = lattice_block(spec);
    EXPECT_LT(offered(block), 0.88 * log2_upper_bound(block)) << spec;
  }
}

TEST(DeterminantBound, SameOnThreads) {
  const AnyBlock block = lattice_block("square:200x200");
  EXPECT_EQ(by_rows(block, 4), by_rows(block, 4, 3));
}

TEST(DeterminantBound, OfWhatPlanarCannotCount) {
  EXPECT_EQ(offered(lattice_block("torus:4x4")), std::numeric_limits<double>::infinity());
  EXPECT_EQ(offered(Block<std::int64_t>{}), 0);
}

}  // namespace
}  // namespace countpm
