// The permanent modulo a power of two, against its definition; and that the check on counts uses it.
#include "src/checks/power_of_two.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "src/checks/checks.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

constexpr double ample_seconds = 10;

mpz_class modulo(const mpz_class& count, unsigned bits) {
  mpz_class residue;
  mpz_fdiv_r_2exp(residue.get_mpz_t(), count.get_mpz_t(), bits);
  return residue;
}

void expect_residue(const Block<std::int64_t>& block, const mpz_class& count, double most = ample_seconds) {
  for (const double seconds : {most, 1e-5}) {
    const auto found = permanent_modulo_power_of_two(block.matrix, seconds);
    if (!found) {
      EXPECT_LT(seconds, 0.01);
      continue;
    }
    EXPECT_LT(found->residue, std::uint64_t{1} << found->bits);
    EXPECT_EQ(mpz_class(found->residue), modulo(count, found->bits)) << found->bits;
  }
}

TEST(PowerOfTwo, OfRandomMatricesIsTheDefinitions) {
  std::mt19937_64 random(20261129);
  for (int round = 0; round < testing::repeats(600); ++round) {
    SCOPED_TRACE(round);
    const auto n = static_cast<Index>(1 + random() % 8);
    const int kind = round % 5;
    const auto block = oracle::make_block<std::int64_t>(n, n, [&](Index i, Index j) -> std::int64_t {
      const std::uint64_t draw = random();
      if (kind == 0) return static_cast<std::int64_t>(draw % 2);
      if (kind == 1) return static_cast<std::int64_t>(draw % 7) - 3;
      if (kind == 2) return static_cast<std::int64_t>(draw);            // of 64 bits and either sign
      if (kind == 3) return static_cast<std::int64_t>(2 * (draw % 5));  // no inverse: all are even
      return static_cast<std::int64_t>((i / 2 + j / 2) % 2 == 0 ? 1 : draw % 2);  // few ranks
    });
    expect_residue(block, oracle::permanent(block).re.get_num());
  }
}

// Of rank 1: n! is divisible by a high power of two.
TEST(PowerOfTwo, OfFullMatricesIsTheFactorial) {
  mpz_class factorial = 1;
  for (Index n = 1; n <= 60; ++n) {
    factorial *= n;
    expect_residue(oracle::make_block<std::int64_t>(n, n, [](Index, Index) { return 1; }), factorial, 0.02);
  }
}

// More than 64 columns: a circulant of two ones a row has two permutations, a triangle one.
TEST(PowerOfTwo, OfWideMatrices) {
  for (const Index n : {64U, 65U, 130U}) {
    expect_residue(oracle::make_block<std::int64_t>(
                       n, n, [n](Index i, Index j) { return j == i || j == (i + 1) % n ? 1 : 0; }),
                   2, 0.02);
    expect_residue(oracle::make_block<std::int64_t>(n, n, [](Index i, Index j) { return j >= i ? 1 : 0; }), 1,
                   0.02);
  }
}

TEST(PowerOfTwo, TakesAsManyBitsAsTimeAllows) {
  const auto block =
      oracle::make_block<std::int64_t>(30, 30, [](Index i, Index j) { return j >= i ? 1 : 0; });
  const auto few = permanent_modulo_power_of_two(block.matrix, 1e-4);
  const auto more = permanent_modulo_power_of_two(block.matrix, 1e-2);
  ASSERT_TRUE(few && more);
  EXPECT_LT(few->bits, more->bits);
  EXPECT_LT(few->subsets, more->subsets);
  EXPECT_FALSE(permanent_modulo_power_of_two(block.matrix, 0));
}

TEST(PowerOfTwo, AWrongCountOfRightParityIsRefused) {
  const auto ones = oracle::make_block<std::int64_t>(6, 6, [](Index, Index) { return 1; });
  ReducedBlock block;
  block.original = ones;
  block.factor = mpq_class(1);
  const auto accepts = [&](long count, double seconds) {
    Checks checks;
    try {
      verify_block(block, mpq_class(count), seconds, checks);
    } catch (const CheckError& error) {
      EXPECT_NE(std::string(error.what()).find("modulo 2^"), std::string::npos) << error.what();
      return false;
    }
    return true;
  };
  EXPECT_TRUE(accepts(720, ample_seconds));
  EXPECT_FALSE(accepts(718, ample_seconds));
  EXPECT_TRUE(accepts(718, 0));
}

TEST(PowerOfTwo, ChecksIntegersOfAnySize) {
  const mpz_class a = (mpz_class(1) << 70) + 3;
  const mpz_class b = -(mpz_class(1) << 65) - 1;
  const mpz_class c = 5;
  const mpz_class d = (mpz_class(1) << 80) + 6;
  ReducedBlock block;
  block.original = oracle::make_block<mpq_class>(
      2, 2, [&](Index i, Index j) { return mpq_class(i == 0 ? (j == 0 ? a : b) : (j == 0 ? c : d)); });
  block.factor = mpq_class(1);
  const mpq_class right(mpz_class(a * d + b * c));
  Checks checks;
  verify_block(block, right, ample_seconds, checks);
  for (const int wrong : {1, 2, 4, -2})
    EXPECT_THROW(verify_block(block, mpq_class(right + wrong), ample_seconds, checks), CheckError) << wrong;
  const auto list = checks.list();
  const auto parity =
      std::find_if(list.begin(), list.end(), [](const Check& check) { return check.name == "parity"; });
  ASSERT_NE(parity, list.end());
  EXPECT_NE(parity->detail.find("modulo 2^"), std::string::npos) << parity->detail;
}

}  // namespace
}  // namespace countpm
