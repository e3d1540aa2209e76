// forbert-marx on blocks large enough to be expanded: against other methods, with every choice of rules and
// leaves, and on real matrices.
#include "kernels/expansion/forbert_marx.hpp"

#include <gtest/gtest.h>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/expansion/forecast.hpp"
#include "tests/cpu_seconds.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::repeats;
using testing::sum_of_units;

ExpansionOptions options_with(unsigned primes, Index leaf_rows = 0) {
  ExpansionOptions options;
  options.arithmetic.moduli = choose_primes(primes);
  options.leaf_rows = leaf_rows;
  return options;
}

mpz_class integer(const AnyBlock& block, const ExpansionOptions& options, std::uint64_t seed = 1) {
  return join_residues(
      std::get<Residues>(sum_of_units(*make_forbert_marx_job(block, options, seed), options.arithmetic)),
      options.arithmetic.moduli, true);
}
mpz_class by_method(const char* name, const AnyBlock& block, const ExpansionOptions& options) {
  const auto job = method_named(name).make_job(block, options.arithmetic, {});
  return join_residues(std::get<Residues>(sum_of_units(*job, options.arithmetic)), options.arithmetic.moduli,
                       true);
}

TEST(SmallPermanent, AgreesWithTheOracle) {
  oracle::Random random(3);
  SmallPermanent small_permanent;
  for (int round = 0; round < repeats(2000); ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 0, 6));
    // Wide entries take the paths of 128 bits and beyond.
    const std::int64_t most = std::int64_t{1} << oracle::uniform(random, 1, 62);
    const auto integers = oracle::random_block<std::int64_t>(random, n, 0.8, -most, most);
    ASSERT_EQ(small_permanent(integers.matrix), oracle::permanent(integers).re) << oracle::show(integers);
    const auto rationals = oracle::random_block<mpq_class>(random, n, 0.8, -9, 9);
    ASSERT_EQ(small_permanent(rationals.matrix), oracle::permanent(rationals).re) << oracle::show(rationals);
    const auto complex = oracle::random_block<ComplexRational>(random, std::min<Index>(n, 5), 0.8, -9, 9);
    ASSERT_EQ(small_permanent(complex.matrix), oracle::permanent(complex)) << oracle::show(complex);
  }
  const auto extreme = oracle::make_block<std::int64_t>(16, 16, [](Index, Index) { return INT64_MIN; });
  mpz_class expected;
  mpz_fac_ui(expected.get_mpz_t(), 16);
  expected <<= 63 * 16;
  EXPECT_EQ(small_permanent(extreme.matrix), expected);
}

TEST(ForbertMarx, AgreesWithRyserWhateverTheLeavesAndRules) {
  const std::uint64_t seed = 17;
  oracle::Random random(seed);
  for (int round = 0; round < repeats(60); ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 8, 14));
    const double density = static_cast<double>(oracle::uniform(random, 30, 50)) / 100;
    const AnyBlock block =
        round % 3 == 0   ? AnyBlock(oracle::random_block<std::int64_t>(random, n, density, -3, 3))
        : round % 3 == 1 ? AnyBlock(oracle::random_block_with_classes<std::int64_t>(random, n, density, 1, 2))
                         : AnyBlock(oracle::random_block<std::int64_t>(random, n, density, 1, 1));
    for (const Index leaf_rows : {1U, 4U, 0U}) {
      ExpansionOptions options = options_with(2, leaf_rows);
      const mpz_class expected = by_method("ryser", block, options);
      for (unsigned without = 0; without < 4; ++without) {
        options.rules = {};
        if (without == 1) options.rules.drop(Rule::forbert_marx_3);
        if (without == 2) options.rules.drop(Rule::doubles);
        if (without == 3) options.rules.enabled.fill(false);
        ASSERT_EQ(integer(block, options), expected)
            << "seed " << seed << ", round " << round << ", leaves of " << leaf_rows << " rows, rules "
            << without << '\n'
            << oracle::show(block);
      }
    }
  }
}

TEST(ForbertMarx, ForcedLeafMethods) {
  oracle::Random random(18);
  const AnyBlock block = oracle::random_block<std::int64_t>(random, 9, 0.7, 1, 1);
  ExpansionOptions options = options_with(1, 2);
  const mpz_class expected = by_method("definition", block, options);
  for (const char* leaf : {"definition", "enumerate", "ryser", "sparyser", "skipper"}) {
    options.leaf_method = leaf;
    EXPECT_EQ(integer(block, options), expected) << leaf;
  }
}

TEST(ForbertMarx, EntriesThatOutgrowWordsGoOnAsLargerIntegers) {
  oracle::Random random(19);
  for (int round = 0; round < 20; ++round) {
    // Circulant-like, degree 3 and 4, entries near 2^40: merging two lines overflows at once.
    const auto n = static_cast<Index>(oracle::uniform(random, 8, 12));
    const auto block = oracle::make_block<std::int64_t>(n, n, [&](Index i, Index j) {
      const Index distance = (j + n - i) % n;
      return distance < 3 || (distance == 5 && i % 2 == 0)
                 ? (std::int64_t{1} << 40) + oracle::uniform(random, 0, 1000)
                 : 0;
    });
    const ExpansionOptions options = options_with(10, 3);
    ASSERT_EQ(integer(block, options), by_method("ryser", block, options)) << round << '\n'
                                                                           << oracle::show(block);
  }
}

TEST(ForbertMarx, RationalsAndFloats) {
  oracle::Random random(20);
  for (int round = 0; round < 30; ++round) {
    const AnyBlock block = round % 2 == 0
                               ? AnyBlock(oracle::random_block<mpq_class>(random, 8, 0.45, -9, 9))
                               : AnyBlock(oracle::random_block<ComplexRational>(random, 7, 0.5, -9, 9));
    const ComplexRational exact = oracle::permanent(block);
    ExpansionOptions options = options_with(2, 2);
    if (round % 2 == 0) {
      ASSERT_EQ(
          std::get<Residues>(sum_of_units(*make_forbert_marx_job(block, options, 1), options.arithmetic)),
          std::get<Residues>(from_factor(exact.re, options.arithmetic)))
          << oracle::show(block);
    }
    options.arithmetic = {Arithmetic::Kind::floating, {}, Precision::double_double, 128};
    const Partial result = sum_of_units(*make_forbert_marx_job(block, options, 1), options.arithmetic);
    const auto& ball = std::get<Ball>(result);
    mpq_class re;
    mpq_class im;
    mpq_class error;
    mpfr_get_q(re.get_mpq_t(), ball.re.get());
    mpfr_get_q(im.get_mpq_t(), ball.im.get());
    mpfr_get_q(error.get_mpq_t(), ball.error.get());
    re -= exact.re;
    im -= exact.im;
    ASSERT_LE(re * re + im * im, error * error) << oracle::show(block);
  }
}

TEST(ForbertMarx, TallyTellsWhatTheExpansionDid) {
  const auto block = oracle::pattern_block(20, [](Index i, Index j) { return (j + 20 - i) % 20 < 3; });
  const ExpansionOptions options = options_with(1, 4);
  const auto job = make_forbert_marx_job(block, options, 1);
  EXPECT_EQ(job->tally()[Rule::forbert_marx_3].applied, 0);
  sum_of_units(*job, options.arithmetic);
  EXPECT_GT(job->tally()[Rule::forbert_marx_3].applied, 0);
  EXPECT_EQ(job->tally()[Rule::forbert_marx_3].applied, job->tally()[Rule::forbert_marx_3].removed);
  EXPECT_GT(job->tally()[Rule::doubles].applied, 0);
}

TEST(ForbertMarx, DeepAndLongBlocksDoNotOverflow) {
  // A ladder of 2000 rungs, biadjacency of a band: reductions and splits in a long chain; only a forecast is
  // asked for.
  const auto band = [](Index n) {
    Block<std::int64_t> block;
    block.matrix.rows = block.matrix.columns = n;
    for (Index i = 0; i < n; ++i) {
      for (const Index j : {i, i + 1, i + 2, i + 5}) {
        if (j < n) block.matrix.column.push_back(j);
      }
      if (i >= 3)
        block.matrix.column.insert(
            block.matrix.column.begin() + static_cast<std::ptrdiff_t>(block.matrix.row_start.back()), i - 3);
      block.matrix.row_start.push_back(block.matrix.column.size());
    }
    block.matrix.value.assign(block.matrix.column.size(), 1);
    return block;
  };
  const double start = testing::cpu_seconds();
  const auto job = make_forbert_marx_job(band(2000), options_with(1), 1);
  EXPECT_GT(job->log2_work(), 100);
  EXPECT_TRUE(std::isfinite(job->log2_work()));
  EXPECT_LT(testing::cpu_seconds() - start, 60);
}

TEST(ForbertMarx, ForecastIsRightOnAverage) {
  oracle::Random random(23);
  const auto block = oracle::random_block<std::int64_t>(random, 24, 0.16, 1, 1);
  const ExpansionOptions options = options_with(1, 6);
  RuleTally tally;
  const auto root = reduced_product(block.matrix, options.rules, tally);
  const StopSignal stop;
  WorkMeter meter(stop);
  Expansion<std::int64_t> expansion(options, stop, meter);
  Partial result;
  ASSERT_TRUE(expansion.evaluate(root, result));
  double mean = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    mean += std::exp2(forecast_expansion(root, options, seed).work) / 20;
  EXPECT_GT(mean, 0.5 * expansion.work());
  EXPECT_LT(mean, 2 * expansion.work());
}

void check_known(const std::string& name) {
  for (const auto& known : shared_files::known_matrices()) {
    if (known.name != name) continue;
    const AnyBlock block = *testing::shared_matrix("matrices/" + name + ".mtx");
    const double bound = log2_upper_bound(block);
    const ExpansionOptions options = options_with(static_cast<unsigned>(bound / 60) + 1);
    EXPECT_EQ(integer(block, options), mpz_class(known.count)) << name;
    EXPECT_GE(bound, std::log2(mpz_class(known.count).get_d()) - 1e-9);
    return;
  }
  FAIL() << name << " is not in known.tsv";
}

TEST(ForbertMarx, KnownMatrices) {
  if (shared_files::known_matrices().empty()) GTEST_SKIP() << "no ../shared";
  for (const char* name :
       {"b1_ss", "cage4", "Stranke94", "rgg010", "mycielskian5", "ibm32", "bcspwr01", "bcspwr02", "d_ss",
        "impcol_b", "west0156", "pores_1", "Tina_AskCal", "Tina_DisCog", "bcsstm05"}) {
    check_known(name);
  }
}

TEST(LongForbertMarx, LargerKnownMatrices) {
  if (shared_files::known_matrices().empty()) GTEST_SKIP() << "no ../shared";
  for (const char* name : {"lap_25", "will57"}) check_known(name);
}

}  // namespace
}  // namespace countpm
