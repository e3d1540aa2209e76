// Weights of thousands of bits: primes beside long denominators, and rates that know how long products take.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/prime_divisors.hpp"
#include "kernels/subsets/wide_products.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;

TEST(WideWeights, WhichPrimesDivide) {
  Random random(701);
  std::vector<std::uint64_t> primes;
  for (const Modulus& modulus : choose_primes(600)) primes.push_back(modulus.prime);
  for (const unsigned prime : {2U, 3U, 5U, 10007U}) primes.push_back(prime);
  for (int round = 0; round < repeats(60); ++round) {
    mpz_class value = 1;
    std::vector<bool> expected(primes.size(), false);
    for (std::uint64_t k = below(random, 40); k > 0; --k) {
      const std::size_t at = below(random, primes.size());
      expected[at] = true;
      value *= static_cast<unsigned long>(primes[at]);
    }
    if (round % 2 == 0) value *= 101;
    ASSERT_EQ(which_divide(primes, value), expected) << round;
  }
  EXPECT_EQ(which_divide(primes, 0), std::vector<bool>(primes.size(), true));
  EXPECT_TRUE(which_divide({}, 6).empty());
}

// The list without those that divide, across batches.
TEST(WideWeights, PrimesThatDivideAreLeftOut) {
  const std::vector<Modulus> all = choose_primes(700);
  mpz_class product = 15;
  std::vector<Modulus> expected;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k % 7 == 0) {
      product *= static_cast<unsigned long>(all[k].prime);
    } else {
      expected.push_back(all[k]);
    }
  }
  EXPECT_EQ(choose_primes(static_cast<unsigned>(expected.size()), {6, product}), expected);
}

TEST(WideWeights, AnObstacleNamesTheDenominator) {
  const std::vector<Modulus> primes = choose_primes(300);
  Block<mpq_class> block = dense_block<mpq_class>({{1, mpq_class(2, 3)}, {mpq_class(1, 5), 1}}, 2);
  Arithmetic arithmetic;
  arithmetic.moduli = primes;
  EXPECT_FALSE(obstacle(block, arithmetic));
  block.matrix.value[1] =
      mpq_class(mpz_class(1), mpz_class(static_cast<unsigned long>(primes[299].prime)) * 9);
  block.matrix.value[1].canonicalize();
  const auto found = obstacle(block, arithmetic);
  ASSERT_TRUE(found);
  EXPECT_NE(found->text.find(std::to_string(primes[299].prime)), std::string::npos) << found->text;
  arithmetic.moduli = {Modulus{0, 64}};
  EXPECT_FALSE(obstacle(block, arithmetic));
  block.matrix.value[2] = mpq_class(1, 6);
  EXPECT_TRUE(obstacle(block, arithmetic));
}

/// 14 rows of odd integers of that many bits, with a denominator.
Block<mpq_class> long_block(unsigned bits) {
  std::vector<std::vector<mpq_class>> rows(14, std::vector<mpq_class>(14));
  for (Index i = 0; i < 14; ++i) {
    for (Index j = 0; j < 14; ++j) rows[i][j] = mpq_class((mpz_class(1) << bits) + 2 * i + j, 3);
    for (mpq_class& value : rows[i]) value.canonicalize();
  }
  return dense_block(rows, 14);
}

// A term of 14 rows multiplies 14 integers: of 30,000 bits each in about a millisecond, which the rates for
// 64 bits had as nothing. In seconds, because methods count their work in terms, in visits, or in visits with
// up to 512 products each.
TEST(WideWeights, ForecastsKnowHowLongProductsTake) {
  const auto seconds_of = [](const char* method, unsigned bits) {
    const AnyBlock block = long_block(bits);
    const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
    const auto job = method_named(method).make_job(block, arithmetic, {});
    return std::exp2(job->log2_work()) / job->nominal_rate();
  };
  for (const char* method : {"ryser", "sparyser", "skipper", "pruned"}) {
    const double narrow = seconds_of(method, 10);
    const double wide = seconds_of(method, 3000);
    const double wider = seconds_of(method, 30000);
    EXPECT_GT(wide, 20 * narrow) << method;
    EXPECT_GT(wider, 10 * wide) << method;
    EXPECT_GT(wider, (1 << 14) / 5000.0) << method;
  }
}

TEST(WideWeights, SlicesThatMeasureAreShort) {
  const IntegerColumns<std::int64_t> narrow;
  EXPECT_EQ(columns_of_slice(narrow, 1e3, 0.001, 16), 16U);
  EXPECT_FALSE(is_too_slow_to_measure(narrow, 0.001));
  IntegerColumns<mpz_class> wide;
  wide.row_bound.assign(14, mpz_class(1) << 30000);
  EXPECT_EQ(columns_of_slice(wide, 1e3, 0.001, 16), 1U);
  EXPECT_EQ(columns_of_slice(wide, 1e9, 1, 16), 16U);
  EXPECT_TRUE(is_too_slow_to_measure(wide, 0.1));
  EXPECT_GT(term_seconds(wide), 1e-4);
  EXPECT_LT(term_seconds(wide), 1e-1);
}

}  // namespace
}  // namespace countpm
