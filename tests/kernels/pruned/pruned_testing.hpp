#pragma once
// Random plans for the tests of pruned on the CPU and on GPUs.
#include <algorithm>
#include <numeric>
#include <random>

#include "kernels/pruned/pruned.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm::testing {

/// Any order of n columns, and any shift within +-reach.
inline void draw_order_and_shift(PrunedChoice& choice, Random& random, Index n, std::uint64_t reach) {
  choice.order.resize(n);
  std::iota(choice.order.begin(), choice.order.end(), Index{0});
  std::shuffle(choice.order.begin(), choice.order.end(), random);
  for (Index i = 0; i < n; ++i)
    choice.shift.push_back(static_cast<std::int64_t>(below(random, 2 * reach + 1)) -
                           static_cast<std::int64_t>(reach));
}

}  // namespace countpm::testing
