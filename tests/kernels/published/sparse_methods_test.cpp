// sparyser and skipper against the oracle, against ryser, on band matrices beyond 64 columns, and on shared
// matrices with known counts.
#include <cmath>

#include "kernels/published/sparse/skipper.hpp"
#include "kernels/published/sparse/sparyser.hpp"
#include "kernels/ryser/ryser.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;

const Arithmetic two_primes = residues_modulo({first_prime, second_prime});

class SparseMethod : public ::testing::TestWithParam<const Method*> {
 protected:
  Residues run(const AnyBlock& block, const Arithmetic& arithmetic) const {
    return run_residues(*GetParam()->make_job(block, arithmetic, {}), arithmetic);
  }
};

TEST_P(SparseMethod, IntegersAgreeWithTheOracle) {
  expect_integers_agree(31, [&](const AnyBlock& block, const Arithmetic& a) { return run(block, a); });
}

TEST_P(SparseMethod, RationalsAgreeWithTheOracle) {
  expect_rationals_agree(32, two_primes,
                         [&](const AnyBlock& block, const Arithmetic& a) { return run(block, a); });
}

TEST_P(SparseMethod, AgreesWithRyserOnWiderBlocks) {
  Random random(33);
  for (int round = 0; round < 40; ++round) {
    const auto n = static_cast<Index>(12 + below(random, 7));
    const auto block =
        round % 4 == 0
            ? random_block<std::int64_t>(random, n, 0.3, false,
                                         [&] { return static_cast<std::int64_t>(below(random, 3)) - 3; })
            : random_pattern(random, n, 0.15 + 0.05 * static_cast<double>(below(random, 8)));
    ASSERT_EQ(run(block, two_primes),
              run_residues(*ryser_method().make_job(block, two_primes, {}), two_primes))
        << "round " << round << "\n"
        << text_of(block);
  }
}

TEST_P(SparseMethod, HugeMultiplicity) {
  expect_huge_multiplicity(two_primes,
                           [&](const AnyBlock& block, const Arithmetic& a) { return run(block, a); });
}

TEST_P(SparseMethod, AnyBlockHasAFinitePrediction) {
  for (const Index n : {Index{0}, Index{1}, Index{64}, Index{65}, Index{100}, Index{1000}}) {
    Random random(n);
    const auto job = GetParam()->make_job(random_pattern(random, n, 0.05), two_primes, {});
    EXPECT_TRUE(std::isfinite(job->log2_work()));
    EXPECT_GE(job->log2_work(), 0);
    EXPECT_LE(job->units(), 1U << 24U);
    EXPECT_GT(job->nominal_rate(), 0);
    EXPECT_GT(job->measured_rate(0.001), 0);
  }
  Random random(5);
  const auto job = GetParam()->make_job(random_pattern(random, 100, 0.5), two_primes, {});
  EXPECT_GT(job->log2_work(), 90);
  StopSignal stop;
  stop.request();
  EXPECT_THROW(job->run(job->units() / 3, stop), Stopped);
}

// Weights of many digits make products of many words, which ryser computes in lanes.
TEST(SparseMethods, AreNotPreferredForLargeWeights) {
  Random random(34);
  const auto block = random_block<std::int64_t>(
      random, 20, 0.7, true, [&] { return 1 + static_cast<std::int64_t>(below(random, 1'000'000)); });
  const auto predicted_seconds = [&](const Method& method) {
    const auto job = method.make_job(block, two_primes, {});
    return std::exp2(job->log2_work()) / job->nominal_rate();
  };
  EXPECT_GT(predicted_seconds(sparyser_method()), 2 * predicted_seconds(ryser_method()));
  EXPECT_GT(predicted_seconds(skipper_method()), 2 * predicted_seconds(ryser_method()));
}

TEST_P(SparseMethod, KnownCounts) {
  for (const auto& [name, count] : {std::pair{"matrices/mycielskian5.mtx", "19377730"},
                                    {"random/er_n24_p50.mtx", "22071412730536766"},
                                    {"matrices/cage4.mtx", "5105"},
                                    {"matrices/Ragusa18.mtx", "0"}}) {
    const auto block = shared_matrix(name);
    if (!block) GTEST_SKIP() << "no ../shared";
    EXPECT_EQ(run(*block, two_primes), residues_of(mpq_class(count), two_primes)) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(, SparseMethod,
                         ::testing::Values(&ryser_method(), &sparyser_method(), &skipper_method()),
                         [](const auto& method) { return std::string(method.param->name()); });

/// a_i on the diagonal, b_i beside it, cyclic: the two products.
TEST(Skipper, CyclesOfAnyLength) {
  Random random(8);
  for (const Index n : {Index{2}, Index{50}, Index{63}, Index{64}, Index{65}, Index{66}, Index{70},
                        Index{128}, Index{129}, Index{200}, Index{300}}) {
    if (sanitized && (n == 50 || n > 65)) continue;  // seconds each, or tens of them
    std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n));
    mpz_class first = 1;
    mpz_class second = 1;
    for (Index i = 0; i < n; ++i) {
      const auto weight = static_cast<std::int64_t>(
          1 + below(random, 9));  // the same on both: equal weights keep the rows' zeros
      rows[i][i] = rows[i][(i + 1) % n] = weight;
      first *= static_cast<long>(weight);
      second *= static_cast<long>(weight);
    }
    const auto block = dense_block(rows, n);
    for (const Arithmetic& arithmetic : {two_primes, wrap_around(128)}) {
      const auto job = skipper_method().make_job(block, arithmetic, {});
      EXPECT_LT(job->log2_work(), 14) << n;
      EXPECT_EQ(run_residues(*job, arithmetic), residues_of(mpq_class(mpz_class(first + second)), arithmetic))
          << n;
    }
  }
}

// Population sampling: within a factor 2, but for a stray case or two.
TEST(Skipper, ForecastsItsVisits) {
  Random random(10);
  int bad = 0;
  for (int round = 0; round < 40; ++round) {
    const auto n = static_cast<Index>(12 + below(random, 10));
    const auto block = random_block<std::int64_t>(
        random, n, 0.12 + 0.03 * static_cast<double>(below(random, 8)), round % 5 != 0,
        [&] { return static_cast<std::int64_t>(1 + below(random, round % 3 == 0 ? 2 : 1)); });
    MethodOptions options;
    options.seed = random();
    const double predicted = skipper_method().make_job(block, two_primes, options)->log2_work();
    const double visited = std::log2(static_cast<double>(skipper_visits(block, two_primes)));
    if (std::fabs(predicted - visited) > 1) ++bad;
    ASSERT_LT(std::fabs(predicted - visited), 3)
        << "round " << round << " said " << predicted << " was " << visited << "\n"
        << text_of(block);
  }
  EXPECT_LE(bad, 2);
}

TEST(Skipper, SparseBeyond64Columns) {
  Random random(9);
  for (int round = 0; round < repeats(12); ++round) {
    const auto n = static_cast<Index>(66 + below(random, 70));
    const ChordedCycle cycle = chorded_cycle(random, n, round % 3 == 0 ? -3 : 1);
    const auto job = skipper_method().make_job(cycle.block, two_primes, {});
    ASSERT_LT(job->log2_work(), 26);
    EXPECT_EQ(run_residues(*job, two_primes), residues_of(permanent_by_states(cycle.band), two_primes))
        << "round " << round << " n " << n;
  }
}

}  // namespace
}  // namespace countpm
