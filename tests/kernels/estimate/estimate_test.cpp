// Samplers: unbiased against exact permanents, the same for every cut into batches, and exact where they must
// be.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "graph/errors.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::repeats;

const StopSignal never;

/// The samplers that walk.
std::vector<SamplerInfo> walks() {
  std::vector<SamplerInfo> all;
  for (const SamplerInfo& info : samplers()) {
    if (info.walks) all.push_back(info);
  }
  return all;
}

/// Every sampler with and without pruning and exact tails, or with populations of several sizes; and the
/// choice among samplers left open.
std::vector<SamplerOptions> all_options() {
  std::vector<SamplerOptions> all(1);
  for (const std::uint32_t members : {1U, 2U, 5U}) {
    SamplerOptions options;
    options.kind = SamplerKind::population;
    options.population = members;
    all.push_back(options);
  }
  for (const SamplerInfo& info : samplers()) {
    if (info.kind == SamplerKind::population) continue;
    for (const bool prune : {false, true}) {
      for (const std::uint32_t tail : {0U, 3U}) {
        if (!info.walks || (prune && !can_prune(info.kind))) continue;
        SamplerOptions options;
        options.kind = info.kind;
        if (can_prune(info.kind)) options.prune = prune;
        options.tail_rows = tail;
        all.push_back(options);
      }
    }
    SamplerOptions automatic;
    automatic.kind = info.kind;
    all.push_back(automatic);
    automatic.tail_rows = 0;
    automatic.strata = 5;
    if (info.walks) all.push_back(automatic);
  }
  return all;
}

std::string show(const SamplerOptions& options) {
  return std::string(options.kind ? sampler_info(*options.kind).name : "auto") +
         (options.population ? ' ' + std::to_string(*options.population) : "") +
         (options.prune.value_or(false) ? " pruned" : "") + " tail " +
         (options.tail_rows ? std::to_string(*options.tail_rows) : "auto") +
         (options.strata > 1 ? " strata " + std::to_string(*options.strata) : "");
}

/// The mean within 4 standard errors of the exact value; exactly 0 where that is 0.
void expect_unbiased(const AnyBlock& block, const SamplerOptions& options, std::uint64_t seed,
                     std::uint64_t samples) {
  const double exact = oracle::permanent(block).re.get_d();
  const SampleMoments moments = BlockSampler(block, options, seed, 0).run(0, samples, never);
  EXPECT_EQ(moments.samples, samples);
  if (exact == 0) {
    EXPECT_EQ(moments.nonzero, 0U) << show(options) << '\n' << oracle::show(block);
    return;
  }
  ASSERT_GT(moments.nonzero, 0U) << show(options) << " seed " << seed << '\n' << oracle::show(block);
  const double n = static_cast<double>(samples);
  const double mean = std::exp2(moments.sum.log2()) / n;
  const double variance = std::exp2(moments.squares.log2()) / n - mean * mean;
  const double error = std::sqrt(std::max(variance, 0.0) / n);
  // Where a branch takes nearly a whole number of a group's walks, groups that differ may be too rare to be
  // drawn.
  const double unseen = options.strata > 1 ? 4 * exact / n
                        // Choices that states say are worth nothing have 2^-14 of a walk.
                        : options.kind == SamplerKind::boundary ? 1e-4 * exact
                                                                : 0;
  EXPECT_NEAR(mean, exact, 4 * error + unseen + 1e-12 * exact) << show(options) << " seed " << seed << '\n'
                                                               << oracle::show(block);
}

void expect_unbiased_on_matrices(std::uint64_t matrices) {
  oracle::Random random(1);
  const std::vector<SamplerOptions> options = all_options();
  for (std::uint64_t round = 0; round < matrices; ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 1, 6));
    const double density = static_cast<double>(oracle::uniform(random, 4, 10)) / 10;
    AnyBlock block = oracle::random_block<std::int64_t>(random, n, density, 1, 1);
    if (round % 3 == 1) block = oracle::random_block_with_classes<std::int64_t>(random, n, density, 1, 9);
    if (round % 3 == 2) block = oracle::random_block<mpq_class>(random, n, density, 1, 40);
    for (const SamplerOptions& one : options) expect_unbiased(block, one, round + 1, 1500);
  }
}

TEST(Samplers, UnbiasedOnRandomMatrices) {
  expect_unbiased_on_matrices(repeats(60));
}
TEST(LongSamplers, UnbiasedOnRandomMatrices) {
  expect_unbiased_on_matrices(repeats(300));
}

TEST(Samplers, UnbiasedWithRareScaling) {
  oracle::Random random(2);
  for (std::uint64_t round = 0; round < repeats<std::uint64_t>(20); ++round) {
    const AnyBlock block = oracle::random_block<std::int64_t>(random, 6, 0.6, 1, 5);
    for (const auto& [interval, steps] : {std::pair{2U, 1U}, std::pair{3U, 5U}, std::pair{100U, 2U}}) {
      for (const SamplerKind kind : {SamplerKind::scaling, SamplerKind::scaling_plus}) {
        SamplerOptions options;
        options.kind = kind;
        options.scale_interval = interval;
        options.scale_steps = steps;
        options.prune = round % 2 == 0;
        options.tail_rows = 0;
        expect_unbiased(block, options, round + 7, 4000);
      }
    }
  }
}

// 80 rows go through two words, 150 through lists: a direct sum of small blocks has a known permanent.
TEST(Samplers, UnbiasedOnEveryPath) {
  for (const Index n : {80U, 150U}) {
    const AnyBlock block = oracle::pattern_block(n, [n](Index i, Index j) {
      return i == j || (i % 10 == 0 && j == i + 1 && j < n) || (j % 10 == 0 && i == j + 1 && i < n);
    });
    const double exact = std::pow(2, n / 10);
    for (const SamplerInfo& info : walks()) {
      SamplerOptions options;
      options.kind = info.kind;
      options.prune = false;
      options.tail_rows = 0;
      const SampleMoments moments = BlockSampler(block, options, 3, 0).run(0, repeats(4000), never);
      const SampledMean mean = sampled_mean(moments);
      EXPECT_NEAR(mean.log_mean, std::log(exact), 4 * std::sqrt(mean.variance) + 1e-9)
          << info.name << ' ' << n;
    }
  }
}

// With many walks in a group, some strata are met by several of them, others by none.
TEST(Samplers, UnbiasedWithStrata) {
  oracle::Random random(8);
  for (std::uint64_t round = 0; round < repeats<std::uint64_t>(60); ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 2, 7));
    const AnyBlock block = oracle::random_block<std::int64_t>(random, n, 0.6, 1, round % 2 == 0 ? 1 : 9);
    for (const SamplerInfo& info : walks()) {
      for (const std::uint32_t strata : {2U, 7U, 64U}) {
        SamplerOptions options;
        options.kind = info.kind;
        options.prune = round % 3 == 0;
        options.tail_rows = 0;
        options.strata = strata;
        expect_unbiased(block, options, round + 1, 4000 / strata);
      }
    }
  }
}

// Two columns of weights 1 and 3 for the first row, then no choice: 64 walks meet both in proportion.
TEST(Samplers, StrataTakeTheVarianceOfTheFirstChoices) {
  const AnyBlock block = oracle::make_block<std::int64_t>(3, 3, [](Index i, Index j) {
    return i == 0 ? std::int64_t{j == 0 ? 1 : 3} : j <= i ? std::int64_t{1} : std::int64_t{j};
  });
  for (const bool prune : {false, true}) {
    SamplerOptions options;
    options.kind = SamplerKind::rasmussen;
    options.prune = prune;
    options.tail_rows = 0;
    const auto variance = [&](std::uint32_t strata, std::uint64_t samples) {
      options.strata = strata;
      const SampleMoments moments = BlockSampler(block, options, 1, 0).run(0, samples, never);
      const double n = static_cast<double>(samples);
      const double mean = std::exp2(moments.sum.log2()) / n;
      return std::exp2(moments.squares.log2()) / n / (mean * mean) - 1;
    };
    EXPECT_LT(variance(64, 300) * 64, 0.2 * variance(1, 20000));
  }
}

TEST(Samplers, BatchesAddUpToTheSameBits) {
  oracle::Random random(3);
  const AnyBlock block = oracle::random_block<std::int64_t>(random, 12, 0.5, 1, 7);
  for (const SamplerOptions& options : all_options()) {
    if (!options.tail_rows && !options.population && (!options.kind || sampler_info(*options.kind).walks))
      continue;  // 12 rows may be one tail: no chance is left, and every seed says the same
    const BlockSampler sampler(block, options, 5, 2);
    const SampleMoments whole = sampler.run(0, 80, never);
    for (const std::uint64_t cut : {1U, 37U, 79U}) {
      if (testing::sanitized && cut != 37) continue;
      SampleMoments parts = sampler.run(cut, 80 - cut, never);
      parts.join(sampler.run(0, cut, never));
      EXPECT_TRUE(parts.sum == whole.sum) << show(options);
      EXPECT_TRUE(parts.squares == whole.squares) << show(options);
      EXPECT_TRUE(parts.cubes == whole.cubes) << show(options);
      EXPECT_EQ(parts.samples, whole.samples);
      EXPECT_EQ(parts.nonzero, whole.nonzero);
      EXPECT_EQ(parts.histogram, whole.histogram);
      EXPECT_EQ(parts.largest.log2(), whole.largest.log2());
    }
    EXPECT_FALSE(BlockSampler(block, options, 6, 2).run(0, 80, never).sum == whole.sum) << "another seed";
    EXPECT_FALSE(BlockSampler(block, options, 5, 3).run(0, 80, never).sum == whole.sum) << "another block";
  }
}

TEST(Samplers, FullMatricesHaveNoVariance) {
  const AnyBlock ones = oracle::pattern_block(60, [](Index, Index) { return true; });
  for (const SamplerInfo& info : walks()) {
    SamplerOptions options;
    options.kind = info.kind;
    options.tail_rows = 0;
    const SampleMoments moments = BlockSampler(ones, options, 1, 0).run(0, 20, never);
    // Messages stop a little before they are even.
    const double error = info.kind == SamplerKind::bethe ? 0.2 : 1e-9;
    EXPECT_NEAR(moments.sum.log2() - std::log2(20), std::lgamma(61) / std::log(2.0), error) << info.name;
    EXPECT_NEAR(moments.largest.log2(), std::lgamma(61) / std::log(2.0), error) << info.name;
  }
}

TEST(Samplers, TriangularMatricesCountOneByLeastDegree) {
  const AnyBlock block = oracle::pattern_block(70, [](Index i, Index j) { return j <= i; });
  for (const SamplerKind kind : {SamplerKind::rasmussen_plus, SamplerKind::scaling_plus}) {
    SamplerOptions options;
    options.kind = kind;
    options.prune = false;
    options.tail_rows = 0;
    const SampleMoments moments = BlockSampler(block, options, 1, 0).run(0, 10, never);
    EXPECT_EQ(moments.nonzero, 10U);
    EXPECT_EQ(moments.sum.log2(), std::log2(10.0));
  }
  // In order from the last row up rasmussen meets dead ends; pruned it has no choice.
  const AnyBlock reversed = oracle::pattern_block(12, [](Index i, Index j) { return j <= 11 - i; });
  SamplerOptions options;
  options.kind = SamplerKind::rasmussen;
  options.tail_rows = 0;
  EXPECT_LT(BlockSampler(reversed, options, 1, 0).run(0, 100, never).nonzero, 50U);
  options.prune = true;
  EXPECT_EQ(BlockSampler(reversed, options, 1, 0).run(0, 100, never).sum.log2(), std::log2(100.0));
}

TEST(Samplers, PruningLeavesNoZeros) {
  oracle::Random random(4);
  for (int round = 0; round < 200; ++round) {
    const AnyBlock block = oracle::random_block<std::int64_t>(
        random, static_cast<Index>(oracle::uniform(random, 1, 8)), 0.4, 1, 1);
    const bool matched = oracle::permanent(block).re != 0;
    for (const SamplerInfo& info : walks()) {
      SamplerOptions options;
      options.kind = info.kind;
      options.prune = true;
      options.tail_rows = 0;
      EXPECT_EQ(BlockSampler(block, options, 1, 0).run(0, 30, never).nonzero, matched ? 30U : 0U)
          << info.name << '\n'
          << oracle::show(block);
    }
  }
}

/// Of 1 to `most` rows: integers in even rounds, fractions with equal rows and columns in odd ones.
AnyBlock small_block(oracle::Random& random, int round, int most) {
  const auto n = static_cast<Index>(oracle::uniform(random, 1, most));
  if (round % 2 == 0) return oracle::random_block<std::int64_t>(random, n, 0.6, 1, 3);
  return oracle::random_block_with_classes<mpq_class>(random, n, 0.6, 1, 50);
}

TEST(Samplers, ATailOfAllRowsIsThePermanent) {
  oracle::Random random(5);
  for (int round = 0; round < repeats(600); ++round) {
    const AnyBlock block = small_block(random, round, 7);
    const mpq_class exact = oracle::permanent(block).re;
    for (const SamplerInfo& info : walks()) {
      SamplerOptions options;
      options.kind = info.kind;
      options.tail_rows = 20;
      const SampleMoments moments = BlockSampler(block, options, 1, 0).run(0, 1, never);
      EXPECT_NEAR(moments.nonzero == 0 ? 0 : std::exp2(moments.sum.log2()), exact.get_d(),
                  1e-13 * exact.get_d())
          << oracle::show(block);
    }
  }
}

// A dense tail of 40 rows takes too many states: fewer rows are counted, and the mean stays.
TEST(Samplers, TailsThatTakeTooManyStatesAreShortened) {
  const AnyBlock ones = oracle::pattern_block(50, [](Index, Index) { return true; });
  SamplerOptions options;
  options.kind = SamplerKind::rasmussen;
  options.tail_rows = 40;
  const SampleMoments moments = BlockSampler(ones, options, 1, 0).run(0, 2, never);
  EXPECT_NEAR(moments.sum.log2() - 1, std::lgamma(51) / std::log(2.0), 1e-9);
}

TEST(Samplers, CountsBeyondEveryDouble) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, 500);
  const AnyBlock large = oracle::make_block<mpq_class>(
      160, 160, [&](Index i, Index j) { return i / 2 == j / 2 ? mpq_class(power) : mpq_class(); });
  for (const SamplerOptions& options : all_options()) {
    if (options.kind && !options.population && !sampler_info(*options.kind).walks) continue;
    const SampledMean mean = sampled_mean(BlockSampler(large, options, 1, 0).run(0, 60, never));
    EXPECT_NEAR(mean.log_mean / std::log(10.0), 80000 + 80 * std::log10(2.0), 1e-6) << show(options);
    EXPECT_NEAR(mean.variance, 0, 1e-20);
    EXPECT_EQ(mean.doubt, "");
  }
}

TEST(Samplers, BlocksThatCannotBeSampledAreRefused) {
  const SamplerOptions options;
  const auto one = [](auto value) {
    return oracle::make_block<decltype(value)>(1, 1, [&](Index, Index) { return value; });
  };
  EXPECT_THROW(BlockSampler(one(std::int64_t{-1}), options, 1, 0), UnableError);
  EXPECT_THROW(BlockSampler(one(ComplexRational{1, 1}), options, 1, 0), UnableError);
  Block<std::int64_t> triangle = oracle::pattern_block(4, [](Index i, Index j) { return i != j; });
  triangle.general = true;
  EXPECT_NO_THROW(BlockSampler(triangle, options, 1, 0));
  const auto wide = oracle::make_block<mpq_class>(2, 2, [](Index i, Index j) {
    return i == j ? mpq_class(mpz_class(mpz_class(1) << 400)) : mpq_class(1);
  });
  EXPECT_THROW(BlockSampler(wide, options, 1, 0), UnableError);
  EXPECT_NO_THROW(BlockSampler(one(ComplexRational{2, 0}), options, 1, 0));
}

SamplerOptions population_of(std::optional<std::uint32_t> members) {
  SamplerOptions options;
  options.kind = SamplerKind::population;
  options.population = members;
  return options;
}

TEST(Populations, WithRoomForEveryStateAreThePermanent) {
  oracle::Random random(8);
  for (int round = 0; round < repeats(400); ++round) {
    const AnyBlock block = small_block(random, round, 8);
    const double exact = oracle::permanent(block).re.get_d();
    for (const auto members : {std::optional<std::uint32_t>(70), std::optional<std::uint32_t>()}) {
      const SampleMoments moments = BlockSampler(block, population_of(members), 1, 0).run(0, 2, never);
      EXPECT_EQ(moments.nonzero, exact == 0 ? 0U : 2U);
      EXPECT_NEAR(exact == 0 ? 0 : std::exp2(moments.sum.log2() - 1), exact, 1e-12 * exact)
          << oracle::show(block);
    }
  }
}

// A band has a known permanent by recurrence: Fibonacci numbers; 1,000 rows need states of one word only.
TEST(Populations, LongBandsHaveFewStates) {
  const Index n = 1000;
  const AnyBlock block =
      oracle::pattern_block(n, [](Index i, Index j) { return i == j || i + 1 == j || j + 1 == i; });
  mpz_class exact;
  mpz_fib_ui(exact.get_mpz_t(), n + 1);
  for (const std::optional<SamplerKind> kind :
       {std::optional<SamplerKind>(), std::optional(SamplerKind::population)}) {
    SamplerOptions options;
    options.kind = kind;
    const BlockSampler sampler(block, options, 1, 0);
    EXPECT_EQ(sampler.kind(), SamplerKind::population);
    signed long bits = 0;
    const double mantissa = mpz_get_d_2exp(&bits, exact.get_mpz_t());
    EXPECT_NEAR(sampler.run(0, 1, never).sum.log2(), std::log2(mantissa) + static_cast<double>(bits), 1e-9);
  }
}

/// Blocks of ones along the diagonal, rows and columns in an order that keeps all of them live at a time.
AnyBlock interleaved(Index blocks, Index size) {
  return oracle::pattern_block(blocks * size,
                               [blocks](Index i, Index j) { return i % blocks == j % blocks; });
}

// States of every number of words: a dense block's whole width is live, whatever the order of the rows.
TEST(Populations, UnbiasedAtEveryWidth) {
  for (const Index n : {60U, 66U, 130U, 194U, 258U}) {  // of 1, 2, 3, 4 and 8 words
    const AnyBlock ones = oracle::pattern_block(n, [](Index, Index) { return true; });
    const std::uint64_t samples = n < 100 ? 3 : 1;  // all alike
    const SampleMoments moments = BlockSampler(ones, population_of(3), 1, 0).run(0, samples, never);
    EXPECT_NEAR(moments.sum.log2() - std::log2(samples), std::lgamma(n + 1) / std::log(2.0), 1e-9) << n;
  }
  for (const std::uint32_t members : {1U, 3U, 10U}) {
    const SampleMoments moments =
        BlockSampler(interleaved(40, 3), population_of(members), 2, 0).run(0, 3, never);
    EXPECT_NEAR(moments.sum.log2() - std::log2(3), 40 * std::log2(6), 1e-9);
  }
  // A known count with chance in it: the 8 x 8 board, whose 12,988,816 matchings need 70 states.
  const AnyBlock board = oracle::pattern_block(32, [](Index i, Index j) {
    const auto row = [](Index v) { return v / 4; };
    const Index x = 2 * (i % 4) + row(i) % 2;
    const Index y = 2 * (j % 4) + (row(j) + 1) % 2;
    return (row(i) == row(j) && (x + 1 == y || y + 1 == x)) ||
           (x == y && (row(i) + 1 == row(j) || row(j) + 1 == row(i)));
  });
  for (const std::uint32_t members : {1U, 4U, 20U}) {
    const SampledMean mean =
        sampled_mean(BlockSampler(board, population_of(members), 3, 0).run(0, repeats(4000), never));
    EXPECT_GT(mean.variance, 0);
    EXPECT_NEAR(mean.log_mean, std::log(12988816.0), 4 * std::sqrt(mean.variance)) << members;
  }
}

/// A lattice of 16 x 16 vertices, 16 of which are live at a time.
AnyBlock square_lattice() {
  const auto place = [](Index i, Index odd) {
    const Index y = i / 8;
    return std::pair<int, int>(2 * static_cast<int>(i % 8) + static_cast<int>((y + odd) % 2),
                               static_cast<int>(y));
  };
  return oracle::pattern_block(128, [&](Index i, Index j) {
    const auto [x, y] = place(i, 0);
    const auto [u, v] = place(j, 1);
    return std::abs(x - u) + std::abs(y - v) == 1;
  });
}

// What is left open is decided by the block alone: lattices go to boundary, dense blocks to bethe.
TEST(Samplers, AreChosenByTheBlock) {
  const auto chosen = [](const AnyBlock& block) { return BlockSampler(block, {}, 1, 0).kind(); };
  EXPECT_EQ(chosen(square_lattice()), SamplerKind::boundary);
  EXPECT_EQ(chosen(oracle::pattern_block(90, [](Index, Index) { return true; })), SamplerKind::bethe);
}
TEST(Samplers, OptionsOfOneSettleWhichOne) {
  const AnyBlock board = square_lattice();
  const auto chosen = [&](const auto& set) {
    SamplerOptions options;
    set(options);
    return BlockSampler(board, options, 1, 0).kind();
  };
  EXPECT_EQ(chosen([](SamplerOptions& options) { options.prune = true; }), SamplerKind::scaling_plus);
  EXPECT_EQ(chosen([](SamplerOptions& options) { options.scale_interval = 3; }), SamplerKind::scaling_plus);
  EXPECT_EQ(chosen([](SamplerOptions& options) { options.scale_steps = 2; }), SamplerKind::scaling_plus);
  EXPECT_EQ(chosen([](SamplerOptions& options) { options.tail_rows = 4; }), SamplerKind::bethe);
  EXPECT_EQ(chosen([](SamplerOptions& options) { options.strata = 4; }), SamplerKind::bethe);
  EXPECT_EQ(chosen([](SamplerOptions& options) { options.population = 40; }), SamplerKind::population);
}

TEST(Populations, NoSampleWhereEveryStateDies) {
  const AnyBlock none = oracle::pattern_block(30, [](Index i, Index j) { return i < 16 ? j < 15 : true; });
  for (const auto members : {std::optional<std::uint32_t>(1), std::optional<std::uint32_t>()}) {
    const SampleMoments moments = BlockSampler(none, population_of(members), 1, 0).run(0, 10, never);
    EXPECT_EQ(moments.samples, 10U);
    EXPECT_EQ(moments.nonzero, 0U);
  }
}

TEST(Populations, RowsAndColumnsOfAnySizeChangeNothing) {
  // Rows and columns scaled by powers of two up to 2^40, the permanent by their product.
  oracle::Random random(9);
  const auto plain = oracle::random_block<std::int64_t>(random, 12, 0.6, 1, 1);
  const auto cells = oracle::table(plain);
  const auto power = [](Index k) {
    mpq_class value(mpz_class(mpz_class(1) << (k * 37 % 41)));
    return k % 2 == 0 ? value : mpq_class(1 / value);
  };
  const AnyBlock scaled = oracle::make_block<mpq_class>(
      12, 12, [&](Index i, Index j) { return mpq_class(cells[i][j].re * power(i) * power(j + 3)); });
  double shift = 0;
  for (Index k = 0; k < 12; ++k) {
    for (const Index at : {k, k + 3}) shift += (at % 2 == 0 ? 1.0 : -1.0) * (at * 37 % 41);
  }
  for (const std::uint32_t members : {5U, 1000U}) {
    const double expected = BlockSampler(plain, population_of(members), 1, 0).run(0, 400, never).sum.log2();
    const double found = BlockSampler(scaled, population_of(members), 1, 0).run(0, 400, never).sum.log2();
    EXPECT_NEAR(found - shift, expected, members == 1000 ? 1e-9 : 0.5);
  }
}

TEST(Samplers, StopBetweenSamples) {
  const AnyBlock ones = oracle::pattern_block(50, [](Index, Index) { return true; });
  StopSignal stop;
  stop.request();
  EXPECT_THROW(BlockSampler(ones, {}, 1, 0).run(0, 1, stop), Stopped);
}

TEST(Samplers, NamesAreListedWhereNoneFits) {
  EXPECT_EQ(sampler_named("scaling+"), SamplerKind::scaling_plus);
  for (const SamplerInfo& info : samplers())
    EXPECT_EQ(sampler_info(sampler_named(info.name)).name, info.name);
  try {
    sampler_named("scalin");
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("rasmussen, rasmussen+, scaling, scaling+, bethe, population"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace countpm
