// The checks on whole runs, which counts and the counted parts of estimates share.
#include "src/checks/count_checks.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "graph/errors.hpp"
#include "src/structure/analysis.hpp"
#include "tests/kernels/oracle.hpp"

namespace countpm {
namespace {

struct Counted {
  std::vector<PlannedBlock> planned;
  BlockCounts counts;
};

/// A full n x n block, n! matchings, planned and counted.
Counted counted_ones(Index n) {
  CountOptions options;
  options.threads = 1;
  options.device = "cpu";
  for (const RuleInfo& rule : rules()) options.rules.drop(rule.rule);
  Monitor monitor(options);
  const Resources resources = resources_for(options);
  RuleTally tally;
  std::vector<ReducedBlock> blocks;
  blocks.push_back(reduce_block(oracle::make_block<std::int64_t>(n, n, [](Index, Index) { return 1; }),
                                options.rules, tally));
  Counted result;
  result.planned = plan_blocks(std::move(blocks), WeightKind::none, options, resources, monitor);
  result.counts =
      run_planned(result.planned, number_arithmetic(WeightKind::none, options), "count", resources, monitor);
  return result;
}

bool accepts(const Counted& counted) {
  Checks checks;
  try {
    verify_blocks(counted.planned, counted.counts, Problem::perfect_matchings, checks);
    return true;
  } catch (const CheckError&) {
    return false;
  }
}

TEST(CountChecks, WholeBlocksAreCheckedAgainstTheirBounds) {
  Counted counted = counted_ones(6);
  EXPECT_EQ(std::get<mpq_class>(counted.counts.counts[0]), 720);
  EXPECT_TRUE(accepts(counted));
  // Even and below Bregman-Minc: only the certified bounds know better.
  counted.counts.counts[0] = mpq_class(718);
  EXPECT_FALSE(accepts(counted));
  counted.counts.counts[0] = mpq_class(721);
  EXPECT_FALSE(accepts(counted));
}

// What is counted of a block whose rest is sampled is no count of the block, but within its own bound.
TEST(CountChecks, PartsOfSampledBlocksAreCheckedAsFarAsTheyGo) {
  Counted counted = counted_ones(6);
  counted.planned[0].sampled = {1};
  counted.counts.counts[0] = mpq_class(718);
  EXPECT_TRUE(accepts(counted));
  counted.counts.numbers[0][0] = mpq_class(mpz_class(1) << 60U);  // as a wrong residue would make it
  EXPECT_FALSE(accepts(counted));
}

// Where a count took long, one of its units is run again by another path.
TEST(CountChecks, AUnitOfALongCountIsRunAgain) {
  const CountOptions options;
  const Monitor monitor(options);
  Counted counted = counted_ones(6);
  TaskResult& result = counted.counts.results[0][0];
  ASSERT_TRUE(result.sampled_unit);
  const auto row = [&] {
    Checks checks;
    rerun_sampled_units(counted.planned, counted.counts, monitor, checks);
    return checks.list();
  };
  EXPECT_TRUE(row().empty());
  result.thread_seconds = 10;
  result.sampled_seconds = 1;
  ASSERT_EQ(row().size(), 1U);
  EXPECT_TRUE(row().front().ran);
  EXPECT_NE(row().front().detail.find("gave the same residue by itself"), std::string::npos);
  std::get<Residues>(result.sampled_value).residue.back() += 1;
  EXPECT_THROW(row(), CheckError);
  // A unit that is most of the count is not.
  result.sampled_seconds = 9;
  EXPECT_FALSE(row().front().ran);
}

}  // namespace
}  // namespace countpm
