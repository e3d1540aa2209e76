// The bound nests in exact arithmetic, as the doubles stand, and bounds the permanent.
#include <gtest/gtest.h>

#include <cmath>

#include "graph/errors.hpp"
#include "kernels/estimate/certified_bounds.hpp"
#include "kernels/estimate/nesting_bound.hpp"
#include "oracle.hpp"

namespace countpm {
namespace {

mpq_class potential_product(const NestingBound& bound, std::uint32_t step, std::uint64_t rows) {
  mpq_class product = 1;
  for (std::uint32_t i = 0; i < bound.size(); ++i) {
    if ((rows >> i & 1) != 0) product *= mpq_class(bound.potential(step, i));
  }
  return product;
}

/// Every step, from every set of rows: more than a trial can come to.
void expect_nesting(const AnyBlock& block, std::uint64_t seed) {
  const NestingBound bound(make_sample_matrix(block));
  const std::uint32_t n = bound.size();
  for (std::uint32_t step = 0; step < n; ++step) {
    for (std::uint64_t rows = 1; rows < std::uint64_t{1} << n; ++rows) {
      mpq_class after = 0;
      for (std::uint32_t i = 0; i < n; ++i) {
        if ((rows >> i & 1) == 0 || bound.entry(step, i) == 0) continue;
        after += mpq_class(bound.entry(step, i)) *
                 potential_product(bound, step + 1, rows ^ std::uint64_t{1} << i);
      }
      ASSERT_LE(after, potential_product(bound, step, rows))
          << "seed " << seed << " step " << step << " rows " << rows << '\n'
          << oracle::show(block);
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) EXPECT_EQ(bound.potential(n, i), 0);
}

/// An entry of the widths of integers: 1, a million, or something between.
AnyBlock wide_block(oracle::Random& random, Index n) {
  return oracle::make_block<std::int64_t>(n, n, [&](Index i, Index j) -> std::int64_t {
    if (i != j && oracle::uniform(random, 0, 2) == 0) return 0;
    const std::int64_t kind = oracle::uniform(random, 0, 2);
    return kind == 0 ? 1 : kind == 1 ? 1000000 : oracle::uniform(random, 2, 999);
  });
}

TEST(NestingBound, NestsForEverySetOfRows) {
  oracle::Random random(11);
  for (std::uint64_t round = 0; round < 60; ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 2, 7));
    const double density = static_cast<double>(oracle::uniform(random, 3, 10)) / 10;
    expect_nesting(oracle::random_block<std::int64_t>(random, n, density, 1, 1), round);
    expect_nesting(oracle::random_block<mpq_class>(random, n, density, 1, 40), round);
    expect_nesting(wide_block(random, n), round);
  }
}

TEST(NestingBound, IsAboveThePermanentAndNeverBelowItsTransposes) {
  oracle::Random random(12);
  for (std::uint64_t round = 0; round < 200; ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 1, 7));
    const AnyBlock block = round % 2 == 0 ? AnyBlock(oracle::random_block<std::int64_t>(random, n, 0.6, 1, 1))
                                          : wide_block(random, n);
    const mpq_class exact = oracle::permanent(block).re;
    const SampleMatrix matrix = make_sample_matrix(block);
    const NestingBound bound(matrix);
    if (exact == 0) continue;
    const double log2_upper = bound.log2_upper() + static_cast<double>(matrix.exponent);
    EXPECT_GE(log2_upper, std::log2(exact.get_d())) << "round " << round << '\n' << oracle::show(block);
  }
}

// All of one: U / n! is the bound's loss, below Huber and Law's h(n)^n / n!.
TEST(NestingBound, IsSharperThanHuberAndLaw) {
  for (const Index n : {5U, 20U, 100U}) {
    const AnyBlock ones = oracle::pattern_block(n, [](Index, Index) { return true; });
    const NestingBound bound(make_sample_matrix(ones));
    const double h = (n + 0.5 * std::log(n) + std::exp(1.0) - 1) / std::exp(1.0);
    const double loss = bound.log2_upper() - std::lgamma(n + 1.0) / std::log(2.0);
    EXPECT_GE(loss, 0);
    EXPECT_LE(loss, n * std::log2(h) - std::lgamma(n + 1.0) / std::log(2.0) + 1e-9) << n;
  }
}

TEST(NestingBound, RefusesWhatIsTooLarge) {
  const AnyBlock diagonal =
      oracle::pattern_block(NestingBound::most_rows + 1, [](Index i, Index j) { return i == j; });
  const SampleMatrix matrix = make_sample_matrix(diagonal);
  EXPECT_THROW(NestingBound{matrix}, UnableError);
}

}  // namespace
}  // namespace countpm
