#include "matching/loop_matching.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm::loop_matching_test {
namespace {

bool found(const oracle::Table& a, std::uint64_t left) {
  if (left == 0) return true;
  const auto v = static_cast<std::size_t>(__builtin_ctzll(left));
  const std::uint64_t others = left & (left - 1);
  if (a[v][v].re != 0 && found(a, others)) return true;
  for (std::size_t w = v + 1; w < a.size(); ++w) {
    const std::uint64_t bit = std::uint64_t{1} << w;
    if ((others & bit) != 0 && a[v][w].re != 0 && found(a, others & ~bit)) return true;
  }
  return false;
}

TEST(LoopMatching, AsASearchFinds) {
  oracle::Random random(8);
  int with = 0;
  const auto rounds = testing::repeats<int>(600);
  for (int round = 0; round < rounds; ++round) {
    const auto n = static_cast<Index>(oracle::uniform(random, 1, 8));
    const double density = static_cast<double>(oracle::uniform(random, 1, 5)) / 10;
    std::vector<std::vector<char>> entry(n, std::vector<char>(n, 0));
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j <= i; ++j)
        entry[i][j] = entry[j][i] = oracle::random_value<std::int64_t>(random, density, 1, 1) != 0 ? 1 : 0;
    }
    Block<std::int64_t> block = oracle::pattern_block(n, [&](Index i, Index j) { return entry[i][j] != 0; });
    block.general = block.monomers = true;
    const bool any = found(oracle::table(block), (std::uint64_t{1} << n) - 1);
    with += any ? 1 : 0;
    EXPECT_EQ(has_loop_matching(AnyBlock(block)), any) << oracle::show(block);
  }
  EXPECT_GT(with, rounds / 10);
  EXPECT_LT(with, rounds - rounds / 10);
}

}  // namespace
}  // namespace countpm::loop_matching_test
