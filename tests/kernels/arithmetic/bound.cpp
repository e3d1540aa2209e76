// The bound is never below the truth, and tight where Bregman-Minc is.
#include "kernels/arithmetic/bound.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/arithmetic/big_float.hpp"
#include "kernels/arithmetic/up_float.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::repeats;

/// |per| * denominator <= 2^bound, in exact numbers: compares squares, 2^bound as floor of a rational below
/// it.
bool holds(const AnyBlock& block) {
  const ComplexRational value = oracle::permanent(block);
  const mpq_class scale(denominator(block));
  const mpq_class square = (value.re * value.re + value.im * value.im) * scale * scale;
  if (square == 0) return log2_upper_bound(block) >= 0;
  BigFloat limit(mpfr_prec_t{256});
  mpfr_set_d(limit.get(), 2 * log2_upper_bound(block), MPFR_RNDD);
  mpfr_exp2(limit.get(), limit.get(), MPFR_RNDU);
  return mpfr_cmp_q(limit.get(), square.get_mpq_t()) >= 0;
}

TEST(Bound, RootsOfUpFloatsAreRoundedUp) {
  EXPECT_EQ(UpFloat::root({}).mantissa, 0);
  EXPECT_EQ(log2_up(UpFloat::root(UpFloat::of(mpz_class(mpz_class(1) << 50)))), 25);
  oracle::Random random(3);
  for (int round = 0; round < 1000; ++round) {
    const UpFloat value{static_cast<double>(oracle::uniform(random, 1 << 20, (1 << 21) - 1)) / (1 << 21),
                        oracle::uniform(random, -99, 99)};
    const UpFloat root = UpFloat::root(value);
    // within a unit of the root: exact in 128 bits
    BigFloat square(root.mantissa, 128);
    mpfr_mul(square.get(), square.get(), square.get(), MPFR_RNDN);
    mpfr_mul_2si(square.get(), square.get(), 2 * root.exponent - value.exponent, MPFR_RNDN);
    EXPECT_GE(mpfr_cmp_d(square.get(), value.mantissa), 0) << round;
    EXPECT_LE(square.to_double(), value.mantissa * (1 + 0x1p-50)) << round;
  }
}

TEST(Bound, NeverBelowTheTruth) {
  oracle::Random random(1);
  for (int round = 0; round < repeats(1500); ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 0, 6));
    const double density = static_cast<double>(oracle::uniform(random, 2, 10)) / 10;
    const AnyBlock blocks[] = {oracle::random_block<std::int64_t>(random, n, density, 1, 1),
                               oracle::random_block<std::int64_t>(random, n, density, -5, 5),
                               oracle::random_block_with_classes<std::int64_t>(random, n, density, 1, 3),
                               oracle::random_block_with_classes<mpq_class>(random, n, density, -9, 9),
                               oracle::random_block<mpq_class>(random, n, density, 1, 1000000000),
                               oracle::random_block<ComplexRational>(random, n, density, -9, 9)};
    for (const AnyBlock& block : blocks)
      ASSERT_TRUE(holds(block)) << "round " << round << '\n' << oracle::show(block);
  }
}

TEST(Bound, IsNearTheLargestTermWhereWeightsAreFarApart) {
  oracle::Random random(3);
  for (int round = 0; round < repeats(150); ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 1, 6));
    const bool classes = round % 3 == 0;
    AnyBlock block = classes ? oracle::random_block_with_classes<mpq_class>(random, n, 0.7, 1, 9)
                             : oracle::random_block<mpq_class>(random, n, 0.7, 1, 9);
    for (mpq_class& value : std::get<Block<mpq_class>>(block).matrix.value)
      value *= mpz_class(1) << static_cast<unsigned>(oracle::uniform(random, 0, 40) * 50);
    ASSERT_TRUE(holds(block)) << "round " << round << '\n' << oracle::show(block);
    const mpq_class truth = oracle::permanent(block).re * denominator(block);
    if (truth == 0) continue;
    const auto bits = static_cast<double>(mpz_sizeinbase(truth.get_num_mpz_t(), 2));
    // n! terms at most, and a few bits for every line and entry that is not a power of two.
    ASSERT_LE(log2_upper_bound(block), bits + 5.0 * n + 10) << "round " << round << '\n'
                                                            << oracle::show(block);
  }
}

TEST(Bound, TightForAllOnes) {
  for (Index n = 1; n <= 150; ++n) {
    const AnyBlock ones = oracle::pattern_block(n, [](Index, Index) { return true; });
    const double truth = std::lgamma(n + 1.0) / std::log(2.0);
    EXPECT_NEAR(log2_upper_bound(ones), truth, 1e-11 * (1 + truth)) << n;
  }
}

TEST(Bound, TightForAllOnesWithMultiplicity) {
  Block<std::int64_t> block =
      oracle::make_block<std::int64_t>(10, 2, [](Index, Index) { return std::int64_t{1}; });
  block.multiplicity = {3, 7};
  EXPECT_NEAR(log2_upper_bound(block), std::log2(3628800.0), 1e-12);
}

TEST(Bound, TightForDiagonals) {
  EXPECT_EQ(log2_upper_bound(Block<std::int64_t>{}), 0);
  EXPECT_EQ(log2_upper_bound(oracle::pattern_block(1000, [](Index i, Index j) { return i == j; })), 0);
  const auto diagonal =
      oracle::make_block<std::int64_t>(20, 20, [](Index i, Index j) { return i == j ? std::int64_t{8} : 0; });
  EXPECT_NEAR(log2_upper_bound(diagonal), 60, 1e-12);
  const auto extreme =
      oracle::make_block<std::int64_t>(2, 2, [](Index i, Index j) { return i == j ? INT64_MIN : 0; });
  EXPECT_NEAR(log2_upper_bound(extreme), 126, 1e-12);
}

TEST(Bound, RationalsAreScaledRowByRow) {
  const auto block =
      oracle::make_block<mpq_class>(2, 2, [](Index i, Index j) { return mpq_class(1, i == 0 ? 2 + j : 5); });
  EXPECT_EQ(denominator(block), 30);
  // Scaled: (3 2; 1 1), permanent 5.
  EXPECT_NEAR(log2_upper_bound(block), std::log2(6.0), 1e-12);  // 3 sqrt(2) * sqrt(2), by rows
  EXPECT_TRUE(holds(block));
  EXPECT_EQ(denominator(Block<std::int64_t>{}), 1);
}

TEST(Bound, HasNegative) {
  const auto one = [](auto value) {
    return oracle::make_block<decltype(value)>(1, 1, [&](Index, Index) { return value; });
  };
  EXPECT_FALSE(has_negative(one(std::int64_t{1})));
  EXPECT_TRUE(has_negative(one(std::int64_t{-1})));
  EXPECT_FALSE(has_negative(one(mpq_class(1, 3))));
  EXPECT_TRUE(has_negative(one(mpq_class(-1, 3))));
  EXPECT_FALSE(has_negative(one(ComplexRational{1, 0})));
  EXPECT_TRUE(has_negative(one(ComplexRational{1, 1})));
}

TEST(UpFloat, RoundsUpAndKeepsExactNumbers) {
  oracle::Random random(2);
  const auto exact = [](const UpFloat& x) {
    return mpq_class(mpq_class(x.mantissa) * (x.exponent >= 0 ? mpq_class(mpz_class(1) << x.exponent)
                                                              : mpq_class(1, mpz_class(1) << -x.exponent)));
  };
  for (int round = 0; round < 5000; ++round) {
    const auto draw = [&] {
      mpq_class value(mpz_class(static_cast<unsigned long>(random() >> random() % 64)) << random() % 80,
                      1 + (random() >> random() % 64));
      value.canonicalize();
      return value;
    };
    const mpq_class a = draw();
    const mpq_class b = draw();
    const UpFloat x = UpFloat::of(a);
    const UpFloat y = UpFloat::of(b);
    ASSERT_GE(exact(x), a);
    ASSERT_LE(exact(x), a * mpq_class(1 + 0x1p-50));
    ASSERT_GE(exact(x + y), exact(x) + exact(y));
    ASSERT_LE(exact(x + y), (exact(x) + exact(y)) * mpq_class(1 + 0x1p-51));
    ASSERT_GE(exact(x * y), exact(x) * exact(y));
    ASSERT_LE(exact(x * y), exact(x) * exact(y) * mpq_class(1 + 0x1p-51));
  }
  EXPECT_EQ(exact(UpFloat::of(mpz_class(3)) + UpFloat::of(mpz_class(4))), 7);
  EXPECT_EQ(exact(UpFloat::of(mpz_class(3)) * UpFloat::of(mpz_class(4))), 12);
  EXPECT_GT(exact(UpFloat::of(mpz_class(1)) + UpFloat{0.5, -100000}), 1);
}

}  // namespace
}  // namespace countpm
