// Fine Dulmage-Mendelsohn blocks: correct on small matrices, and no recursion on deep ones.
#include "matching/structure.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/matching/support.hpp"

namespace countpm {
namespace {

using namespace testing_support;

/// Entries that lie in some perfect matching, by trying all permutations.
std::set<std::pair<Index, Index>> entries_in_perfect_matchings(const SparsePattern& pattern) {
  std::vector<std::vector<bool>> has(pattern.rows, std::vector<bool>(pattern.columns, false));
  for (Index i = 0; i < pattern.rows; ++i) {
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k)
      has[i][pattern.column[k]] = true;
  }
  std::set<std::pair<Index, Index>> result;
  std::vector<Index> permutation(pattern.rows);
  std::iota(permutation.begin(), permutation.end(), 0);
  do {
    bool all = true;
    for (Index i = 0; i < pattern.rows && all; ++i) all = has[i][permutation[i]];
    for (Index i = 0; i < pattern.rows && all; ++i) result.emplace(i, permutation[i]);
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  return result;
}

TEST(Structure, KeepsExactlyTheEntriesInPerfectMatchings) {
  Random random(20261121);
  for (int round = 0; round < 3000; ++round) {
    const Index n = 1 + random.below(6);
    const SparsePattern pattern = random_pattern(n, n, 0.15 + 0.1 * (random.below(6)), random);
    const auto wanted = entries_in_perfect_matchings(pattern);
    const Structure structure = analyse(pattern);
    ASSERT_EQ(structure.violator.has_value(), wanted.empty()) << "round " << round << "\n" << show(pattern);
    if (structure.violator) continue;
    const BlockDecomposition& blocks = structure.decomposition;
    ASSERT_EQ(pattern.entries() - blocks.entries_dropped, wanted.size()) << "round " << round << "\n"
                                                                         << show(pattern);
    std::vector<int> row_count(blocks.blocks, 0);
    std::vector<int> column_count(blocks.blocks, 0);
    for (Index i = 0; i < n; ++i) {
      ++row_count.at(blocks.row_block[i]);
      ++column_count.at(blocks.column_block[i]);
      for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
        const Index j = pattern.column[k];
        ASSERT_EQ(blocks.row_block[i] == blocks.column_block[j], wanted.count({i, j}) == 1) << show(pattern);
        ASSERT_LE(blocks.row_block[i], blocks.column_block[j]) << "not block upper triangular\n"
                                                               << show(pattern);
      }
    }
    ASSERT_EQ(row_count, column_count);
    ASSERT_EQ(std::count(row_count.begin(), row_count.end(), 0), 0);
  }
}

TEST(Structure, EmptyMatrixHasNoBlocks) {
  const Structure structure = analyse(SparsePattern{});
  EXPECT_FALSE(structure.violator);
  EXPECT_EQ(structure.decomposition.blocks, 0U);
}

TEST(Structure, RectanglesHaveAViolator) {
  const Structure tall = analyse(pattern_of(3, 2, {{0, 0}, {1, 1}, {2, 0}}));
  ASSERT_TRUE(tall.violator);
  EXPECT_TRUE(tall.violator->of_rows);
  const Structure wide = analyse(pattern_of(2, 3, {{0, 0}, {1, 1}, {1, 2}}));
  ASSERT_TRUE(wide.violator);
  EXPECT_FALSE(wide.violator->of_rows);
  EXPECT_EQ(wide.violator->vertices, (std::vector<Index>{1, 2}));
  EXPECT_EQ(wide.violator->neighbours, (std::vector<Index>{1}));
  const Structure none = analyse(pattern_of(0, 1, {}));
  ASSERT_TRUE(none.violator);
  EXPECT_FALSE(none.violator->of_rows);
}

/// Runs in a thread with a small stack: what recursed on the input's depth would crash.
void with_small_stack(std::function<void()> body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, std::size_t{256} << 10), 0);
  pthread_t thread{};
  const auto run = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &body), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

/// Entries (i, i) and (i, i + 1), the last one wrapping around where `cyclic`.
SparsePattern bidiagonal(Index n, bool cyclic) {
  SparsePattern pattern;
  pattern.rows = pattern.columns = n;
  for (Index i = 0; i < n; ++i) {
    if (i + 1 < n) {
      pattern.column.push_back(i);
      pattern.column.push_back(i + 1);
    } else {
      if (cyclic) pattern.column.push_back(0);
      pattern.column.push_back(i);
    }
    pattern.row_start.push_back(pattern.column.size());
  }
  return pattern;
}

TEST(Structure, DeepGraphsNeedNoStack) {
  const Index n = 1'000'000;
  with_small_stack([&] {
    const Structure path = analyse(bidiagonal(n, false));
    EXPECT_EQ(path.decomposition.blocks, n);
    EXPECT_EQ(path.decomposition.entries_dropped, n - 1);
    const Structure cycle = analyse(bidiagonal(n, true));
    EXPECT_EQ(cycle.decomposition.blocks, 1U);
    EXPECT_EQ(cycle.decomposition.entries_dropped, 0U);
  });
}

}  // namespace
}  // namespace countpm
