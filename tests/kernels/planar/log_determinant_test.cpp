// ln |det| and ln |Pf| in doubles against exact counts, and within the error that they tell.
#include "kernels/planar/log/log_determinant.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "graph/errors.hpp"
#include "kernels/planar/log/cholesky.hpp"
#include "kernels/planar/orientation/embedding.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"

namespace countpm {
namespace {

using namespace testing_support;

planar::LogDeterminant log_of(const AnyBlock& block, const planar::LogDeterminantLimits& limits = {}) {
  planar::BlockGraph graph = planar::block_graph(block);
  planar::Orientation orientation =
      planar::kasteleyn_orientation(graph, planar::test_planarity(graph).embedding);
  const StopSignal stop;
  return planar::log_determinant(planar::signed_matrix(block, std::move(graph), std::move(orientation)),
                                 limits, stop);
}

double ln_of(const mpz_class& value) {
  long exponent = 0;
  const double mantissa = std::abs(mpz_get_d_2exp(&exponent, value.get_mpz_t()));
  return std::log(mantissa) + static_cast<double>(exponent) * std::numbers::ln2;
}
double ln_of(const mpq_class& value) {
  return ln_of(mpz_class(value.get_num())) - ln_of(mpz_class(value.get_den()));
}

TEST(LogDeterminant, RandomGraphsAgainstExactCounts) {
  int counted = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const EdgeList graph = random_planar(2 * (1 + random.below(8)), random);
    for (const bool general : {true, false}) {
      const EdgeList edges = general ? graph : between_halves(graph);
      const SparsePattern pattern = graph_of(edges.vertices, edges.edges);
      const auto check = [&](const auto& matrix) {
        const mpq_class expected = hafnian(matrix);
        if (expected == 0) return;  // log_determinant() is not asked there
        ++counted;
        const AnyBlock block =
            general ? AnyBlock(general_block(matrix)) : AnyBlock(bipartite_block_of(matrix));
        const planar::LogDeterminant log = log_of(block);
        ASSERT_LE(std::abs(log.ln - ln_of(expected)), log.error + 1e-14) << "seed " << seed << "\n"
                                                                         << show(matrix);
        ASSERT_LT(log.error, 1e-8) << "seed " << seed << "\n" << show(matrix);
      };
      check(with_symmetric_values<std::int64_t>(pattern, ValueKind::ones, random));
      check(with_symmetric_values<std::int64_t>(pattern, ValueKind::small_positive, random));
    }
  }
  EXPECT_GT(counted, 200);
}

TEST(LogDeterminant, WeightsFarApart) {
  // Aztec diamonds with weights a, b: (a^2 + b^2)^(n (n + 1) / 2)
  const planar::LogDeterminant log = log_of(lattice_block("aztec:6:weights=1000000000000,1/1000"));
  EXPECT_NEAR(log.ln, 21 * std::log(1e24), std::max(log.error, 1e-9));
}

TEST(LogDeterminant, KnownLattices) {
  for (const int threads : {1, 2}) {
    const planar::LogDeterminant board = log_of(lattice_block("square:8x8"), {threads});
    EXPECT_NEAR(board.ln, std::log(12988816.0), 1e-12);
    EXPECT_LE(std::abs(board.ln - std::log(12988816.0)), board.error);
    EXPECT_NEAR(log_of(lattice_block("aztec:8"), {threads}).ln, 36 * std::numbers::ln2, 1e-10);
  }
}

// The corners of Aztec diamonds are frozen, which makes K^-1 grow exponentially: doubles are not enough, and
// more digits are taken.
TEST(LogDeterminant, MoreDigitsWhereDoublesDoNotDo) {
  for (const int n : {10, 14, 18, 22, 30, 40}) {
    const planar::LogDeterminant log = log_of(lattice_block("aztec:" + std::to_string(n)));
    const int twos = n * (n + 1) / 2;
    EXPECT_LE(std::abs(log.ln - twos * std::numbers::ln2), log.error) << n;
    EXPECT_LT(log.error, 1e-7) << n;
  }
}

TEST(LogDeterminant, TheSameForAnyNumberOfThreads) {
  const AnyBlock block = lattice_block("triangular:20x21");
  EXPECT_EQ(log_of(block, {1}).ln, log_of(block, {2}).ln);
  EXPECT_EQ(log_of(block, {1}).error, log_of(block, {2}).error);
}

// Weights of both signs that cancel, an odd number of vertices: the determinant is 0.
TEST(LogDeterminant, NothingCertainOfZero) {
  SparseMatrix<std::int64_t> matrix;
  matrix.rows = matrix.columns = 2;
  matrix.row_start = {0, 2, 4};
  matrix.column = {0, 1, 0, 1};
  matrix.value = {1, -1, 1, 1};
  EXPECT_TRUE(std::isinf(log_of(AnyBlock(Block<std::int64_t>{matrix, {}, false})).error));
}

TEST(LogDeterminant, MemoryThatDoesNotSuffice) {
  EXPECT_THROW(log_of(lattice_block("square:40x40"), {1, 1000}), UnableError);
}

// A random L with a positive diagonal: eliminating L L^T gives L's squared diagonal back.
TEST(Cholesky, FrontsOfAllSizes) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> entry(-1, 1);
  for (const std::size_t size : {1U, 2U, 7U, 8U, 47U, 48U, 49U, 97U, 300U}) {
    for (const std::size_t pivots : {std::size_t{1}, size / 2 + 1, size}) {
      std::vector<std::vector<double>> factor(size, std::vector<double>(size, 0));
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < i; ++j) factor[i][j] = entry(random) / static_cast<double>(size);
        factor[i][i] = 1 + entry(random) / 2;
      }
      const auto product = [&](std::size_t i, std::size_t j, std::size_t from) {
        double sum = 0;
        for (std::size_t t = from; t <= j; ++t) sum += factor[i][t] * factor[j][t];
        return sum;
      };
      planar::LowerFront front;
      front.size = size;
      front.value.assign(size * size, 0);
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j <= i; ++j) front.row(i)[j] = product(i, j, 0);
      }
      std::vector<double> pivot(pivots);
      ASSERT_TRUE(planar::eliminate_lower_front(front, pivots, pivot.data()));
      for (std::size_t k = 0; k < pivots; ++k) ASSERT_NEAR(pivot[k], factor[k][k] * factor[k][k], 1e-12);
      for (std::size_t i = pivots; i < size; ++i) {
        for (std::size_t j = pivots; j <= i; ++j) ASSERT_NEAR(front.row(i)[j], product(i, j, pivots), 1e-12);
      }
    }
  }
}

TEST(Cholesky, NoPositivePivot) {
  planar::LowerFront front;
  front.size = 2;
  front.value = {1, 0, 2, 4};  // the Schur complement is 0
  double pivot[2];
  EXPECT_FALSE(planar::eliminate_lower_front(front, 2, pivot));
}

}  // namespace
}  // namespace countpm
