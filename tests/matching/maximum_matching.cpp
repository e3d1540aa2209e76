// Hopcroft-Karp against plain augmenting paths and Boost, Hall violators checked, hard families in linear
// time.
#include "matching/maximum_matching.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <functional>

#include "tests/matching/support.hpp"
#include "tests/shared_files.hpp"

namespace countpm::maximum_matching_test {
namespace {

using namespace testing_support;

/// One augmenting path after another (Kuhn): the oracle.
Index simple_matching_size(const SparsePattern& pattern) {
  std::vector<Index> mate(pattern.columns, no_index);
  Index size = 0;
  for (Index i = 0; i < pattern.rows; ++i) {
    std::vector<bool> seen(pattern.columns, false);
    const std::function<bool(Index)> grow = [&](Index row) {
      for (std::uint64_t k = pattern.row_start[row]; k < pattern.row_start[row + 1]; ++k) {
        const Index j = pattern.column[k];
        if (seen[j]) continue;
        seen[j] = true;
        if (mate[j] == no_index || grow(mate[j])) {
          mate[j] = row;
          return true;
        }
      }
      return false;
    };
    size += grow(i) ? 1 : 0;
  }
  return size;
}

Index boost_matching_size(const SparsePattern& pattern) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(pattern.rows + pattern.columns);
  for (Index i = 0; i < pattern.rows; ++i) {
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
      boost::add_edge(i, pattern.rows + pattern.column[k], graph);
    }
  }
  std::vector<std::size_t> mate(pattern.rows + pattern.columns);
  boost::edmonds_maximum_cardinality_matching(graph, mate.data());
  return static_cast<Index>(boost::matching_size(graph, mate.data()));
}

/// A matching of the pattern, mates agree, and its size is what it says.
void expect_valid(const SparsePattern& pattern, const Matching& matching) {
  ASSERT_EQ(matching.row_mate.size(), pattern.rows);
  ASSERT_EQ(matching.column_mate.size(), pattern.columns);
  Index size = 0;
  for (Index i = 0; i < pattern.rows; ++i) {
    const Index j = matching.row_mate[i];
    if (j == no_index) continue;
    ++size;
    ASSERT_EQ(matching.column_mate.at(j), i);
    const auto begin = pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[i]);
    const auto end = pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[i + 1]);
    ASSERT_TRUE(std::binary_search(begin, end, j));
  }
  for (Index j = 0; j < pattern.columns; ++j) {
    if (matching.column_mate[j] == no_index) continue;
    ASSERT_EQ(matching.row_mate.at(matching.column_mate[j]), j);
  }
  ASSERT_EQ(size, matching.size);
}

/// The neighbours are exactly those of the vertices, and too few.
void expect_violates(const SparsePattern& pattern, const HallViolator& violator) {
  const SparsePattern lines = violator.of_rows ? pattern : transpose(pattern);
  std::set<Index> neighbours;
  for (const Index i : violator.vertices) {
    ASSERT_LT(i, lines.rows);
    for (std::uint64_t k = lines.row_start[i]; k < lines.row_start[i + 1]; ++k)
      neighbours.insert(lines.column[k]);
  }
  ASSERT_TRUE(std::is_sorted(violator.vertices.begin(), violator.vertices.end()));
  ASSERT_EQ(std::set<Index>(violator.vertices.begin(), violator.vertices.end()).size(),
            violator.vertices.size());
  ASSERT_EQ(std::vector<Index>(neighbours.begin(), neighbours.end()), violator.neighbours);
  ASSERT_EQ(violator.neighbours.size() + 1, violator.vertices.size());
}

TEST(MaximumMatching, AgreesWithAugmentingPathsAndBoost) {
  Random random(1);
  for (int round = 0; round < 4000; ++round) {
    const Index rows = random.below(24);
    const Index columns = random.below(24);
    const double density = (0.5 + (random.below(40)) * 0.1) / (1 + std::max(rows, columns));
    const SparsePattern pattern = random_pattern(rows, columns, std::min(1.0, density), random);
    const Matching matching = maximum_matching(pattern);
    ASSERT_NO_FATAL_FAILURE(expect_valid(pattern, matching)) << "round " << round << "\n" << show(pattern);
    ASSERT_EQ(matching.size, simple_matching_size(pattern)) << "round " << round << "\n" << show(pattern);
    ASSERT_EQ(matching.size, boost_matching_size(pattern)) << "round " << round << "\n" << show(pattern);
    if (matching.size < std::max(rows, columns)) {
      const HallViolator violator = hall_violator(pattern, matching);
      ASSERT_EQ(violator.of_rows, matching.size < rows);
      ASSERT_NO_FATAL_FAILURE(expect_violates(pattern, violator)) << "round " << round << "\n"
                                                                  << show(pattern);
    }
  }
}

TEST(MaximumMatching, AgreesOnLargerRandomGraphs) {
  Random random(2);
  for (int round = 0; round < 60; ++round) {
    const Index n = 200 + random.below(300);
    const SparsePattern pattern = random_pattern(n, n, (1.5 + (random.below(30)) * 0.1) / n, random);
    const Matching matching = maximum_matching(pattern);
    ASSERT_NO_FATAL_FAILURE(expect_valid(pattern, matching));
    ASSERT_EQ(matching.size, simple_matching_size(pattern)) << "round " << round;
  }
}

TEST(MaximumMatching, StructuralRanksOfTheCollection) {
  const auto table = shared_files::table("matrices/MANIFEST.tsv");
  if (table.empty()) GTEST_SKIP() << "no ../shared";
  int seen = 0;
  for (std::size_t k = 1; k < table.size(); ++k) {
    const auto pattern = shared_files::pattern_of("matrices/" + table[k].at(0) + ".mtx");
    if (!pattern) continue;
    EXPECT_EQ(std::to_string(maximum_matching(*pattern).size), table[k].at(7)) << table[k][0];
    ++seen;
  }
  EXPECT_GT(seen, 0);
}

/// Staircases of paths of all lengths, from which Karp-Sipser's guesses go wrong and Hopcroft-Karp needs many
/// phases: rows i of path p see columns i and i + 1, each path closed by a row that sees only its first
/// column and by a free column.
TEST(MaximumMatching, HardFamiliesStayFast) {
  // A grid's black and white squares, 1000 x 1000.
  const Index side = 1000;
  SparsePattern grid;
  grid.rows = grid.columns = side * side / 2;
  for (Index y = 0; y < side; ++y) {
    for (Index x = y % 2; x < side; x += 2) {
      std::vector<Index> near;
      if (y > 0) near.push_back(((y - 1) * side + x) / 2);
      if (x > 0) near.push_back((y * side + x - 1) / 2);
      if (x + 1 < side) near.push_back((y * side + x + 1) / 2);
      if (y + 1 < side) near.push_back(((y + 1) * side + x) / 2);
      std::sort(near.begin(), near.end());
      grid.column.insert(grid.column.end(), near.begin(), near.end());
      grid.row_start.push_back(grid.column.size());
    }
  }
  EXPECT_EQ(maximum_matching(grid).size, grid.rows);

  // Three entries a row, columns of every degree: a few thousand rows stay unmatched.
  Random random(3);
  const Index n = 200'000;
  SparsePattern sparse;
  sparse.rows = sparse.columns = n;
  for (Index i = 0; i < n; ++i) {
    std::set<Index> line;
    while (line.size() < 3) line.insert(random.below(n));
    sparse.column.insert(sparse.column.end(), line.begin(), line.end());
    sparse.row_start.push_back(sparse.column.size());
  }
  const Matching matching = maximum_matching(sparse);
  ASSERT_NO_FATAL_FAILURE(expect_valid(sparse, matching));
  if (matching.size < n) {
    ASSERT_NO_FATAL_FAILURE(expect_violates(sparse, hall_violator(sparse, matching)));
  }

  // Upper triangular, dense: one perfect matching only.
  const Index m = 2000;
  SparsePattern triangle;
  triangle.rows = triangle.columns = m;
  for (Index i = 0; i < m; ++i) {
    for (Index j = i; j < m; ++j) triangle.column.push_back(j);
    triangle.row_start.push_back(triangle.column.size());
  }
  EXPECT_EQ(maximum_matching(triangle).size, m);
}

}  // namespace
}  // namespace countpm::maximum_matching_test
