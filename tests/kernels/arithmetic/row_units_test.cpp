// Rows as whole numbers: the same permanent, and sums that fit the bits asked for.
#include "kernels/arithmetic/row_units.hpp"

#include <gtest/gtest.h>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/ryser/ryser.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm::row_units_test {
namespace {

using namespace countpm::testing;

template <class Value>
Block<Value> square(const std::vector<std::vector<Value>>& rows) {
  Block<Value> block;
  block.matrix.rows = block.matrix.columns = static_cast<Index>(rows.size());
  for (const auto& row : rows) {
    for (Index j = 0; j < row.size(); ++j) {
      block.matrix.column.push_back(j);
      block.matrix.value.push_back(row[j]);
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

mpq_class q(const char* text) {
  mpq_class value(text);
  value.canonicalize();
  return value;
}

TEST(RowUnits, DecimalsAndFractions) {
  const auto units = in_row_units(square<mpq_class>({{q("1/10"), q("3/100")}, {q("2/3"), q("-4/3")}}), 53);
  ASSERT_TRUE(units);
  const auto& block = std::get<Block<mpq_class>>(units->block);
  EXPECT_EQ(block.matrix.value, (std::vector<mpq_class>{10, 3, 1, -2}));
  EXPECT_EQ(units->factor, q("2/300"));
}

TEST(RowUnits, ComplexNumbersHaveOneUnitARow) {
  const auto units =
      in_row_units(square<ComplexRational>({{{q("1/2"), q("1/3")}, {0, -1}}, {{4, 0}, {0, 6}}}), 53);
  ASSERT_TRUE(units);
  const auto& value = std::get<Block<ComplexRational>>(units->block).matrix.value;
  EXPECT_EQ(value[0].re, 3);
  EXPECT_EQ(value[0].im, 2);
  EXPECT_EQ(value[1].im, -6);
  EXPECT_EQ(value[2].re, 2);
  EXPECT_EQ(value[3].im, 3);
  EXPECT_EQ(units->factor, q("1/3"));
}

TEST(RowUnits, TheLargestSumsThatFit) {
  const mpz_class half = mpz_class(1) << 52;
  // Twice the sum is 2^53; one more is too much. The 1 keeps the unit at 1.
  EXPECT_TRUE(in_row_units(square<mpq_class>({{mpq_class(half - 1), 1}, {1, 1}}), 53));
  EXPECT_FALSE(in_row_units(square<mpq_class>({{mpq_class(half), 1}, {1, 1}}), 53));
  EXPECT_FALSE(in_row_units(square<mpq_class>({{mpq_class(half - 1), 1}, {1, 1}}), 52));
  EXPECT_FALSE(in_row_units(square<mpq_class>({{mpq_class(-half), 1}, {1, 1}}), 53));
  EXPECT_FALSE(
      in_row_units(square<ComplexRational>({{{mpq_class(half - 1), 1}, {1, 0}}, {{1, 0}, {1, 0}}}), 53));
  // What a row has in common does not count.
  EXPECT_TRUE(in_row_units(square<mpq_class>({{mpq_class(half), mpq_class(half)}, {1, 1}}), 53));
  EXPECT_TRUE(in_row_units(square<mpq_class>({{q("1/1000000000000000000000"), 0}, {1, 1}}), 53));
  EXPECT_FALSE(in_row_units(square<mpq_class>({{q("1/1000000000000000000000"), 1}, {1, 1}}), 53));
}

TEST(RowUnits, CopiesOfAColumnCount) {
  auto block = square<mpq_class>({{1, 2}, {1, 1}, {1, 3}});
  block.matrix.rows = 3;
  block.multiplicity = {2, 1};
  EXPECT_TRUE(in_row_units(block, 4));  // 2 (2 + 3) = 10
  EXPECT_FALSE(in_row_units(block, 3));
  EXPECT_EQ(std::get<Block<mpq_class>>(in_row_units(block, 4)->block).multiplicity, block.multiplicity);
}

TEST(RowUnits, RowsOfNothing) {
  Block<std::int64_t> empty;
  EXPECT_TRUE(in_row_units(empty, 53));
  const auto zeros = in_row_units(square<mpq_class>({{0, 0}, {q("1/2"), 1}}), 53);
  ASSERT_TRUE(zeros);
  EXPECT_EQ(zeros->factor, q("1/2"));
}

TEST(RowUnits, ThePermanentIsTheSame) {
  Random random(3);
  int whole = 0;
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<Index>(below(random, 7));
    const auto block = random_block<mpq_class>(random, n, 0.7, true, [&] { return random_rational(random); });
    const auto units = in_row_units(block, 53);
    if (!units) continue;
    ++whole;
    const auto& own = std::get<Block<mpq_class>>(units->block);
    for (const mpq_class& value : own.matrix.value) EXPECT_EQ(value.get_den(), 1);
    EXPECT_EQ(permanent_by_states(own) * units->factor, permanent_by_states(block));
  }
  EXPECT_GT(whole, 50);
}

// Of a matrix without a common unit the entries are rounded so that row sums are not.
TEST(RowUnits, ErrorsAreOfProductsAndEntriesAlone) {
  Random random(4);
  Arithmetic arithmetic;
  arithmetic.kind = Arithmetic::Kind::floating;
  arithmetic.precision = Precision::kahan;
  const StopSignal never;
  const auto error_share = [&](const AnyBlock& block) {
    const auto job = ryser_method().make_job(block, arithmetic, {});
    Ball sum = zero_ball(ball_bits(arithmetic));
    for (std::uint64_t unit = 0; unit < job->units(); ++unit) add(sum, std::get<Ball>(job->run(unit, never)));
    return sum.error.to_double() / sum.re.to_double();
  };
  const auto decimals = random_block<mpq_class>(
      random, 12, 1, true, [&] { return mpq_class(static_cast<long>(1 + below(random, 999)), 1000); });
  auto others = decimals;
  for (std::size_t k = 0; k < others.matrix.value.size(); ++k)
    others.matrix.value[k] += mpq_class(1, 1000003 + static_cast<long>(k));
  EXPECT_FALSE(in_row_units(others, 53));
  EXPECT_LT(error_share(decimals), 1e-11);
  EXPECT_LT(error_share(others), 1e-11);
}

}  // namespace
}  // namespace countpm::row_units_test
