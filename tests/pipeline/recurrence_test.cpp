// Recurrences: of made-up rational functions, and of families of lattices against published ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "graph/errors.hpp"
#include "src/number/linear_recurrence.hpp"
#include "src/series/find_recurrence.hpp"
#include "tests/repeats.hpp"

namespace countpm::recurrence_test {
namespace {

using testing::repeats;

std::vector<mpq_class> numbers(const std::vector<long>& list) {
  return {list.begin(), list.end()};
}

/// numerator / denominator as a power series.
std::vector<mpq_class> expand(const std::vector<mpq_class>& numerator,
                              const std::vector<mpq_class>& denominator, std::size_t terms) {
  std::vector<mpq_class> result;
  for (std::size_t k = 0; k < terms; ++k) {
    mpq_class next = k < numerator.size() ? numerator[k] : mpq_class(0);
    for (std::size_t i = 1; i < denominator.size() && i <= k; ++i) next -= denominator[i] * result[k - i];
    result.emplace_back(next / denominator[0]);
  }
  return result;
}

TEST(LinearRecurrence, FindsTheRationalFunctionOfItsTerms) {
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(200); ++seed) {
    std::mt19937_64 random(seed);
    const auto number = [&](bool large) {
      mpq_class value(static_cast<long>(random() % (large ? 1000000007 : 7)) - 3);
      if (random() % 4 == 0) value /= mpq_class(1 + static_cast<long>(random() % 5));
      return value;
    };
    const bool large = seed % 3 == 0;
    std::vector<mpq_class> denominator{1};
    std::vector<mpq_class> numerator;
    for (std::uint64_t k = random() % 7; k > 0; --k) denominator.push_back(number(large));
    for (std::uint64_t k = random() % 8; k > 0; --k) numerator.push_back(number(large));
    const std::vector<mpq_class> terms = expand(numerator, denominator, 40);
    const auto found = linear_recurrence(terms, 10);
    ASSERT_TRUE(found) << seed;
    EXPECT_EQ(found->order, order_modulo_a_prime(terms)) << seed;
    EXPECT_LE(found->order, std::max(denominator.size() - 1, numerator.size())) << seed;
    EXPECT_EQ(found->denominator.front(), 1);
    EXPECT_LE(found->numerator.size(), found->order);
    EXPECT_EQ(expand(found->numerator, found->denominator, 40), terms) << seed;
    EXPECT_EQ(expand(found->numerator, found->denominator, 60), expand(numerator, denominator, 60)) << seed;
  }
}

TEST(LinearRecurrence, NeedsTwoTermsForEachOrderAndFurtherOnes) {
  const std::vector<mpq_class> fibonacci = expand(numbers({1}), numbers({1, -1, -1}), 14);
  EXPECT_TRUE(linear_recurrence(fibonacci, 10));
  EXPECT_FALSE(linear_recurrence({fibonacci.begin(), fibonacci.begin() + 13}, 10));
  std::vector<mpq_class> wrong = fibonacci;
  wrong.back() += 1;
  EXPECT_FALSE(linear_recurrence(wrong, 10));
  // By what the primes of the list have in common nothing is hidden.
  wrong = fibonacci;
  wrong.back() += mpq_class(mpz_class("2305843009213693951"));
  EXPECT_FALSE(linear_recurrence(wrong, 10));
  EXPECT_EQ(linear_recurrence(std::vector<mpq_class>(12), 10)->order, 0);
}

TEST(LargestRoot, IsInItsInterval) {
  // (t - 2) (t + 3) (t^2 - 7): the square root of 7.
  const auto root = largest_positive_root(numbers({42, -7, -13, 1, 1}), 64);
  ASSERT_TRUE(root);
  EXPECT_LE(root->lower * root->lower, 7);
  EXPECT_GE(root->upper * root->upper, 7);
  EXPECT_LT(root->upper - root->lower, 1e-18);
  const auto two = largest_positive_root(numbers({-2, 1}), 64);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->upper, 2);
  EXPECT_FALSE(largest_positive_root(numbers({1, 1}), 64));
  EXPECT_FALSE(largest_positive_root(numbers({1, 0, 1}), 64));
  EXPECT_FALSE(largest_positive_root(numbers({5}), 64));
}

TEST(LargestRoot, TextOfPolynomials) {
  EXPECT_EQ(polynomial_text(numbers({1, -1, -5, 0, 1}), "x"), "1 - x - 5 x^2 + x^4");
  EXPECT_EQ(polynomial_text(numbers({0, -1}), "t"), "-t");
  EXPECT_EQ(polynomial_text({mpq_class(0), mpq_class(2, 3)}, "x"), "2/3 x");
  EXPECT_EQ(polynomial_text({}, "x"), "0");
}

FamilyRecurrence found(const char* family) {
  SeriesOptions options;
  options.count.device = "cpu";
  return find_recurrence(family, options, {}, [] {});
}

// R. P. Stanley, On dimer coverings of rectangles of fixed width, Discrete Appl. Math. 12 (1985) 81; OEIS
// A000045, A005178 (4 x n), A001835 (3 x 2n).
TEST(FamilyRecurrences, OfBoards) {
  const FamilyRecurrence two = found("lattice:square:2xN");
  EXPECT_EQ(two.coefficients(), numbers({1, 1}));
  EXPECT_TRUE(two.proved);
  ASSERT_TRUE(two.growth);
  EXPECT_NEAR(two.growth->lower.get_d(), (1 + std::sqrt(5)) / 2, 1e-15);
  const FamilyRecurrence four = found("lattice:square:4xN");
  EXPECT_EQ(four.coefficients(), numbers({1, 5, 1, -1}));
  EXPECT_EQ(four.values, numbers({1, 5, 11, 36}));
  EXPECT_EQ(four.step, 1);
  EXPECT_TRUE(four.proved);
  EXPECT_EQ(*four.order_bound, 16);
  const FamilyRecurrence three = found("lattice:square:Nx3");
  EXPECT_EQ(three.step, 2);
  EXPECT_EQ(three.first, 2);
  EXPECT_EQ(three.coefficients(), numbers({4, -1}));
  EXPECT_EQ(three.values, numbers({3, 11}));
  ASSERT_TRUE(three.growth);
  EXPECT_NEAR(three.growth->upper.get_d(), 2 + std::sqrt(3), 1e-14);
}

TEST(FamilyRecurrences, OfARange) {
  const FamilyRecurrence four = found("lattice:square:4x1..4x30");
  EXPECT_EQ(four.coefficients(), numbers({1, 5, 1, -1}));
  EXPECT_EQ(four.terms, 30);
  EXPECT_EQ(four.checked, 22);
  const FamilyRecurrence every_other = found("lattice:square:4x2..4x40:step=2");
  EXPECT_EQ(every_other.step, 2);
  EXPECT_EQ(every_other.recurrence.order, 4);
  try {
    found("lattice:square:4x1..4x17");
    FAIL() << "17 terms are 8 for the order and 9 to check";
  } catch (const UnableError& error) {
    EXPECT_NE(error.remedy().find("more"), std::string::npos) << error.remedy();
  }
}

// OEIS A028452 has the terms, and F. J. Faase's recurrence of order 23 (On the number of specific spanning
// subgraphs of the graphs G x P_n, Ars Combinatoria 49 (1998) 129), of which this is a factor.
TEST(FamilyRecurrences, OfColumnsOfCubes) {
  const FamilyRecurrence cubes = found("lattice:cubic:3x3xN");
  EXPECT_EQ(cubes.step, 2);
  EXPECT_EQ(cubes.recurrence.order, 19);
  EXPECT_EQ(cubes.values.front(), 229);
  EXPECT_EQ(cubes.values.at(1), 117805);
  EXPECT_FALSE(cubes.proved);
  EXPECT_EQ(*cubes.order_bound, 512);
  EXPECT_TRUE(cubes.growth);
}

TEST(FamilyRecurrences, RefusesOthers) {
  EXPECT_THROW(found("lattice:square:4x4"), UsageError);
  EXPECT_THROW(found("lattice:square:NxN"), UsageError);
  EXPECT_THROW(found("graph.edgelist"), UsageError);
  EXPECT_THROW(found("lattice:nothing:4xN"), UsageError);
  EXPECT_FALSE(is_open_family("lattice:square:4x4"));
  EXPECT_TRUE(is_open_family("lattice:cubic:3xNx3:weights=1,2,3"));
}

}  // namespace
}  // namespace countpm::recurrence_test
