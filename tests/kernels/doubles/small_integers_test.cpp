// Permanents and sums over injections of few integers, in words and doubles at once, against dynamic
// programming over sets with GMP.
#include "kernels/doubles/small_integers.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "kernels/arithmetic/to_mpz.hpp"
#include "tests/repeats.hpp"

namespace countpm::small_integers_test {
namespace {

using Entries = std::vector<std::int64_t>;

/// Over the sets of columns that the first rows take.
mpz_class over_column_sets(const Entries& entries, std::size_t rows, std::size_t columns) {
  std::vector<mpz_class> sum(std::size_t{1} << columns);
  sum[0] = 1;
  mpz_class all = 0;
  for (std::size_t set = 0; set < sum.size(); ++set) {
    const auto row = static_cast<std::size_t>(std::popcount(set));
    if (row == rows) all += sum[set];
    if (row >= rows) continue;
    for (std::size_t column = 0; column < columns; ++column) {
      if ((set >> column & 1) == 0)
        sum[set | std::size_t{1} << column] += sum[set] * static_cast<long>(entries[row * columns + column]);
    }
  }
  return all;
}

Entries random_entries(std::mt19937_64& random, std::size_t size, std::int64_t least, std::int64_t most,
                       double density) {
  std::uniform_int_distribution<std::int64_t> value(least, most);
  std::bernoulli_distribution there(density);
  Entries entries(size);
  std::generate(entries.begin(), entries.end(), [&] { return there(random) ? value(random) : 0; });
  return entries;
}

class SmallIntegers : public ::testing::TestWithParam<LaneChoice> {
 protected:
  void SetUp() override {
    if (!lanes_supported(GetParam())) GTEST_SKIP() << "this processor has no such instructions";
  }
};

struct Kind {
  std::int64_t least;
  std::int64_t most;
  double density;
};
constexpr Kind kinds[] = {{1, 1, 0.5}, {1, 9, 1},          {-9, 9, 1},
                          {-1, 1, 1},  {-1000, 1000, 0.8}, {1, 1 << 20, 0.7},
                          {0, 0, 1},   {-40000, -1, 1},    {-(1LL << 49), 1LL << 49, 0.3}};

TEST_P(SmallIntegers, PermanentsAreThoseOfGmp) {
  std::mt19937_64 random(1);
  std::size_t found_at_once = 0;
  for (int repetition = 0; repetition < testing::repeats(9); ++repetition) {
    for (std::size_t rows = 4; rows <= 12; ++rows) {
      for (const Kind& kind : kinds) {
        const Entries entries = random_entries(random, rows * rows, kind.least, kind.most, kind.density);
        const std::optional<int128> found = small_integer_permanent(entries, rows, GetParam());
        if (!found) continue;
        ++found_at_once;
        ASSERT_EQ(to_mpz(*found), over_column_sets(entries, rows, rows))
            << rows << " rows, up to " << kind.most;
      }
    }
  }
  EXPECT_GT(found_at_once, 11U * static_cast<std::size_t>(testing::repeats(9)));
}

TEST_P(SmallIntegers, PermanentsOfTheMostRowsToo) {
  std::mt19937_64 random(2);
  const Entries entries = random_entries(random, 13 * 13, -1, 1, 0.5);
  const std::optional<int128> found = small_integer_permanent(entries, 13, GetParam());
  ASSERT_TRUE(found);
  EXPECT_EQ(to_mpz(*found), over_column_sets(entries, 13, 13));
  // 13!
  const std::optional<int128> factorial = small_integer_permanent(Entries(169, 1), 13, GetParam());
  ASSERT_TRUE(factorial);
  EXPECT_EQ(to_mpz(*factorial), 6227020800);
}

TEST_P(SmallIntegers, BeyondSixtyFourBits) {
  // 9^12 12! has 68 bits, and 100^9 9! 79.
  const std::optional<int128> nines = small_integer_permanent(Entries(144, 9), 12, GetParam());
  ASSERT_TRUE(nines);
  EXPECT_EQ(to_mpz(*nines), mpz_class("282429536481") * mpz_class("479001600"));
  const std::optional<int128> negative = small_integer_permanent(Entries(81, -100), 9, GetParam());
  ASSERT_TRUE(negative);
  EXPECT_EQ(to_mpz(*negative), -mpz_class("1000000000000000000") * 362880);
}

TEST_P(SmallIntegers, InjectionsAreThoseOfGmp) {
  std::mt19937_64 random(3);
  std::size_t found_at_once = 0;
  for (int repetition = 0; repetition < testing::repeats(6); ++repetition) {
    for (std::size_t rows = 3; rows <= 8; ++rows) {
      for (std::size_t columns = rows; columns <= rows + 4; ++columns) {
        for (const Kind& kind : kinds) {
          const Entries entries = random_entries(random, rows * columns, kind.least, kind.most, kind.density);
          const std::optional<int128> found = small_integer_injections(entries, rows, columns, GetParam());
          if (!found) continue;
          ++found_at_once;
          ASSERT_EQ(to_mpz(*found), over_column_sets(entries, rows, columns)) << rows << " x " << columns;
        }
      }
    }
  }
  EXPECT_GT(found_at_once, 16U * static_cast<std::size_t>(testing::repeats(6)));
}

TEST_P(SmallIntegers, InjectionsOfLongRows) {
  // n! / (n - m)!
  const std::optional<int128> ones = small_integer_injections(Entries(3 * 64, 1), 3, 64, GetParam());
  ASSERT_TRUE(ones);
  EXPECT_EQ(to_mpz(*ones), 64 * 63 * 62);
  const std::optional<int128> long_side = small_integer_injections(Entries(14 * 16, 1), 14, 16, GetParam());
  ASSERT_TRUE(long_side);
  EXPECT_EQ(to_mpz(*long_side), mpz_class("10461394944000"));
}

TEST_P(SmallIntegers, RefuseWhatDoesNotFit) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  EXPECT_FALSE(small_integer_permanent(Entries(16, least), 4, GetParam()));
  EXPECT_FALSE(small_integer_permanent(Entries(13 * 13, 1000000), 13, GetParam()));
  EXPECT_FALSE(small_integer_permanent(Entries(9, 1), 3, GetParam()));
  EXPECT_FALSE(small_integer_permanent(Entries(14 * 14, 1), 14, GetParam()));
  EXPECT_FALSE(small_integer_injections(Entries(8, 1), 2, 4, GetParam()));
  EXPECT_FALSE(small_integer_injections(Entries(20, 1), 5, 4, GetParam()));
  EXPECT_FALSE(small_integer_injections(Entries(3 * 5, least), 3, 5, GetParam()));
  EXPECT_FALSE(small_integer_injections(Entries(12 * 20, 1000000000), 12, 20, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Lanes, SmallIntegers, ::testing::Values(LaneChoice::avx2, LaneChoice::avx512),
                         [](const auto& lanes) {
                           return lanes.param == LaneChoice::avx2 ? "avx2" : "avx512";
                         });

TEST(SmallIntegersElsewhere, AreForOthers) {
  EXPECT_FALSE(small_integer_permanent(Entries(16, 1), 4, LaneChoice::scalar));
  EXPECT_FALSE(small_integer_injections(Entries(12, 1), 3, 4, LaneChoice::baseline));
}

}  // namespace
}  // namespace countpm::small_integers_test
