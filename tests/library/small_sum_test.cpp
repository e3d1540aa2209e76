// Counts of a few rows, by a path of their own: those of brute force and of the whole pipeline.
#include "src/count/small_sum.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "tests/library/random_arrays.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::random_arrays;

TEST(LibrarySmallSum, IsWhatBruteForceAndThePipelineCount) {
  std::mt19937_64 random(11);
  for (int run = 0; run < testing::repeats(300); ++run) {
    const testing::Arrays arrays = random_arrays(static_cast<std::uint64_t>(run) % 8, false, random);
    const ReadResult read = read_view(arrays.view());
    const std::optional<mpz_class> sum = small_sum(read.graph, {});
    ASSERT_TRUE(sum);
    EXPECT_EQ(*sum, testing::permanent_of(arrays));
    if (run % 10 == 0) {
      EXPECT_EQ(sum->get_str(), count(read).count);
    }
  }
}

TEST(LibrarySmallSum, OfUndirectedGraphsToo) {
  std::mt19937_64 random(12);
  for (int run = 0; run < testing::repeats(300); ++run) {
    const testing::Arrays arrays = random_arrays(static_cast<std::uint64_t>(run) % 11, true, random);
    EdgeView edges;
    edges.left = arrays.size;
    std::vector<std::int64_t> from;
    std::vector<std::int64_t> to;
    std::vector<std::int64_t> weight;
    for (std::uint64_t i = 0; i < arrays.size; ++i) {
      for (std::uint64_t j = i + 1; j < arrays.size; ++j) {
        if (arrays.at(i, j) == 0) continue;
        from.push_back(static_cast<std::int64_t>(i));
        to.push_back(static_cast<std::int64_t>(j));
        weight.push_back(arrays.at(i, j));
      }
    }
    edges.from = std::span<const std::int64_t>(from);
    edges.to = std::span<const std::int64_t>(to);
    edges.weights = std::span<const std::int64_t>(weight);
    const ReadResult read = read_view(edges);
    const std::optional<mpz_class> sum = small_sum(read.graph, {});
    ASSERT_TRUE(sum);
    EXPECT_EQ(*sum, testing::hafnian_of(arrays));
    if (run % 10 == 0) {
      EXPECT_EQ(sum->get_str(), count(read).count);
    }
  }
}

TEST(LibrarySmallSum, LargeWeightsAreExactOrLeftToThePipeline) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  // One row, whose sum may be 2^63; two rows of two such weights exceed 126 bits.
  testing::Arrays one;
  one.size = 1;
  one.column = {0};
  one.weight = {least};
  one.row_start = {0, 1};
  EXPECT_EQ(small_sum(read_view(one.view()).graph, {}), mpz_class("-9223372036854775808"));
  testing::Arrays two;
  two.size = 2;
  two.column = {0, 1, 0, 1};
  two.weight = {largest, largest, largest, largest};
  two.row_start = {0, 2, 4};
  EXPECT_FALSE(small_sum(read_view(two.view()).graph, {}));
  mpz_class square = mpz_class(static_cast<long>(largest)) * mpz_class(static_cast<long>(largest));
  EXPECT_EQ(std::get<mpz_class>(permanent(two.view())), 2 * square);
}

TEST(LibrarySmallSum, IsOnlyForNumbersWithoutFurtherWishes) {
  testing::Arrays one;
  one.size = 1;
  one.column = {0};
  one.weight = {3};
  one.row_start = {0, 1};
  const Graph graph = read_view(one.view()).graph;
  EXPECT_TRUE(small_sum(graph, {}));
  Options options;
  options.double_check = true;
  EXPECT_FALSE(small_sum(graph, options));
  options = {};
  options.method = "ryser";
  EXPECT_FALSE(small_sum(graph, options));
}

}  // namespace
}  // namespace countpm
