#include "kernels/grouped/grouped.hpp"

#include <algorithm>
#include <bit>

#include "kernels/grouped/columns.hpp"
#include "kernels/grouped/simd_walk.hpp"
#include "kernels/ryser/ryser.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;

constexpr LaneChoice all_choices[] = {LaneChoice::scalar, LaneChoice::avx2, LaneChoice::avx512,
                                      LaneChoice::automatic};

/// 0/1 times a row scale, with other entries in a few columns.
Block<std::int64_t> random_scaled_rows(Random& random, Index n, double density, bool plain) {
  auto block = random_block<std::int64_t>(random, n, density, plain, [] { return std::int64_t{1}; });
  const auto odd_ones = static_cast<Index>(below(random, 3));
  for (Index i = 0; i < n; ++i) {
    const std::int64_t scale = below(random, 2) == 0 ? 1 : static_cast<std::int64_t>(below(random, 9)) - 10;
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}]; ++k) {
      block.matrix.value[k] =
          block.matrix.column[k] < odd_ones ? 1 + static_cast<std::int64_t>(below(random, 5)) : scale;
    }
  }
  return block;
}

TEST(Grouped, AgreesWithTheOracle) {
  Random random(20261121);
  int counted = 0;
  for (int round = 0; round < repeats(2000); ++round) {
    const auto n = static_cast<Index>(below(random, 10));
    const auto block = round % 3 == 0
                           ? random_integers(random, n, below(random, 2) == 0)
                           : random_scaled_rows(random, n, 0.1 * static_cast<double>(1 + below(random, 10)),
                                                below(random, 2) == 0);
    const Arithmetic arithmetic = some_residues(random());
    if (grouped_method().obstacle(block, arithmetic)) continue;
    ++counted;
    ASSERT_EQ(run_residues(*make_grouped_job(block, arithmetic, all_choices[below(random, 4)]), arithmetic),
              residues_of(permanent_by_states(block), arithmetic))
        << "round " << round << "\n"
        << text_of(block);
  }
  EXPECT_GT(counted, repeats(1000));
}

TEST(Grouped, UnitsRunAgainByAnotherCode) {
  Random random(91);
  Arithmetic mixed = residues_modulo({first_prime, 3});
  mixed.moduli.push_back({0, 64});
  for (int round = 0; round < 12; ++round) {
    const auto block = round < 8 ? random_pattern(random, static_cast<Index>(12 + 2 * (round % 4)), 0.6)
                                 : random_block<std::int64_t>(random, 12, 0.7, false, [&] {
                                     return static_cast<std::int64_t>(below(random, 7)) - 3;
                                   });
    for (const Arithmetic& arithmetic :
         {residues_modulo({first_prime, second_prime}), wrap_around(64), mixed}) {
      if (grouped_method().obstacle(block, arithmetic)) continue;
      const auto job = grouped_method().make_job(block, arithmetic, {});
      expect_units_again(*job, arithmetic);
      EXPECT_NE(job->describe().find("columns in closed form"), std::string::npos) << job->describe();
    }
  }
  const auto large = random_pattern(random, 26, 0.5);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  const auto job = grouped_method().make_job(large, arithmetic, {});
  EXPECT_GT(job->units(), 1U);
  expect_units_again(*job, arithmetic);
}

TEST(Grouped, RationalsAgreeWithTheOracle) {
  Random random(7);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  for (int round = 0; round < 300; ++round) {
    mpq_class common = random_rational(random);
    const auto block = random_block<mpq_class>(random, static_cast<Index>(below(random, 8)), 0.6,
                                               below(random, 2) == 0, [&] { return common; });
    if (grouped_method().obstacle(block, arithmetic)) continue;
    ASSERT_EQ(run_residues(*grouped_method().make_job(block, arithmetic, {}), arithmetic),
              residues_of(permanent_by_states(block), arithmetic))
        << "round " << round << "\n"
        << text_of(block);
  }
}

// Wide enough for the lanes, every density, so that every number of factors comes up; the shift of Ryser too
// (modulo a power of two).
TEST(Grouped, LanesAgreeWithRyser) {
#ifndef __x86_64__
  GTEST_SKIP() << "lanes are of x86-64";
#endif
  Random random(99);
  int walked = 0;
  const int rounds = testing::sanitized ? 36 : 120;
  for (int round = 0; round < rounds; ++round) {
    const auto n = static_cast<Index>(10 + below(random, 8));
    const auto block = random_scaled_rows(random, n, 0.1 * static_cast<double>(1 + below(random, 10)),
                                          below(random, 3) != 0);
    const Arithmetic arithmetic =
        round % 4 == 0 ? wrap_around(128) : residues_modulo({first_prime, second_prime});
    if (grouped_method().obstacle(block, arithmetic)) continue;
    const Residues expected = run_residues(*ryser_method().make_job(block, arithmetic, {}), arithmetic);
    for (const LaneChoice choice : {LaneChoice::avx2, LaneChoice::avx512}) {
      if (!lanes_supported(choice)) continue;
      ++walked;
      ASSERT_EQ(run_residues(*make_grouped_job(block, arithmetic, choice), arithmetic), expected)
          << "round " << round << " choice " << static_cast<int>(choice) << "\n"
          << text_of(block);
    }
  }
  EXPECT_GT(walked, rounds * 5 / 6);
}

/// sum over subsets of all columns of (-1)^|S| prod of row sums, one by one.
mpz_class plain_sum(const GroupedColumns& columns, const std::vector<std::int64_t>& start) {
  const auto count = static_cast<unsigned>(3 + columns.others());
  mpz_class total = 0;
  for (std::uint64_t subset = 0; subset < std::uint64_t{1} << count; ++subset) {
    mpz_class product = std::popcount(subset) % 2 != 0 ? -1 : 1;
    for (std::size_t i = 0; i < start.size(); ++i) {
      std::int64_t sum = start[i] + columns.step[i] * std::popcount(subset & columns.rows[i].pattern);
      for (unsigned c = 3; c < count; ++c) {
        if ((subset >> c & 1) != 0) sum += columns.delta[(c - 3) * start.size() + i];
      }
      product *= static_cast<long>(sum);
    }
    total += product;
  }
  return total;
}

// Every number of factors of types 00 and 11, rows up to the largest bounds that the lanes take.
TEST(Grouped, WalksWithEveryNumberOfFactors) {
  Random random(5);
  bool met[grouped_lanes::max_low + 1][grouped_lanes::max_high + 1] = {};
  for (int round = 0; round < 600; ++round) {
    GroupedColumns columns;
    const std::size_t rows = 1 + below(random, 48);
    const std::size_t others = 6;
    const std::uint64_t low = below(random, 4);
    const std::int64_t largest = std::int64_t{1} << below(random, 12);
    std::vector<std::int64_t> start;
    for (std::size_t i = 0; i < rows; ++i) {
      // patterns of type 00 or 11 mostly
      const std::uint64_t kind = below(random, 8);
      const unsigned type = kind == 0 ? 1 : kind == 1 ? 2 : kind < 2 + 2 * low ? 0 : 3;
      columns.rows.push_back({0, type | static_cast<unsigned>(below(random, 2)) << 2});
      columns.step.push_back(static_cast<std::int64_t>(below(random, 5)) - 2);
      start.push_back(static_cast<std::int64_t>(below(random, static_cast<std::uint64_t>(largest) + 1)) -
                      largest / 2);
      columns.rows[i].bound = std::abs(start[i]) + 3 * std::abs(columns.step[i]);
    }
    for (std::size_t c = 0; c < others; ++c) {
      for (std::size_t i = 0; i < rows; ++i) {
        columns.delta.push_back(static_cast<std::int64_t>(below(random, 3)) - 1);
        columns.rows[i].bound += std::abs(columns.delta.back());
      }
    }
    for (const LaneChoice choice : {LaneChoice::avx2, LaneChoice::avx512}) {
      const auto walk = GroupedWalk::make(columns, choice);
      if (!walk) continue;
      met[walk->layout().low_factors][walk->layout().high_factors] = true;
      mpz_class total = 1;
      walk->add_to(total, start, StopSignal());
      ASSERT_EQ(total, plain_sum(columns, start) + 1) << "round " << round << " " << walk->variant_name();
    }
  }
  if (!processor_has(InstructionSet::avx2)) return;
  for (unsigned low = 1; low <= grouped_lanes::max_low; ++low) {
    for (unsigned high = 1; high <= grouped_lanes::max_high; ++high) {
      EXPECT_TRUE(met[low][high]) << low << " " << high;
    }
  }
}

TEST(Grouped, ClosedForms) {
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  for (const Index n : {Index{1}, Index{2}, Index{6}, Index{13}, Index{19}, Index{21}}) {
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
      return run_residues(*grouped_method().make_job(dense_block(rows, n), arithmetic, {}), arithmetic);
    };
    EXPECT_EQ(count(all), residues_of(mpq_class(factorial), arithmetic)) << n;
    EXPECT_EQ(count(off_diagonal), residues_of(mpq_class(derangements), arithmetic)) << n;
    EXPECT_EQ(count(hessenberg), residues_of(mpq_class(mpz_class(mpz_class(1) << (n - 1))), arithmetic)) << n;
  }
}

TEST(Grouped, AnyBlockHasAFinitePrediction) {
  const Arithmetic arithmetic = residues_modulo({first_prime});
  for (const Index n : {Index{64}, Index{65}, Index{100}, Index{500}}) {
    Random random(n);
    const auto job = grouped_method().make_job(random_pattern(random, n, 0.05), arithmetic, {});
    EXPECT_DOUBLE_EQ(job->log2_work(), n - 1.0);
    EXPECT_EQ(job->units(), std::uint64_t{1} << std::min<Index>(n - 40, 24));
    EXPECT_GT(job->nominal_rate(), 0);
    EXPECT_GT(job->measured_rate(0.001), 0);
    StopSignal stop;
    stop.request();
    EXPECT_THROW(job->run(12345, stop), Stopped);
  }
}

TEST(Grouped, Obstacles) {
  const Arithmetic arithmetic = residues_modulo({first_prime});
  Random random(1);
  EXPECT_FALSE(grouped_method().obstacle(random_pattern(random, 20, 0.5), arithmetic));
  Arithmetic floating;
  floating.kind = Arithmetic::Kind::floating;
  EXPECT_TRUE(grouped_method().obstacle(random_pattern(random, 20, 0.5), floating));
  EXPECT_TRUE(
      grouped_method().obstacle(dense_block<ComplexRational>({{ComplexRational{1, 1}}}, 1), arithmetic));
  EXPECT_TRUE(grouped_method().obstacle(random_pattern(random, 600, 0.05), arithmetic));
  Block<std::int64_t> one_class = dense_block<std::int64_t>({{1}, {1}, {1}}, 1);
  one_class.multiplicity = {3};
  EXPECT_TRUE(grouped_method().obstacle(one_class, arithmetic));
}

TEST(LongGrouped, Random30By30) {
  const auto block = shared_matrix("random/er_n30_p90.mtx");
  if (!block) GTEST_SKIP() << "no ../shared";
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  EXPECT_EQ(run_residues(*grouped_method().make_job(*block, arithmetic, {}), arithmetic),
            residues_of(mpq_class("17325370307961785965165289728338"), arithmetic));
}

}  // namespace
}  // namespace countpm
