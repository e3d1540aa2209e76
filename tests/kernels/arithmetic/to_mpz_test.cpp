// Machine integers as GMP ones, at the edges of their ranges.
#include "kernels/arithmetic/to_mpz.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace countpm {
namespace {

mpz_class power_of_two(unsigned exponent) {
  return mpz_class(1) << exponent;
}

TEST(ToMpz, UnsignedAndSignedDoubleWords) {
  EXPECT_EQ(to_mpz(uint128{0}), 0);
  EXPECT_EQ(to_mpz(~uint128{0}), power_of_two(128) - 1);
  EXPECT_EQ(to_mpz(uint128{1} << 64), power_of_two(64));
  EXPECT_EQ(to_mpz(int128{-1}), -1);
  EXPECT_EQ(to_mpz(-(int128{1} << 64) - 5), -power_of_two(64) - 5);
  const auto largest = static_cast<int128>(~uint128{0} >> 1);
  EXPECT_EQ(to_mpz(largest), power_of_two(127) - 1);
  EXPECT_EQ(to_mpz(-largest - 1), -power_of_two(127));
}

TEST(ToMpz, Moduli) {
  EXPECT_EQ(to_mpz(Modulus{2305843009213693951ULL, 0}), power_of_two(61) - 1);
  EXPECT_EQ(to_mpz(Modulus{0, 64}), power_of_two(64));
  EXPECT_EQ(to_mpz(Modulus{0, 128}), power_of_two(128));
}

TEST(ToMpz, Words) {
  const std::uint64_t top = std::uint64_t{1} << 63;
  const auto all = std::numeric_limits<std::uint64_t>::max();
  const std::vector<std::uint64_t> words{7, 0, top};
  EXPECT_EQ(to_mpz(words.data(), 1, true), 7);
  EXPECT_EQ(to_mpz(words.data(), 2, true), 7);
  EXPECT_EQ(to_mpz(words.data(), 3, false), power_of_two(191) + 7);
  EXPECT_EQ(to_mpz(words.data(), 3, true), 7 - power_of_two(191));
  const std::vector<std::uint64_t> minus_two{all - 1, all};
  EXPECT_EQ(to_mpz(minus_two.data(), 2, true), -2);
  EXPECT_EQ(to_mpz(minus_two.data(), 2, false), power_of_two(128) - 2);
}

}  // namespace
}  // namespace countpm
