#include "src/matchings/matching_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <random>

#include "graph/errors.hpp"
#include "src/matchings/bounded_count.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

SparsePattern pattern_of(const std::vector<std::vector<Index>>& rows, Index columns) {
  SparsePattern pattern;
  pattern.rows = static_cast<Index>(rows.size());
  pattern.columns = columns;
  for (const auto& row : rows) {
    pattern.column.insert(pattern.column.end(), row.begin(), row.end());
    pattern.row_start.push_back(pattern.column.size());
  }
  return pattern;
}

bool has_entry(const SparsePattern& pattern, Index row, Index column) {
  const auto first = pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[row]);
  const auto last =
      pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[row + std::size_t{1}]);
  return std::binary_search(first, last, column);
}

// By definition: the permutations in lexicographic order that meet only entries.
std::vector<std::vector<Index>> by_definition(const SparsePattern& pattern) {
  std::vector<Index> permutation(pattern.rows);
  std::iota(permutation.begin(), permutation.end(), Index{0});
  std::vector<std::vector<Index>> found;
  do {
    bool inside = true;
    for (Index i = 0; i < pattern.rows && inside; ++i) inside = has_entry(pattern, i, permutation[i]);
    if (inside) found.push_back(permutation);
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  return found;
}

std::vector<std::vector<Index>> by_search(const SparsePattern& pattern, std::uint64_t skipped = 0,
                                          std::size_t most = 1'000'000) {
  Structure structure = analyse(pattern);
  if (structure.violator) return {};
  MatchingSearch search(pattern, std::move(structure), {});
  search.skip(skipped);
  std::vector<std::vector<Index>> found;
  while (found.size() < most && search.next()) found.push_back(search.row_mate());
  return found;
}

SparsePattern random_pattern(std::mt19937_64& random, Index size, double density) {
  std::vector<std::vector<Index>> rows(size);
  std::bernoulli_distribution entry(density);
  for (auto& row : rows) {
    for (Index j = 0; j < size; ++j) {
      if (entry(random)) row.push_back(j);
    }
  }
  return pattern_of(rows, size);
}

std::string text_of(const SparsePattern& pattern) {
  std::string text;
  for (Index i = 0; i < pattern.rows; ++i) {
    for (Index j = 0; j < pattern.columns; ++j) text += has_entry(pattern, i, j) ? '1' : '0';
    text += '\n';
  }
  return text;
}

TEST(MatchingSearch, EqualsTheDefinitionOnRandomPatterns) {
  constexpr std::uint64_t seed = 20251;
  std::mt19937_64 random(seed);
  int nonzero = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto size = static_cast<Index>(random() % 7);
    const SparsePattern pattern = random_pattern(random, size, 0.2 + 0.1 * static_cast<double>(random() % 8));
    const auto expected = by_definition(pattern);
    ASSERT_EQ(by_search(pattern), expected) << "seed " << seed << " round " << round << "\n"
                                            << text_of(pattern);
    nonzero += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(nonzero, 1000);
}

TEST(MatchingSearch, RangesAreSlicesOfTheWhole) {
  constexpr std::uint64_t seed = 77;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 300; ++round) {
    const SparsePattern pattern = random_pattern(random, static_cast<Index>(random() % 8), 0.5);
    const auto whole = by_search(pattern);
    for (int slice = 0; slice < 5; ++slice) {
      const std::uint64_t skipped = random() % (whole.size() + 2);
      const std::size_t most = random() % 5;
      std::vector<std::vector<Index>> expected;
      for (std::uint64_t k = skipped; k < whole.size() && expected.size() < most; ++k)
        expected.push_back(whole[k]);
      ASSERT_EQ(by_search(pattern, skipped, most), expected)
          << "seed " << seed << " round " << round << " skipped " << skipped << "\n"
          << text_of(pattern);
    }
  }
}

TEST(MatchingSearch, TheEmptyPatternHasOneMatching) {
  EXPECT_EQ(by_search(pattern_of({}, 0)), std::vector<std::vector<Index>>{{}});
  EXPECT_EQ(by_search(pattern_of({}, 0), 1).size(), 0U);
}

// Rows i and entries i, i + 1 (mod n): two matchings, and one class of 10^5 rows.
TEST(MatchingSearch, ALongCycleNeedsNoStack) {
  constexpr Index size = 100'000;
  std::vector<std::vector<Index>> rows(size);
  for (Index i = 0; i < size; ++i) rows[i] = {std::min(i, (i + 1) % size), std::max(i, (i + 1) % size)};
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(by_search(pattern_of(rows, size)).size(), 2U);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

// Disjoint squares, 2^squares matchings. Far into them by whole branches.
TEST(MatchingSearch, JumpsFarInto) {
  // A search that went through them one by one would never end.
  const Index squares = testing::sanitized ? 600 : 10'000;
  std::vector<std::vector<Index>> rows;
  for (Index s = 0; s < squares; ++s) rows.insert(rows.end(), 2, {2 * s, 2 * s + 1});
  const SparsePattern pattern = pattern_of(rows, 2 * squares);
  constexpr std::uint64_t number = 0x9234'5678'9abc'def0;
  const auto found = by_search(pattern, number, 1);
  ASSERT_EQ(found.size(), 1U);
  // The number in binary, the last square the least significant digit: 1 means crossed.
  for (Index s = 0; s < squares; ++s) {
    const Index digit = squares - 1 - s;
    const Index crossed = digit < 64 ? static_cast<Index>(number >> digit & 1) : 0;
    ASSERT_EQ(found[0][2 * s], 2 * s + crossed) << s;
  }
}

// The 8 x 8 board by itself: its last matching is number 12988816 (Kasteleyn 1961; Temperley, Fisher 1961).
TEST(MatchingSearch, JumpsToTheLastMatchingOfTheBoard) {
  std::vector<std::vector<Index>> rows(32);
  const auto number = [](int r, int c) { return static_cast<Index>((r * 8 + c) / 2); };
  for (int r = 0; r < 8; ++r) {
    for (int c = r % 2; c < 8; c += 2) {
      auto& row = rows[number(r, c)];
      if (r > 0) row.push_back(number(r - 1, c));
      if (c > 0) row.push_back(number(r, c - 1));
      if (c < 7) row.push_back(number(r, c + 1));
      if (r < 7) row.push_back(number(r + 1, c));
      std::sort(row.begin(), row.end());
    }
  }
  const SparsePattern pattern = pattern_of(rows, 32);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(by_search(pattern, 12'988'815).size(), 1U);
  EXPECT_EQ(by_search(pattern, 12'988'816).size(), 0U);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(MatchingSearch, StopsWhenAsked) {
  const SparsePattern pattern = pattern_of(std::vector<std::vector<Index>>(4, {0, 1, 2, 3}), 4);
  int polls = 0;
  MatchingSearch search(pattern, analyse(pattern), [&] { return ++polls > 5; });
  EXPECT_THROW(while (search.next()){}, InterruptedError);
}

TEST(BoundedCount, EqualsTheDefinition) {
  constexpr std::uint64_t seed = 5;
  std::mt19937_64 random(seed);
  for (int round = 0; round < testing::repeats(4000); ++round) {
    const SparsePattern pattern = random_pattern(random, static_cast<Index>(random() % 8), 0.6);
    std::vector<Index> rows(pattern.rows);
    std::iota(rows.begin(), rows.end(), Index{0});
    ASSERT_EQ(bounded_count(pattern, rows, [](Index) { return true; }), by_definition(pattern).size())
        << "seed " << seed << " round " << round << "\n"
        << text_of(pattern);
  }
}

TEST(BoundedCount, SaturatesAndGivesUp) {
  std::vector<std::vector<Index>> squares;
  for (Index s = 0; s < 70; ++s) squares.insert(squares.end(), 2, {2 * s, 2 * s + 1});
  std::vector<Index> rows(140);
  std::iota(rows.begin(), rows.end(), Index{0});
  EXPECT_EQ(bounded_count(pattern_of(squares, 140), rows, [](Index) { return true; }),
            std::numeric_limits<std::uint64_t>::max());
  std::vector<Index> all(70);
  std::iota(all.begin(), all.end(), Index{0});
  const SparsePattern full = pattern_of(std::vector<std::vector<Index>>(70, all), 70);
  EXPECT_FALSE(bounded_count(full, all, [](Index) { return true; }).has_value());
}

}  // namespace
}  // namespace countpm
