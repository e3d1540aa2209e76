// Squared determinants as samples: the elimination against exact determinants, the law of the samples against
// what is proven of it.
#include "kernels/estimate/determinants/samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "graph/errors.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "kernels/gpu/dense_elimination.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm::determinant_samples_test {
namespace {

const StopSignal never;

using Integers = std::vector<std::vector<mpz_class>>;

// |det| by Bareiss' elimination, which divides exactly.
mpz_class absolute_determinant(Integers a) {
  const std::size_t n = a.size();
  mpz_class before = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    while (pivot < n && a[pivot][k] == 0) ++pivot;
    if (pivot == n) return 0;
    std::swap(a[k], a[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      for (std::size_t j = k + 1; j < n; ++j) {
        a[i][j] = a[i][j] * a[k][k] - a[i][k] * a[k][j];
        mpz_divexact(a[i][j].get_mpz_t(), a[i][j].get_mpz_t(), before.get_mpz_t());
      }
    }
    before = a[k][k];
  }
  return abs(before);
}

template <unsigned D>
struct Dense {
  explicit Dense(std::uint32_t n) : values(std::size_t{n} * n * D), order(n), size(n) {
    std::iota(order.begin(), order.end(), 0U);
  }
  DenseMatrix<D> view() { return {values.data(), order.data(), size}; }
  double& at(std::uint32_t i, std::uint32_t j, unsigned c) { return view().row(i, c)[j]; }

  std::vector<double> values;
  std::vector<std::uint32_t> order;
  std::uint32_t size;
};

template <unsigned D>
Dense<D> random_dense(oracle::Random& random, std::uint32_t n) {
  Dense<D> dense(n);
  for (double& value : dense.values) value = static_cast<double>(oracle::uniform(random, -3, 3));
  return dense;
}

// log2 of what the elimination is to give, from the D n x D n integers that multiply by the entries.
template <unsigned D>
double exact_log2(Dense<D>& dense) {
  const std::uint32_t n = dense.size;
  Integers real(std::size_t{n} * D, std::vector<mpz_class>(std::size_t{n} * D));
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      double entry[D];
      for (unsigned c = 0; c < D; ++c) entry[c] = dense.at(i, j, c);
      const LeftFactor<D> factor(entry);
      for (unsigned c = 0; c < D; ++c)
        for (unsigned e = 0; e < D; ++e) real[i * D + c][j * D + e] = mpz_class(factor.by[c][e]);
    }
  }
  const mpz_class determinant = absolute_determinant(real);
  if (determinant == 0) return -std::numeric_limits<double>::infinity();
  signed long bits = 0;
  const double mantissa = mpz_get_d_2exp(&bits, determinant.get_mpz_t());
  return (std::log2(mantissa) + static_cast<double>(bits)) * 2 / D;
}

template <unsigned D>
double eliminated_log2(Dense<D> dense, std::uint32_t panel) {
  Scaled product;
  for (std::uint32_t first = 0; first < dense.size; first += panel) {
    const std::uint32_t end = std::min(first + panel, dense.size);
    if (!eliminate_panel(dense.view(), first, end, 1e-24, product, [] {}))
      return -std::numeric_limits<double>::infinity();
  }
  return product.log2();
}

template <unsigned D>
void expect_exact_determinants(std::uint32_t largest) {
  oracle::Random random(D);
  for (int round = 0; round < 60; ++round) {
    Dense<D> dense = random_dense<D>(random, static_cast<std::uint32_t>(oracle::uniform(random, 1, 7)));
    if (round % 3 == 0) dense.values.assign(dense.values.size(), 1.0);  // of rank 1
    const double exact = exact_log2(dense);
    if (std::isinf(exact)) {
      EXPECT_EQ(eliminated_log2(dense, panel_columns), exact);
    } else {
      EXPECT_NEAR(eliminated_log2(dense, panel_columns), exact, 1e-11);
      EXPECT_NEAR(eliminated_log2(dense, 2), exact, 1e-11);
    }
  }
  Dense<D> large = random_dense<D>(random, largest);
  EXPECT_NEAR(eliminated_log2(large, panel_columns), exact_log2(large), 1e-10);
  const Dense<D> larger = random_dense<D>(random, 2 * tile_columns / D + 50);
  EXPECT_NEAR(eliminated_log2(larger, panel_columns), eliminated_log2(larger, larger.size), 1e-9);
}

// A panel of quaternions takes some tenths of a second where nothing is optimised: the stop signal is looked
// at within.
TEST(DenseElimination, LooksAtTheSignalWithinAPanel) {
  oracle::Random random(7);
  Dense<4> dense = random_dense<4>(random, 200);
  Scaled product;
  std::uint64_t looks = 0;
  ASSERT_TRUE(eliminate_panel(dense.view(), 0, panel_columns, 1e-24, product, [&looks] { ++looks; }));
  EXPECT_GE(looks, 200U);
  struct Enough {};
  const auto stop_after = [](std::uint64_t left) {
    return [left]() mutable {
      if (left-- == 0) throw Enough();
    };
  };
  auto twice = stop_after(100);
  EXPECT_THROW(
      eliminate_panel(dense.view(), panel_columns, 2 * panel_columns, 1e-24, product, [&] { twice(); }),
      Enough);
}

TEST(DenseElimination, AgreesWithExactDeterminants) {
  expect_exact_determinants<1>(75);
  expect_exact_determinants<2>(45);
  expect_exact_determinants<4>(34);
}

// A unit's products: i j = k and so on, and absolute values that multiply.
TEST(DenseElimination, Quaternions) {
  const auto times = [](const double(&a)[4], const double(&b)[4]) {
    const LeftFactor<4> factor(a);
    std::vector<double> product(4, 0.0);
    for (unsigned c = 0; c < 4; ++c)
      for (unsigned e = 0; e < 4; ++e) product[c] += factor.by[c][e] * b[e];
    return product;
  };
  const double i[4] = {0, 1, 0, 0};
  const double j[4] = {0, 0, 1, 0};
  const double k[4] = {0, 0, 0, 1};
  EXPECT_EQ(times(i, j), (std::vector<double>{0, 0, 0, 1}));
  EXPECT_EQ(times(j, k), (std::vector<double>{0, 1, 0, 0}));
  EXPECT_EQ(times(k, i), (std::vector<double>{0, 0, 1, 0}));
  EXPECT_EQ(times(j, i), (std::vector<double>{0, 0, 0, -1}));
  for (const auto* unit : {&i, &j, &k}) EXPECT_EQ(times(*unit, *unit), (std::vector<double>{-1, 0, 0, 0}));
}

const std::vector<SamplerKind> determinants{SamplerKind::godsil_gutman, SamplerKind::godsil_gutman_complex,
                                            SamplerKind::godsil_gutman_quaternion};

SampleMoments moments_of(const AnyBlock& block, SamplerKind kind, std::uint64_t samples) {
  SamplerOptions options;
  options.kind = kind;
  return BlockSampler(block, options, 1, 0).run(0, samples, never);
}

// c cycles of 4 in a row: E[X^2] / E[X]^2 is 2^c, 1.5^c and 1.25^c.
TEST(DeterminantSamples, SecondMomentsAreThoseProven) {
  constexpr Index n = 6;
  const AnyBlock block = oracle::pattern_block(n, [](Index i, Index j) { return i / 2 == j / 2; });
  constexpr std::uint64_t samples = 40000;
  double ratio = 2;
  for (const SamplerKind kind : determinants) {
    const SampleMoments moments = moments_of(block, kind, samples);
    EXPECT_NEAR(std::exp2(moments.sum.log2()) / samples, 8, 4 * 8 * std::sqrt(std::pow(ratio, 3) / samples));
    EXPECT_NEAR(std::exp2(moments.squares.log2()) / samples / 64, std::pow(ratio, 3),
                0.05 * std::pow(ratio, 3))
        << sampler_info(kind).name;
    ratio = 1 + (ratio - 1) / 2;
  }
}

TEST(DeterminantSamples, FactorialsWithinTheirError) {
  for (const Index n : {1U, 2U, 30U, 70U}) {
    const AnyBlock ones = oracle::pattern_block(n, [](Index, Index) { return true; });
    for (const SamplerKind kind : determinants) {
      const SampledMean mean = sampled_mean(moments_of(ones, kind, testing::repeats(n > 40 ? 300 : 3000)));
      EXPECT_NEAR(mean.log_mean, std::lgamma(n + 1.0), 4 * std::sqrt(mean.variance) + 1e-12)
          << sampler_info(kind).name << ' ' << n;
    }
  }
}

TEST(DeterminantSamples, SingularMatricesGiveZeros) {
  // 21 rows with entries in 20 columns only: no perfect matching, whatever the rounding.
  const AnyBlock none = oracle::pattern_block(60, [](Index i, Index j) { return i > 20 || j < 20; });
  for (const SamplerKind kind : determinants)
    EXPECT_EQ(moments_of(none, kind, 30).nonzero, 0U) << sampler_info(kind).name;
}

TEST(DeterminantSamples, OnePerfectMatchingHasNoVariance) {
  const AnyBlock block = oracle::make_block<std::int64_t>(
      50, 50, [](Index i, Index j) { return j <= i && j + 3 > i ? std::int64_t{4} : std::int64_t{0}; });
  for (const SamplerKind kind : determinants) {
    const SampleMoments moments = moments_of(block, kind, 20);
    EXPECT_EQ(moments.nonzero, 20U);
    EXPECT_NEAR(moments.sum.log2(), 100 + std::log2(20), 1e-10) << sampler_info(kind).name;
    EXPECT_NEAR(moments.largest.log2(), 100, 1e-10);
  }
}

TEST(DeterminantSamples, CountsBeyondEveryDouble) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, 5000);
  const AnyBlock large = oracle::make_block<mpq_class>(
      24, 24, [&](Index i, Index j) { return j == i || j == (i + 1) % 24 ? mpq_class(power) : mpq_class(); });
  for (const SamplerKind kind : determinants) {
    const SampledMean mean = sampled_mean(moments_of(large, kind, 2000));
    EXPECT_NEAR(mean.log_mean, std::log(10.0) * 120000 + std::log(2.0), 4 * std::sqrt(mean.variance) + 1e-9);
  }
}

// Columns and rows whose weights differ by powers of two up to 2^280: balancing takes them out.
TEST(DeterminantSamples, UnevenWeightsAreBalanced) {
  const AnyBlock plain = oracle::pattern_block(8, [](Index i, Index j) { return (i + 2 * j) % 3 != 0; });
  const AnyBlock uneven = oracle::make_block<mpq_class>(8, 8, [](Index i, Index j) {
    if ((i + 2 * j) % 3 == 0) return mpq_class();
    return mpq_class(mpz_class(mpz_class(1) << (40 * (j % 8) + 30 * i)));
  });
  for (const SamplerKind kind : determinants) {
    const SampleMoments a = moments_of(plain, kind, 500);
    const SampleMoments b = moments_of(uneven, kind, 500);
    EXPECT_NEAR(b.sum.log2() - a.sum.log2(), 28 * 70, 1e-9) << sampler_info(kind).name;
    EXPECT_EQ(b.nonzero, a.nonzero);
  }
}

TEST(DeterminantSamples, WhatIsTooLargeOrTooUnevenIsRefused) {
  SamplerOptions options;
  options.kind = SamplerKind::godsil_gutman_complex;
  const AnyBlock large = oracle::pattern_block(1025, [](Index i, Index j) { return i == j; });
  EXPECT_THROW(BlockSampler(large, options, 1, 0), UnableError);
  // The one perfect matching is of entries that are tiny in their rows: factors would have to reach 2^17000.
  const AnyBlock chain = oracle::make_block<mpq_class>(60, 60, [](Index i, Index j) {
    if (j == i + 1) return mpq_class(1);
    return i == j ? mpq_class(1, mpz_class(mpz_class(1) << 290)) : mpq_class();
  });
  EXPECT_THROW(BlockSampler(chain, options, 1, 0), UnableError);
}

TEST(DeterminantSamples, StopsInsideASample) {
  const AnyBlock ones = oracle::pattern_block(100, [](Index, Index) { return true; });
  StopSignal stop;
  SamplerOptions options;
  options.kind = SamplerKind::godsil_gutman;
  const BlockSampler sampler(ones, options, 1, 0);
  stop.request();
  EXPECT_THROW(sampler.run(1, 1, stop), Stopped);
}

}  // namespace
}  // namespace countpm::determinant_samples_test
