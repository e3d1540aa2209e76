// Matrices and graphs of every rank, with rows, columns and vertices beside, in lanes and one by one.
#include "kernels/low_rank/low_rank.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "graph/errors.hpp"
#include "kernels/low_rank/block_shape.hpp"
#include "kernels/oracle/definition.hpp"
#include "kernels/ryser/ryser.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::low_rank_test {
namespace {

using namespace countpm::testing;

Arithmetic small_primes(unsigned count) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(count, {}, 29);
  return arithmetic;
}

/// Half of them in lanes.
Arithmetic arithmetic_of(Random& random) {
  const std::uint64_t kind = below(random, 4);
  if (kind == 0) return residues_modulo({3});
  if (kind == 1) return residues_modulo({first_prime, 10007});
  return small_primes(2);
}

Residues count_by_low_rank(const AnyBlock& block, const Arithmetic& arithmetic) {
  return run_residues(*low_rank_method().make_job(block, arithmetic, {}), arithmetic);
}
Residues count_by_definition(const AnyBlock& block, const Arithmetic& arithmetic) {
  return run_residues(*definition_method().make_job(block, arithmetic, {}), arithmetic);
}

template <class Value>
Residues expected_residues(const Block<Value>& block, const Arithmetic& arithmetic) {
  const mpq_class expected = permanent_by_states(block);
  return testing::residues_of(expected, arithmetic);
}

/// A sum of `rank` products, with `rows` and `columns` that are anything; some of its entries may be 0.
Block<std::int64_t> matrix_of_rank(Random& random, Index n, Index rank, Index rows, Index columns,
                                   bool several) {
  const std::vector<Index> multiplicity = random_multiplicity(random, n, !several);
  const auto width = static_cast<Index>(multiplicity.size());
  const auto entry = [&] { return static_cast<std::int64_t>(below(random, 7)) - 3; };
  std::vector<std::vector<std::int64_t>> value(n, std::vector<std::int64_t>(width, 0));
  for (Index a = 0; a < rank; ++a) {
    std::vector<std::int64_t> right(width);
    for (auto& one : right) one = entry();
    for (auto& row : value) {
      const std::int64_t left = entry();
      for (Index j = 0; j < width; ++j) row[j] += left * right[j];
    }
  }
  for (Index i = 0; i < std::min(rows, n); ++i) {
    for (auto& one : value[below(random, n)]) one = static_cast<std::int64_t>(random() >> 3);
  }
  for (Index j = 0; j < columns && width > 0; ++j) {
    const std::uint64_t column = below(random, width);
    for (auto& row : value) row[column] = entry();
  }
  Block<std::int64_t> block = dense_block(value, width);
  if (several) block.multiplicity = multiplicity;
  return block;
}

TEST(LowRank, PermanentsAgreeWithTheOracle) {
  Random random(20261129);
  for (int round = 0; round < repeats(3000); ++round) {
    const auto n = static_cast<Index>(below(random, 9));
    const auto block =
        matrix_of_rank(random, n, static_cast<Index>(below(random, 4)), static_cast<Index>(below(random, 3)),
                       static_cast<Index>(below(random, 3)), below(random, 2) == 0);
    const Arithmetic arithmetic = arithmetic_of(random);
    ASSERT_EQ(count_by_low_rank(block, arithmetic), expected_residues(block, arithmetic))
        << "round " << round << "\n"
        << text_of(block);
  }
}

TEST(LowRank, AnyMatrixAgreesWithTheOracle) {
  Random random(3);
  int counted = 0;
  for (int round = 0; round < repeats(2000); ++round) {
    const auto block = random_integers(random, static_cast<Index>(below(random, 9)), below(random, 2) == 0);
    const Arithmetic arithmetic = arithmetic_of(random);
    if (low_rank_method().obstacle(block, arithmetic)) continue;
    ++counted;
    ASSERT_EQ(count_by_low_rank(block, arithmetic), expected_residues(block, arithmetic))
        << "round " << round << "\n"
        << text_of(block);
  }
  EXPECT_GT(counted, repeats(1500));
}

TEST(LowRank, RationalsAgreeWithTheOracle) {
  Random random(5);
  const Arithmetic arithmetic = small_primes(3);
  for (int round = 0; round < repeats(300); ++round) {
    const auto n = static_cast<Index>(1 + below(random, 7));
    std::vector<std::vector<mpq_class>> value(n, std::vector<mpq_class>(n));
    for (int a = 0; a < 2; ++a) {
      std::vector<mpq_class> right(n);
      for (auto& one : right) one = random_rational(random);
      for (auto& row : value) {
        const mpq_class left = random_rational(random);
        for (Index j = 0; j < n; ++j) row[j] += left * right[j];
      }
    }
    const auto block = dense_block(value, n);
    if (low_rank_method().obstacle(block, arithmetic)) continue;
    ASSERT_EQ(count_by_low_rank(block, arithmetic), expected_residues(block, arithmetic))
        << "round " << round << "\n"
        << text_of(block);
  }
}

/// A graph of G D G^T beside the diagonal; vertices beside, weights of vertices that stay alone.
Block<std::int64_t> graph_of_rank(Random& random, Index n, Index rank, Index beside, bool monomers) {
  std::vector<std::vector<std::int64_t>> value(n, std::vector<std::int64_t>(n, 0));
  for (Index a = 0; a < rank; ++a) {
    const std::int64_t d = below(random, 2) == 0 ? 1 : -2;
    std::vector<std::int64_t> g(n);
    for (auto& one : g) one = static_cast<std::int64_t>(below(random, 7)) - 3;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) value[i][j] += d * g[i] * g[j];
    }
  }
  for (Index k = 0; k < beside && n > 0; ++k) {
    const std::uint64_t v = below(random, n);
    for (Index j = 0; j < n; ++j) value[v][j] = value[j][v] = static_cast<std::int64_t>(random() >> 3);
  }
  for (Index v = 0; v < n; ++v)
    value[v][v] = monomers && below(random, 3) != 0 ? static_cast<std::int64_t>(below(random, 9)) - 4 : 0;
  Block<std::int64_t> block = dense_block(value, n);
  block.general = true;
  block.monomers = monomers;
  return block;
}

TEST(LowRank, HafniansAgreeWithTheOracle) {
  Random random(7);
  for (int round = 0; round < repeats(1500); ++round) {
    const auto block =
        graph_of_rank(random, static_cast<Index>(below(random, 10)), static_cast<Index>(below(random, 4)),
                      static_cast<Index>(below(random, 3)), below(random, 2) == 0);
    const Arithmetic arithmetic = arithmetic_of(random);
    ASSERT_EQ(count_by_low_rank(block, arithmetic), count_by_definition(block, arithmetic))
        << "round " << round << "\n"
        << text_of(block);
  }
}

// The diagonal is not part of a graph: complete ones have rank 1 with ones there, complete tripartite ones
// rank 3 with zeros.
TEST(LowRank, ADiagonalIsFound) {
  const PrimeRing ring(first_prime);
  const auto rank = [&](Index n, const auto& joined) {
    std::vector<std::vector<std::int64_t>> value(n, std::vector<std::int64_t>(n, 0));
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) value[i][j] = i != j ? joined(i, j) : 0;
    }
    Block<std::int64_t> block = dense_block(value, n);
    block.general = true;
    const auto shape = low_rank::shape_of(ring, block);
    EXPECT_TRUE(shape && shape->rows_beside.empty());
    return shape ? shape->rank : 99;
  };
  EXPECT_EQ(rank(30, [](Index, Index) { return 1; }), 1U);
  EXPECT_EQ(rank(30, [](Index i, Index j) { return std::int64_t{i} + j + 1; }), 2U);
  EXPECT_EQ(rank(6, [](Index i, Index j) { return i / 2 != j / 2 ? 1 : 0; }), 3U);
  EXPECT_EQ(rank(12, [](Index i, Index j) { return i % 3 != j % 3 ? 1 : 0; }), 3U);
  // (i - j)^2: rank 3, and its own diagonal is 0.
  EXPECT_EQ(rank(20, [](Index i, Index j) { return (std::int64_t{i} - j) * (std::int64_t{i} - j); }), 3U);
}

TEST(LowRank, RowsAndColumnsBesideAreFound) {
  Random random(11);
  const auto block = matrix_of_rank(random, 30, 2, 0, 0, false);
  auto rows = std::vector<std::vector<std::int64_t>>(30, std::vector<std::int64_t>(30, 0));
  for (Index i = 0; i < 30; ++i) {
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + 1]; ++k)
      rows[i][block.matrix.column[k]] = block.matrix.value[k];
  }
  for (auto& one : rows[4]) one = static_cast<std::int64_t>(below(random, 100));
  for (auto& row : rows) row[17] = static_cast<std::int64_t>(below(random, 100));
  for (auto& row : rows) row[20] = static_cast<std::int64_t>(below(random, 100));
  const auto shape = low_rank::shape_of(PrimeRing(first_prime), dense_block(rows, 30));
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->rank, 2U);
  EXPECT_EQ(shape->rows_beside, std::vector<Index>{4});
  EXPECT_EQ(shape->columns_beside, (std::vector<Index>{17, 20}));
}

// per(x_i + y_j) = sum over k of k! (n - k)! e_k(x) e_(n - k)(y), by elementary symmetric polynomials.
TEST(LowRank, SumsOfTwoVectors) {
  Random random(13);
  for (const Index n : {1U, 2U, 40U, 150U}) {
    std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n));
    std::vector<mpz_class> of_x(n + 1), of_y(n + 1), factorial(n + 1);
    of_x[0] = of_y[0] = factorial[0] = 1;
    std::vector<long> x(n), y(n);
    for (Index i = 0; i < n; ++i) {
      x[i] = static_cast<long>(below(random, 1000)) - 300;
      y[i] = static_cast<long>(below(random, 1000)) - 300;
      for (Index k = n; k > 0; --k) {
        of_x[k] += of_x[k - 1] * x[i];
        of_y[k] += of_y[k - 1] * y[i];
      }
      factorial[i + 1] = factorial[i] * (i + 1);
    }
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) rows[i][j] = x[i] + y[j];
    }
    mpz_class expected = 0;
    for (Index k = 0; k <= n; ++k) expected += factorial[k] * factorial[n - k] * of_x[k] * of_y[n - k];
    const Arithmetic arithmetic = small_primes(60 + n);
    const AnyBlock block = dense_block(rows, n);
    ASSERT_FALSE(low_rank_method().obstacle(block, arithmetic));
    EXPECT_EQ(join_residues(count_by_low_rank(block, arithmetic), arithmetic.moduli, true), expected) << n;
  }
}

// haf(c_i c_j) = (n - 1)!! times the product of all c.
TEST(LowRank, ProductsOfTwoOfAVector) {
  const Index n = 200;
  std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n, 0));
  mpz_class expected = 1;
  for (Index i = 0; i < n; ++i) {
    expected *= (i % 7 + 1) * (i % 2 == 0 ? i + 1 : 1);
    for (Index j = 0; j < n; ++j) {
      if (i != j) rows[i][j] = std::int64_t{i % 7 + 1} * (j % 7 + 1);
    }
  }
  Block<std::int64_t> block = dense_block(rows, n);
  block.general = true;
  // (n - 1)!! = 1 3 5 ...: i + 1 for even i.
  const Arithmetic arithmetic = small_primes(120);
  ASSERT_FALSE(low_rank_method().obstacle(block, arithmetic));
  EXPECT_EQ(join_residues(count_by_low_rank(block, arithmetic), arithmetic.moduli, true), expected);
}

TEST(LowRank, LanesAndSingleNumbersAgree) {
  Random random(17);
  for (const Index n : {3U, 14U, 40U}) {
    for (Index rank = 1; rank <= 9; rank += n > 20 ? 3 : 1) {
      const Arithmetic arithmetic = small_primes(3);
      const auto block = matrix_of_rank(random, n, rank, n > 20 ? 2 : 1, 1, false);
      if (low_rank_method().obstacle(block, arithmetic)) continue;
      const auto job = low_rank_method().make_job(block, arithmetic, {});
      if (job->log2_work() > 22) continue;
      expect_units_again(*job, arithmetic);
      if (n != 14) continue;
      EXPECT_EQ(run_residues(*job, arithmetic),
                run_residues(*ryser_method().make_job(block, arithmetic, {}), arithmetic));
    }
  }
}

// Of rank 1 modulo the first primes that counts are made with, and of full rank modulo all others.
TEST(LowRank, PrimesOfACountDoNotFixTheShape) {
  Random random(29);
  const Arithmetic arithmetic = small_primes(4);
  const std::uint64_t product = arithmetic.moduli[0].prime * arithmetic.moduli[1].prime;
  for (const Index n : {8U, 36U, 60U}) {
    std::vector<std::int64_t> left(n), right(n);
    for (Index i = 0; i < n; ++i) {
      left[i] = static_cast<std::int64_t>(below(random, 9) + 1);
      right[i] = static_cast<std::int64_t>(below(random, 9) + 1);
    }
    std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n));
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j)
        rows[i][j] = left[i] * right[j] + static_cast<std::int64_t>(below(random, 10) * product);
    }
    const auto block = dense_block(rows, n);
    const auto why = low_rank_method().obstacle(block, arithmetic);
    EXPECT_EQ(why.has_value(), n > 8) << n;
    if (why) continue;
    EXPECT_GT(low_rank_method().make_job(block, arithmetic, {})->log2_work(), 12);
    EXPECT_EQ(count_by_low_rank(block, arithmetic), expected_residues(block, arithmetic));
  }
}

TEST(LowRank, RefusesWhatItCannotCount) {
  Random random(19);
  const auto refused = [](const AnyBlock& block, const Arithmetic& arithmetic) {
    const auto why = low_rank_method().obstacle(block, arithmetic);
    return why ? why->text : std::string();
  };
  const auto small = matrix_of_rank(random, 6, 2, 0, 0, false);
  EXPECT_NE(refused(small, wrap_around(64)).find("takes primes"), std::string::npos);
  EXPECT_NE(refused(small, {Arithmetic::Kind::floating, {}, Precision::kahan, 0}).find("rounded"),
            std::string::npos);
  EXPECT_NE(refused(random_pattern(random, 300, 0.5), small_primes(1)).find("rank is above"),
            std::string::npos);
  EXPECT_NE(refused(matrix_of_rank(random, 400, 30, 0, 0, false), small_primes(1)).find("rank is 30"),
            std::string::npos);
  Block<std::int64_t> identity;
  identity.matrix.rows = identity.matrix.columns = 900;
  for (Index i = 0; i < 900; ++i) {
    identity.matrix.column.push_back(i);
    identity.matrix.value.push_back(1);
    identity.matrix.row_start.push_back(i + 1);
  }
  EXPECT_NE(refused(identity, small_primes(1)).find("rank is above"), std::string::npos);
}

// A unit that is stopped ends at once, and a rate is measured in about the time that it is given.
TEST(LowRank, ObeysStopSignal) {
  Random random(23);
  const Arithmetic arithmetic = small_primes(1);
  const auto block = matrix_of_rank(random, 300, 5, 0, 0, false);
  const auto job = low_rank_method().make_job(block, arithmetic, {});
  EXPECT_GT(job->measured_rate(0.01), 1e6);
  StopSignal stop;
  stop.request();
  EXPECT_THROW(job->run(0, stop), Stopped);
}

}  // namespace
}  // namespace countpm::low_rank_test
