// Domino shuffling: tilings, all of them, as often as they weigh.
#include "kernels/planar/passes/aztec_shuffle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace countpm {
namespace {

using Cells = std::vector<Heading>;

bool is_horizontal(Heading heading) {
  return heading == Heading::north || heading == Heading::south;
}

/// How many dominoes are horizontal; -1 where the cells are no tiling.
int horizontal_dominoes(const Cells& cells, std::size_t order) {
  const std::size_t side = 2 * order;
  std::vector<bool> covered(cells.size(), false);
  int horizontal = 0;
  for (std::size_t r = 0; r < side; ++r) {
    for (std::size_t c = 0; c < side; ++c) {
      const std::size_t at = r * side + c;
      const std::size_t half = std::min(r + 1, side - r);
      const bool inside = c >= order - half && c < order + half;
      if (inside != (cells[at] != Heading::none)) return -1;
      if (!inside || covered[at]) continue;
      const std::size_t other = at + (is_horizontal(cells[at]) ? 1 : side);
      if (other >= cells.size() || covered[other] || cells[other] != cells[at]) return -1;
      covered[at] = covered[other] = true;
      if (is_horizontal(cells[at])) ++horizontal;
    }
  }
  return horizontal;
}

TEST(AztecShuffle, TilesTheDiamond) {
  const StopSignal stop;
  for (std::uint64_t order = 1; order <= 24; ++order) {
    CounterRandom random(order, 2, 3);
    const Cells cells = shuffle_aztec(order, 1, 1, random, stop);
    EXPECT_GE(horizontal_dominoes(cells, order), 0) << order;
  }
  StopSignal stopped;
  stopped.request();
  CounterRandom random(1, 2, 3);
  EXPECT_THROW(shuffle_aztec(5, 1, 1, random, stopped), Stopped);
}

/// 2^(n(n+1)/2) tilings; with k pairs of horizontal dominoes and m of vertical ones each weighs 2^(2k) here,
/// a tiling having as many as n(n+1)/2 pairs in all. Chi-square, a six-sigma event.
TEST(AztecShuffle, EveryTilingAsOftenAsItWeighs) {
  const StopSignal stop;
  for (const long horizontal : {1L, 2L}) {
    for (const std::uint64_t order : {1U, 2U, 3U}) {
      constexpr std::uint64_t draws = 20000;
      std::map<Cells, std::uint64_t> seen;
      for (std::uint64_t k = 0; k < draws; ++k) {
        CounterRandom random(7, order, k);
        ++seen[shuffle_aztec(order, horizontal, 1, random, stop)];
      }
      const double pairs = static_cast<double>(order * (order + 1)) / 2;
      ASSERT_EQ(seen.size(), std::exp2(pairs));
      const double all = std::pow(static_cast<double>(horizontal * horizontal) + 1, pairs);
      double chi_square = 0;
      for (const auto& [cells, times] : seen) {
        const int dominoes = horizontal_dominoes(cells, order);
        ASSERT_GE(dominoes, 0);
        const double expected = std::pow(static_cast<double>(horizontal), dominoes) / all * draws;
        chi_square += std::pow(static_cast<double>(times) - expected, 2) / expected;
      }
      const double freedom = static_cast<double>(seen.size()) - 1;
      EXPECT_LT(chi_square, freedom + 6 * std::sqrt(2 * freedom) + 18) << order << ", weight " << horizontal;
    }
  }
}

}  // namespace
}  // namespace countpm
