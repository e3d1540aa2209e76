// Bounds that hold for certain, and how near they come where that is known.
#include "kernels/estimate/bounds/certified_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/estimate/bethe/marginals.hpp"
#include "matching/structure.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::repeats;

template <class Value>
bool irreducible(const Block<Value>& block) {
  const Structure structure = analyse(static_cast<const SparsePattern&>(expanded(block).matrix));
  return !structure.violator && structure.decomposition.blocks == 1;
}

template <class Value>
void expect_between(const Block<Value>& block, int& by_bethe) {
  if (!irreducible(block)) return;
  const mpq_class exact = oracle::permanent(block).re;
  const double log2 = std::log2(exact.get_d());
  const CertifiedBounds bounds = certified_bounds(block);
  EXPECT_LE(bounds.log2_lower, log2 + 1e-12) << bounds.lower_by << '\n' << oracle::show(block);
  EXPECT_GE(bounds.log2_upper, log2 - 1e-12) << bounds.upper_by << '\n' << oracle::show(block);
  if (bounds.lower_by != std::string("integer")) ++by_bethe;
}

TEST(CertifiedBounds, HoldForRandomMatrices) {
  oracle::Random random(1);
  int by_bethe = 0;
  for (int round = 0; round < repeats(600); ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 2, 7));
    const double density = static_cast<double>(oracle::uniform(random, 3, 10)) / 10;
    expect_between(oracle::random_block<std::int64_t>(random, n, density, 1, 1), by_bethe);
    expect_between(oracle::random_block<std::int64_t>(random, n, density, 1, 50), by_bethe);
    expect_between(oracle::random_block_with_classes<std::int64_t>(random, n, density, 1, 3), by_bethe);
    expect_between(oracle::random_block<mpq_class>(random, n, density, 1, 30), by_bethe);
  }
  EXPECT_GT(by_bethe, repeats(300));
}

TEST(CertifiedBounds, GurvitsIsTightForAllOnes) {
  for (const Index n : {2U, 10U, 60U}) {
    const CertifiedBounds bounds =
        certified_bounds(oracle::pattern_block(n, [](Index, Index) { return true; }));
    const double truth = std::lgamma(n + 1.0) / std::log(2.0);
    EXPECT_NEAR(bounds.log2_lower, truth, 1e-9 * truth) << n;
    EXPECT_STREQ(bounds.lower_by, n == 2 ? bounds.lower_by : "Gurvits");
    EXPECT_NEAR(bounds.log2_upper, truth, 1e-9 * truth) << n;
  }
}

// d-regular: Bethe is n ((d-1) log (d-1) - (d-2) log d); here by the circulant 1 + x + x^3 of 101 rows.
TEST(CertifiedBounds, BetheOfRegularMatrices) {
  constexpr Index n = 101;
  const CertifiedBounds bounds = certified_bounds(oracle::pattern_block(n, [](Index i, Index j) {
    return (j + n - i) % n == 0 || (j + n - i) % n == 1 || (j + n - i) % n == 3;
  }));
  EXPECT_GE(bounds.log2_lower, n * (2 - std::log2(3.0)) - 1e-6);  // Gurvits is a little better here
  EXPECT_LE(bounds.log2_lower, n * (2 - std::log2(3.0)) + 2);
  EXPECT_NEAR(bounds.log2_upper, n * std::log2(6.0) / 3, 1e-6);
}

// One term is nearly all.
TEST(CertifiedBounds, UnevenWeights) {
  constexpr Index n = 30;
  const AnyBlock block = oracle::make_block<std::int64_t>(n, n, [](Index i, Index j) {
    return j == i             ? std::int64_t{1}
           : j == (i + 1) % n ? std::int64_t{1000}
           : j == (i + 2) % n ? std::int64_t{30}
                              : 0;
  });
  const CertifiedBounds bounds = certified_bounds(block);
  const double main = n * std::log2(1000.0);  // one of the terms
  EXPECT_GE(bounds.log2_upper, main);
  EXPECT_GT(bounds.log2_lower, main - 1);
}

TEST(CertifiedBounds, OfOneEntryAndOfRationals) {
  const AnyBlock one = oracle::make_block<std::int64_t>(1, 1, [](Index, Index) { return std::int64_t{7}; });
  EXPECT_NEAR(certified_bounds(one).log2_lower, std::log2(7), 1e-12);
  EXPECT_NEAR(certified_bounds(one).log2_upper, std::log2(7), 1e-12);
  const AnyBlock small = oracle::make_block<mpq_class>(2, 2, [](Index, Index) { return mpq_class(1, 1000); });
  EXPECT_NEAR(certified_bounds(small).log2_upper, std::log2(2e-6), 1e-9);
  EXPECT_NEAR(certified_bounds(small).log2_lower, std::log2(2e-6), 1e-9);
}

// Weights of a row beyond the range that doubles work in: the bounds that need no doubles remain.
TEST(CertifiedBounds, OfWeightsTooFarApart) {
  const mpz_class huge = mpz_class(1) << 400;
  const AnyBlock block = oracle::make_block<mpq_class>(
      2, 2, [&](Index i, Index j) { return i == j ? mpq_class(huge) : mpq_class(1); });
  const CertifiedBounds bounds = certified_bounds(block);
  EXPECT_EQ(bounds.log2_lower, 0);
  EXPECT_GE(bounds.log2_upper, 800);
  EXPECT_LE(bounds.log2_upper, 801);
}

TEST(BetheMarginals, AreExactlyDoublyStochastic) {
  oracle::Random random(2);
  int found = 0;
  for (int round = 0; round < 200; ++round) {
    const auto block = oracle::random_block<std::int64_t>(random, 12, 0.4, 1, 9);
    if (!irreducible(block)) continue;
    const auto marginal = bethe_marginals(make_sample_matrix(block));
    if (!marginal) continue;
    ++found;
    std::vector<std::int64_t> column(12, 0);
    for (Index i = 0; i < 12; ++i) {
      std::int64_t row = 0;
      for (auto k = block.matrix.row_start[i]; k < block.matrix.row_start[i + 1]; ++k) {
        EXPECT_GE((*marginal)[k], 0);
        row += (*marginal)[k];
        column[block.matrix.column[k]] += (*marginal)[k];
      }
      EXPECT_EQ(row, marginal_one);
    }
    for (const std::int64_t sum : column) EXPECT_EQ(sum, marginal_one);
  }
  EXPECT_GT(found, 50);
}

}  // namespace
}  // namespace countpm
