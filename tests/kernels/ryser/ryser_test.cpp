#include "kernels/ryser/ryser.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/arithmetic/wrap_ring.hpp"
#include "kernels/subsets/subset_plan.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;

constexpr LaneChoice all_choices[] = {LaneChoice::scalar, LaneChoice::baseline, LaneChoice::avx2,
                                      LaneChoice::avx512, LaneChoice::automatic};

TEST(Ryser, IntegersAgreeWithTheOracle) {
  Random random(20261121);
  for (int round = 0; round < repeats(3000); ++round) {
    const auto block = random_integers(random, static_cast<Index>(below(random, 10)), below(random, 2) == 0);
    const mpq_class expected = permanent_by_states(block);
    const Arithmetic arithmetic = some_residues(random());
    ASSERT_FALSE(ryser_method().obstacle(block, arithmetic));
    const LaneChoice choice = all_choices[below(random, 5)];
    ASSERT_EQ(run_residues(*make_ryser_job(block, arithmetic, choice), arithmetic),
              residues_of(expected, arithmetic))
        << "round " << round << " choice " << static_cast<int>(choice) << "\n"
        << text_of(block);
  }
}

TEST(Ryser, RationalsAgreeWithTheOracle) {
  Random random(7);
  for (int round = 0; round < 500; ++round) {
    const auto block =
        random_block<mpq_class>(random, static_cast<Index>(below(random, 8)), 0.6, below(random, 2) == 0,
                                [&] { return random_rational(random); });
    const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
    ASSERT_EQ(run_residues(*ryser_method().make_job(block, arithmetic, {}), arithmetic),
              residues_of(permanent_by_states(block), arithmetic))
        << "round " << round << "\n"
        << text_of(block);
  }
}

// Wider blocks, so that every variant has all its lanes, every number of groups comes up, and units have
// middle digits.
TEST(Ryser, LanesAgreeWithTheScalarWalk) {
  Random random(99);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  for (int round = 0; round < 60; ++round) {
    const auto n = static_cast<Index>(10 + below(random, 5));
    const std::int64_t largest = std::int64_t{1} << below(random, 36);
    const auto block = random_block<std::int64_t>(random, n, 0.7, below(random, 3) != 0, [&] {
      return (below(random, 3) == 0 ? -1 : 1) *
             static_cast<std::int64_t>(1 + below(random, static_cast<std::uint64_t>(largest)));
    });
    const Residues expected =
        run_residues(*make_ryser_job(block, arithmetic, LaneChoice::scalar), arithmetic);
    for (const LaneChoice choice : {LaneChoice::baseline, LaneChoice::avx2, LaneChoice::avx512}) {
      if (!lanes_supported(choice)) continue;
      ASSERT_EQ(run_residues(*make_ryser_job(block, arithmetic, choice), arithmetic), expected)
          << "round " << round << " choice " << static_cast<int>(choice) << "\n"
          << text_of(block);
    }
  }
}

// Entries all alike, so that sums and the groups' products are as large as their bounds allow, of either
// sign.
TEST(Ryser, LanesAtTheLargestSums) {
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  for (unsigned bits = 1; bits <= 36; ++bits) {
    for (const std::int64_t sign : {1, -1}) {
      for (const Index n : {Index{10}, Index{11}}) {
        const std::vector<std::vector<std::int64_t>> same(
            n, std::vector<std::int64_t>(n, sign * ((std::int64_t{1} << bits) - 1)));
        const auto block = dense_block(same, n);
        const Residues expected =
            run_residues(*make_ryser_job(block, arithmetic, LaneChoice::scalar), arithmetic);
        for (const LaneChoice choice : {LaneChoice::baseline, LaneChoice::avx2, LaneChoice::avx512}) {
          if (!lanes_supported(choice)) continue;
          ASSERT_EQ(run_residues(*make_ryser_job(block, arithmetic, choice), arithmetic), expected)
              << sign << " 2^" << bits << ", " << n << " rows, choice " << static_cast<int>(choice);
        }
      }
    }
  }
}

TEST(Ryser, ClosedForms) {
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  for (const Index n : {Index{1}, Index{2}, Index{6}, Index{13}, Index{19}, Index{22}}) {
    mpz_class factorial = 1;
    mpz_class derangements = 1;  // D_n = n D_{n-1} + (-1)^n
    std::vector<std::vector<std::int64_t>> all(n, std::vector<std::int64_t>(n, 1));
    std::vector<std::vector<std::int64_t>> off_diagonal = all;
    std::vector<std::vector<std::int64_t>> hessenberg = all;
    for (Index i = 0; i < n; ++i) {
      factorial *= i + 1;
      derangements = derangements * (i + 1) + (i % 2 == 0 ? -1 : 1);
      off_diagonal[i][i] = 0;
      for (Index j = 0; j + 1 < i; ++j) hessenberg[i][j] = 0;
    }
    const auto count = [&](const auto& rows) {
      return run_residues(*ryser_method().make_job(dense_block(rows, n), arithmetic, {}), arithmetic);
    };
    EXPECT_EQ(count(all), residues_of(mpq_class(factorial), arithmetic)) << n;
    EXPECT_EQ(count(off_diagonal), residues_of(mpq_class(derangements), arithmetic)) << n;
    EXPECT_EQ(count(hessenberg), residues_of(mpq_class(mpz_class(mpz_class(1) << (n - 1))), arithmetic)) << n;
  }
}

// One class of 300 equal columns and a few others: binomials beyond 64 bits, more choices than units.
TEST(Ryser, HugeMultiplicity) {
  const Arithmetic arithmetic = residues_modulo({first_prime});
  Block<std::int64_t> block;
  const Index n = 302;
  std::vector<std::vector<std::int64_t>> rows(n, {1, 0, 0});
  for (Index i = 0; i < n; ++i) rows[i][1 + i % 2] = 1;
  block = dense_block(rows, 3);
  block.multiplicity = {300, 1, 1};
  // 151 rows for each of the two single columns, the rest in any order.
  mpz_class expected = 151 * 151;
  for (unsigned k = 1; k <= 300; ++k) expected *= k;
  EXPECT_EQ(run_residues(*ryser_method().make_job(block, arithmetic, {}), arithmetic),
            residues_of(mpq_class(expected), arithmetic));
}

// 2^22 units of 2^39 sets: a unit's number is in binary which of the slowest columns are in.
TEST(Ryser, ManyUnitsOfALargeBlock) {
  std::vector<Index> order(62);
  std::iota(order.begin(), order.end(), Index{0});
  const std::vector<Index> once(order.size(), 1);
  const SubsetPlan plan = plan_subsets(order, once, RyserForm::halved, 40, 20, most_units_of_subsets);
  ASSERT_EQ(plan.units, std::uint64_t{1} << 22U);
  EXPECT_EQ(plan.log2_terms, 61);
  EXPECT_EQ(plan_subsets(order, once, RyserForm::halved, 40, 20).units, 65536U);
  Random random(5);
  for (int k = 0; k < 1000; ++k) {
    const std::uint64_t unit = below(random, plan.units);
    const PrefixCounter prefix(plan, unit);
    std::uint64_t number = 0;
    for (std::size_t j = prefix.digits().size(); j-- > plan.middle.size();)
      number = 2 * number + prefix.fixed()[j];
    ASSERT_EQ(number, unit);
  }
}

TEST(Ryser, AnyBlockHasAFinitePrediction) {
  const Arithmetic arithmetic = residues_modulo({first_prime});
  for (const Index n : {Index{64}, Index{65}, Index{100}, Index{1000}}) {
    Random random(n);
    const auto job = ryser_method().make_job(random_pattern(random, n, 0.05), arithmetic, {});
    EXPECT_DOUBLE_EQ(job->log2_work(), n - 1.0);
    EXPECT_EQ(job->units(), std::uint64_t{1} << std::min<Index>(n - 40, 24));
    EXPECT_GT(job->nominal_rate(), 0);
    EXPECT_GT(job->measured_rate(0.001), 0);
    StopSignal stop;
    stop.request();
    EXPECT_THROW(job->run(12345, stop), Stopped);
  }
}

TEST(LongRyser, Random30By30) {
  const auto block = shared_matrix("random/er_n30_p90.mtx");
  if (!block) GTEST_SKIP() << "no ../shared";
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  EXPECT_EQ(run_residues(*ryser_method().make_job(*block, arithmetic, {}), arithmetic),
            residues_of(mpq_class("17325370307961785965165289728338"), arithmetic));
}

TEST(LongRyser, ClosedFormsAt24) {
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  mpz_class factorial = 1;
  mpz_class derangements = 1;
  std::vector<std::vector<std::int64_t>> all(24, std::vector<std::int64_t>(24, 1));
  std::vector<std::vector<std::int64_t>> off_diagonal = all;
  for (Index i = 0; i < 24; ++i) {
    factorial *= i + 1;
    derangements = derangements * (i + 1) + (i % 2 == 0 ? -1 : 1);
    off_diagonal[i][i] = 0;
  }
  for (const LaneChoice choice : all_choices) {
    if (choice == LaneChoice::scalar) continue;  // a minute
    EXPECT_EQ(run_residues(*make_ryser_job(dense_block(all, 24), arithmetic, choice), arithmetic),
              residues_of(mpq_class(factorial), arithmetic));
    EXPECT_EQ(run_residues(*make_ryser_job(dense_block(off_diagonal, 24), arithmetic, choice), arithmetic),
              residues_of(mpq_class(derangements), arithmetic));
  }
}

TEST(Ryser, Obstacles) {
  Random random(1);
  const auto halves = dense_block<mpq_class>({{mpq_class(1, 2)}}, 1);
  EXPECT_TRUE(ryser_method().obstacle(halves, wrap_around(64)));
  EXPECT_FALSE(ryser_method().obstacle(halves, residues_modulo({3})));
  EXPECT_TRUE(
      ryser_method().obstacle(dense_block<mpq_class>({{mpq_class(1, 3)}}, 1), residues_modulo({5, 3})));
  EXPECT_TRUE(ryser_method().obstacle(dense_block<ComplexRational>({{ComplexRational{1, 1}}}, 1),
                                      residues_modulo({3})));
}

}  // namespace
}  // namespace countpm
