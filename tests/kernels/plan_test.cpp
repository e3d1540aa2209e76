// Job::plan(): a job made from another's plan has the same units, each of the same value.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "kernels/method.hpp"
#include "kernels/subsets/floating_sums.hpp"
#include "kernels/support/plan_text.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm::testing {
namespace {

/// On another machine: other seed, threads and rates.
MethodOptions elsewhere(const Job& job) {
  MethodOptions options;
  options.seed = 4711;
  options.threads = 2;
  options.plan = job.plan();
  return options;
}

void expect_same_units(const Job& job, const Job& again, const Arithmetic& arithmetic) {
  const StopSignal never;
  ASSERT_EQ(again.units(), job.units());
  EXPECT_EQ(again.plan(), job.plan());
  EXPECT_FALSE(again.improvable() && again.plan().empty());
  for (std::uint64_t unit = 0; unit < job.units(); ++unit) {
    const Partial expected = job.run(unit, never);
    const Partial value = again.run(unit, never);
    if (arithmetic.kind == Arithmetic::Kind::residues) {
      ASSERT_EQ(std::get<Residues>(value), std::get<Residues>(expected)) << "unit " << unit;
    } else {
      ASSERT_NE(mpfr_equal_p(std::get<Ball>(value).re.get(), std::get<Ball>(expected).re.get()), 0)
          << "unit " << unit;
    }
  }
}

/// Returns the number of units.
std::uint64_t expect_plan_carries_over(const Method& method, const AnyBlock& block,
                                       const Arithmetic& arithmetic, const MethodOptions& options,
                                       double improve_seconds) {
  const StopSignal never;
  const std::unique_ptr<Job> job = method.make_job(block, arithmetic, options);
  if (improve_seconds > 0 && job->improvable()) job->improve(improve_seconds, never);
  const std::unique_ptr<Job> again = make_planned_job(method, block, arithmetic, elsewhere(*job));
  expect_same_units(*job, *again, arithmetic);
  return job->units();
}

struct Case {
  const char* method;
  Index rows;
  double density;  // 0: four entries a row and a column, or a few less
};

Block<std::int64_t> four_permutations(Random& random, Index n) {
  std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n));
  std::vector<Index> column(n);
  std::iota(column.begin(), column.end(), Index{0});
  for (int k = 0; k < 4; ++k) {
    std::shuffle(column.begin(), column.end(), random);
    for (Index i = 0; i < n; ++i) rows[i][column[i]] = 1;
  }
  return dense_block(rows, n);
}

class PlanOfMethod : public ::testing::TestWithParam<Case> {};

TEST_P(PlanOfMethod, GivesTheSameUnits) {
  const Case& test = GetParam();
  const Method& method = method_named(test.method);
  Random random(20261121);
  std::uint64_t most_units = 0;
  int ran = 0;
  for (int round = 0; round < repeats(9); ++round) {
    const auto block = test.density > 0 ? random_pattern(random, test.rows, test.density)
                                        : four_permutations(random, test.rows);
    const Arithmetic arithmetic =
        round % 2 == 0 ? residues_modulo({first_prime, second_prime}) : wrap_around(128);
    if (method.obstacle(block, arithmetic) || method.nothing_to_do(block, {})) continue;
    MethodOptions options;
    options.seed = static_cast<std::uint64_t>(round) + 1;
    ++ran;
    most_units = std::max(
        most_units, expect_plan_carries_over(method, block, arithmetic, options, round % 3 == 1 ? 0.02 : 0));
  }
  EXPECT_GE(ran, repeats(3));
  EXPECT_GE(most_units, 1U);
}

INSTANTIATE_TEST_SUITE_P(Methods, PlanOfMethod,
                         ::testing::Values(Case{"definition", 9, 0.7}, Case{"enumerate", 8, 0.8},
                                           Case{"ryser", 25, 0.6}, Case{"sparyser", 23, 0.3},
                                           Case{"skipper", 25, 0.25}, Case{"pruned", 30, 0.4},
                                           Case{"grouped", 26, 0.7}, Case{"forbert-marx", 33, 0}),
                         [](const auto& test) {
                           std::string name = test.param.method;
                           std::erase(name, '-');
                           return name;
                         });

TEST(Plan, OfFrontierCarriesItsBranches) {
  Random random(3);
  const auto block = random_pattern(random, 22, 0.25);
  MethodOptions options;
  std::uint64_t units = 1;
  for (std::uint64_t states = 4000; units == 1 && states > 4; states /= 2) {
    options.memory_bytes = (1 << 20) + states * 21;
    units = method_named("frontier").make_job(block, wrap_around(128), options)->units();
  }
  EXPECT_GT(units, 1U);
  expect_plan_carries_over(method_named("frontier"), block, wrap_around(128), options, 0);
  options.memory_bytes = ~std::uint64_t{0};
  EXPECT_EQ(expect_plan_carries_over(method_named("frontier"), block, wrap_around(64), options, 0.3), 1U);
}

TEST(Plan, OfComplementCarriesItsBranches) {
  Random random(5);
  const auto block = random_pattern(random, 18, 0.75);
  MethodOptions options;
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  expect_plan_carries_over(method_named("rook"), block, arithmetic, options, 0.05);
  std::uint64_t most_units = 0;
  for (std::uint64_t bytes = 1 << 18; bytes >= 1 << 10; bytes /= 2) {
    options.memory_bytes = bytes;
    const auto job = method_named("rook").make_job(block, arithmetic, options);
    most_units = std::max(most_units, job->units());
    MethodOptions other = elsewhere(*job);
    const auto again = make_planned_job(method_named("rook"), block, arithmetic, other);
    EXPECT_EQ(again->units(), job->units()) << bytes;
    if (job->bytes_shared() <= bytes && job->units() > 2) expect_same_units(*job, *again, arithmetic);
  }
  EXPECT_GT(most_units, 2U);
}

TEST(Plan, OfFloatingWalks) {
  Random random(7);
  const auto block = random_block<mpq_class>(random, 22, 0.3, true, [&] { return random_rational(random); });
  Arithmetic arithmetic;
  arithmetic.kind = Arithmetic::Kind::floating;
  for (const char* method : {"ryser", "sparyser", "skipper"})
    EXPECT_GT(expect_plan_carries_over(method_named(method), block, arithmetic, {}, 0), 1U) << method;
}

TEST(Plan, OfAnotherBlockIsRefused) {
  Random random(11);
  const auto block = random_pattern(random, 24, 0.3);
  const auto other = random_pattern(random, 26, 0.3);
  const Arithmetic arithmetic = residues_modulo({first_prime});
  for (const char* name : {"ryser", "sparyser", "skipper", "pruned", "frontier"}) {
    const auto job = method_named(name).make_job(block, arithmetic, {});
    EXPECT_THROW(make_planned_job(method_named(name), other, arithmetic, elsewhere(*job)), PlanError) << name;
  }
}

TEST(Plan, BrokenTextIsRefused) {
  Random random(13);
  const auto block = random_pattern(random, 14, 0.5);
  const Arithmetic arithmetic = residues_modulo({first_prime});
  for (const char* name : {"skipper", "pruned", "frontier", "rook", "forbert-marx"}) {
    const Method& method = method_named(name);
    if (method.obstacle(block, arithmetic) || method.nothing_to_do(block, {})) continue;
    const auto job = method.make_job(block, arithmetic, {});
    const std::string plan = job->plan();
    for (int round = 0; round < 300; ++round) {
      std::string broken = plan;
      const std::size_t at = below(random, broken.size());
      if (round % 3 == 0) broken.erase(at);
      if (round % 3 == 1) broken[at] = static_cast<char>(broken[at] ^ (1 << below(random, 7)));
      if (round % 3 == 2) broken.insert(at, "7");
      MethodOptions options;
      options.plan = broken;
      try {
        const auto again = method.make_job(block, arithmetic, options);
        // Another plan, but a sound one.
        ASSERT_EQ(run_residues(*again, arithmetic), run_residues(*job, arithmetic)) << name << ": " << broken;
      } catch (const PlanError&) {
        SUCCEED();
      }
    }
  }
}

}  // namespace
}  // namespace countpm::testing
