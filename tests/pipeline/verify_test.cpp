// The checks on results: they pass on what is right and, above all, fail on what is wrong.
#include "src/checks/checks.hpp"

#include <gtest/gtest.h>

#include <random>

#include "kernels/arithmetic/ball.hpp"
#include "tests/pipeline/small_inputs.hpp"

namespace countpm {
namespace {

using testing::all_ones;

ReducedBlock reduced_of(Block<std::int64_t> block) {
  ReducedBlock reduced;
  reduced.original = std::move(block);
  reduced.factor = mpq_class(1);
  return reduced;
}

bool accepts(const ReducedBlock& block, const mpq_class& count) {
  Checks checks;
  try {
    verify_block(block, count, 0, checks);
  } catch (const CheckError&) {
    return false;
  }
  return true;
}

TEST(Verify, AcceptsTheTruthAndRejectsWhatCannotBe) {
  const ReducedBlock block = reduced_of(all_ones(4));  // 4! = 24, and Bregman-Minc is tight
  EXPECT_TRUE(accepts(block, 24));
  EXPECT_FALSE(accepts(block, 0)) << "there is a perfect matching";
  EXPECT_FALSE(accepts(block, -24)) << "no weight is negative";
  EXPECT_FALSE(accepts(block, 23)) << "the determinant is even";
  EXPECT_FALSE(accepts(block, 26)) << "above Bregman-Minc";
  EXPECT_FALSE(accepts(block, mpq_class(49, 2))) << "not an integer";
}

TEST(Verify, AFailedCheckNamesBothValues) {
  Checks checks;
  try {
    verify_block(reduced_of(all_ones(4)), mpq_class(26), 0, checks);
    FAIL();
  } catch (const CheckError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("26"), std::string::npos) << text;
    EXPECT_NE(text.find("2^4.58"), std::string::npos) << text;
  }
}

bool within_bounds(const AnyBlock& block, const Number& count) {
  Checks checks;
  std::uint64_t entries = most_entries_to_bound;
  try {
    verify_certified_bounds(block, count, entries, checks);
  } catch (const CheckError& error) {
    EXPECT_NE(std::string(error.what()).find("certified bounds"), std::string::npos);
    return false;
  }
  EXPECT_EQ(checks.list().size(), 1U);
  EXPECT_TRUE(checks.list().front().ran);
  return true;
}

// Gurvits' bound and Bregman-Minc's meet at 6! = 720: what is off by 2 is refused, on both sides.
TEST(Verify, CertifiedBoundsRejectWhatIsTooSmallOrTooLarge) {
  const AnyBlock ones = all_ones(6);
  EXPECT_TRUE(within_bounds(ones, mpq_class(720)));
  EXPECT_FALSE(within_bounds(ones, mpq_class(718)));
  EXPECT_FALSE(within_bounds(ones, mpq_class(722)));
  EXPECT_FALSE(within_bounds(ones, mpq_class(0)));

  Block<mpq_class> thirds;  // 2 x 2, every entry 1/3: 2/9
  thirds.matrix.rows = thirds.matrix.columns = 2;
  thirds.matrix.row_start = {0, 2, 4};
  thirds.matrix.column = {0, 1, 0, 1};
  thirds.matrix.value.assign(4, mpq_class(1, 3));
  EXPECT_TRUE(within_bounds(thirds, mpq_class(2, 9)));
  EXPECT_FALSE(within_bounds(thirds, mpq_class(1, 10)));
  EXPECT_FALSE(within_bounds(thirds, mpq_class(2, 8)));
}

TEST(Verify, CertifiedBoundsOfBalls) {
  const AnyBlock ones = all_ones(6);
  const auto ball = [](long value, long error) {
    Ball result = ball_from(mpq_class(value), 128);
    mpfr_set_si(result.error.get(), error, MPFR_RNDU);
    return Number(result);
  };
  EXPECT_TRUE(within_bounds(ones, ball(720, 0)));
  EXPECT_TRUE(within_bounds(ones, ball(710, 11))) << "a number in it is right";
  EXPECT_TRUE(within_bounds(ones, ball(730, 11)));
  EXPECT_TRUE(within_bounds(ones, ball(1, 1000)));
  EXPECT_FALSE(within_bounds(ones, ball(710, 9)));
  EXPECT_FALSE(within_bounds(ones, ball(730, 9)));
}

TEST(Verify, CertifiedBoundsAreLeftOutWhereTheyWouldTakeLongOrDoNotHold) {
  Checks checks;
  std::uint64_t entries = 50;
  verify_certified_bounds(all_ones(6), mpq_class(720), entries, checks);
  EXPECT_EQ(entries, 14U);
  verify_certified_bounds(all_ones(6), mpq_class(1), entries, checks);
  EXPECT_EQ(entries, 14U);
  Block<std::int64_t> negative = all_ones(3);
  negative.matrix.value[4] = -1;
  verify_certified_bounds(negative, mpq_class(0), entries, checks);
  const std::vector<Check> list = checks.list();
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].name, "certified bounds");
  EXPECT_NE(list[0].detail.find("left out: "), std::string::npos) << list[0].detail;
  EXPECT_EQ(entries_to_bound(0), entries_to_bound(0.01));
  EXPECT_LT(entries_to_bound(0.01), entries_to_bound(10));
  EXPECT_EQ(entries_to_bound(1e9), most_entries_to_bound);
}

TEST(Verify, ParityOfDeterminantsAgainstExpansion) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 500; ++trial) {
    const auto n = static_cast<Index>(1 + random() % 7);
    SparseMatrix<std::int64_t> matrix;
    matrix.rows = matrix.columns = n;
    std::vector<std::uint64_t> odd(n, 0);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        const auto value = static_cast<std::int64_t>(random() % 7) - 3;
        if (value == 0) continue;
        matrix.column.push_back(j);
        matrix.value.push_back(value);
        if (value % 2 != 0) odd[i] |= std::uint64_t{1} << j;
      }
      matrix.row_start.push_back(matrix.column.size());
    }
    // The parity of the number of permutations, by sets of columns.
    std::vector<bool> ways(std::size_t{1} << n, false);
    ways[0] = true;
    for (std::size_t set = 0; set + 1 < ways.size(); ++set) {
      if (!ways[set]) continue;
      const auto row = static_cast<std::size_t>(__builtin_popcountll(set));
      for (Index j = 0; j < n; ++j) {
        const std::size_t bit = std::size_t{1} << j;
        if ((set & bit) == 0 && (odd[row] >> j & 1U) != 0) ways[set | bit] = !ways[set | bit];
      }
    }
    EXPECT_EQ(odd_determinant(matrix), ways.back()) << "trial " << trial;
  }
}

TEST(Verify, WideDeterminants) {
  // The identity plus everything above the diagonal is unimodular at any size, and so is no matrix with two
  // equal rows.
  for (const Index n : {63U, 64U, 65U, 200U}) {
    Block<std::int64_t> block;
    block.matrix.rows = block.matrix.columns = n;
    for (Index i = 0; i < n; ++i) {
      for (Index j = i; j < n; ++j) {
        block.matrix.column.push_back(j);
        block.matrix.value.push_back(1);
      }
      block.matrix.row_start.push_back(block.matrix.column.size());
    }
    EXPECT_TRUE(odd_determinant(block.matrix)) << n;
    EXPECT_FALSE(odd_determinant(all_ones(n).matrix)) << n;
  }
}

}  // namespace
}  // namespace countpm
