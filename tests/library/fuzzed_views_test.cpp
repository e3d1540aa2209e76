// Arrays made of random bytes, sound or not: what clang's fuzzer looks at with more patience
// (tests/fuzz/views.cpp).
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/fuzz/check_views.hpp"
#include "tests/repeats.hpp"

namespace countpm::test {
namespace {

TEST(FuzzedViews, AreRefusedOrReadAsTheyAre) {
  int graphs = 0;
  const int repeats = countpm::testing::repeats(6000);
  for (int seed = 1; seed <= repeats; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<std::uint8_t> bytes(random() % 160);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    // Small numbers make sound arrays.
    if (seed % 2 == 0) {
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(byte % 32);
    }
    EXPECT_NO_THROW(graphs += fuzz::check_views(bytes.data(), bytes.size()) ? 1 : 0) << "seed " << seed;
  }
  // Both ways out are taken often.
  EXPECT_GT(graphs, repeats / 20);
  EXPECT_LT(graphs, repeats - repeats / 20);
}

}  // namespace
}  // namespace countpm::test
