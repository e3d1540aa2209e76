// Integers of several words against GMP's.
#include "kernels/arithmetic/wide_integer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

#include "kernels/arithmetic/to_mpz.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;

/// As two's complement of so many words.
mpz_class wrapped(const mpz_class& value, unsigned words) {
  mpz_class rest;
  mpz_fdiv_r_2exp(rest.get_mpz_t(), value.get_mpz_t(), mp_bitcnt_t{64} * words);
  return from_twos_complement(rest, 64 * words);
}

/// Any length up to 64 bits, zero and the extremes among them.
std::int64_t random_factor(Random& random) {
  if (below(random, 16) == 0) return std::array<std::int64_t, 3>{0, INT64_MIN, INT64_MAX}[below(random, 3)];
  return static_cast<std::int64_t>(random()) >> below(random, 64);
}

template <unsigned W>
void expect_products_and_sums() {
  Random random(69);
  for (int round = 0; round < 300; ++round) {
    WideInteger<W> product = WideInteger<W>::of(std::int64_t{1});
    WideInteger<W> sum = WideInteger<W>::of(std::int64_t{-5});
    std::vector<WideInteger<W>> parts{sum};
    mpz_class expected = 1;
    mpz_class expected_sum = -5;
    for (int k = 0; k < 8; ++k) {
      const std::int64_t factor = random_factor(random);
      if (k % 2 == 0) {
        product.multiply(factor);
      } else {
        product.multiply(WideInteger<W>::of(factor));
      }
      expected *= static_cast<long>(factor);
      const bool minus = below(random, 2) == 0;
      if (k % 3 == 0) {
        sum.add(product);
        expected_sum += expected;
        parts.push_back(product);
      } else {
        sum.add(product, minus);
        expected_sum += minus ? mpz_class(-expected) : expected;
        parts.emplace_back();
        parts.back().add(product, minus);
      }
    }
    ASSERT_EQ(to_mpz(product), wrapped(expected, W)) << "round " << round;
    ASSERT_EQ(to_mpz(sum), wrapped(expected_sum, W)) << "round " << round;
    ASSERT_EQ(sum_as_mpz(parts), wrapped(expected_sum, W)) << "round " << round;
    const WideInteger<W> before = sum;
    add_words(sum.word, product.word);
    subtract_words(sum.word, product.word);
    ASSERT_EQ(to_mpz(sum), to_mpz(before)) << "round " << round;
  }
}

TEST(WideInteger, ProductsAndSums) {
  expect_products_and_sums<1>();
  expect_products_and_sums<2>();
  expect_products_and_sums<3>();
  expect_products_and_sums<4>();
  expect_products_and_sums<8>();
}

/// Products that are known to be short, by words and by limbs.
TEST(WideInteger, ProductsThatGrow) {
  Random random(70);
  for (int round = 0; round < 300; ++round) {
    constexpr unsigned W = 3;
    WideInteger<W> words = WideInteger<W>::of(std::int64_t{1});
    std::uint32_t limb[2 * W] = {1};
    mpz_class by_words = 1;
    mpz_class by_limbs = 1;
    for (unsigned size = 1; size <= 5; ++size) {
      const std::uint64_t factor = random() >> below(random, 64);
      words.multiply(factor, size < W ? size : W);
      by_words *= static_cast<unsigned long>(factor);
      const auto short_factor = static_cast<std::uint32_t>(factor);
      limb[size] = multiply_limbs(limb, size, short_factor);
      by_limbs *= short_factor;
    }
    ASSERT_EQ(to_mpz(words), wrapped(by_words, W)) << "round " << round;
    ASSERT_EQ(to_mpz(WideInteger<W>::of(limb)), wrapped(by_limbs, W)) << "round " << round;
  }
}

TEST(WideInteger, OfNegativeNumbers) {
  EXPECT_EQ(to_mpz(WideInteger<3>::of(std::int64_t{-7})), -7);
  EXPECT_EQ(to_mpz(WideInteger<1>::of(INT64_MIN)), -(mpz_class(1) << 63));
  EXPECT_EQ(from_twos_complement(mpz_class(255), 8), -1);
  EXPECT_EQ(from_twos_complement(mpz_class(127), 8), 127);
}

}  // namespace
}  // namespace countpm
