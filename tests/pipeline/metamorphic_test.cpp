// What must happen to the count when the matrix changes in a known way.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/pipeline/random_instances.hpp"

namespace countpm::metamorphic_test {
namespace {

using testing::Entry;
using testing::TestMatrix;

std::string count_of(const TestMatrix& matrix) {
  return count(testing::to_graph(matrix), {}).count;
}

class Metamorphic : public ::testing::Test {
 protected:
  // Sparse enough to have structure, large enough that the oracle is not asked.
  TestMatrix next() {
    testing::MatrixShape shape;
    shape.n = static_cast<Index>(4 + random() % 11);
    shape.density = 0.2 + 0.05 * static_cast<double>(random() % 10);
    shape.kind = static_cast<WeightKind>(random() % 3);
    shape.negative = shape.kind != WeightKind::none && random() % 2 == 0;
    return testing::random_matrix(shape, random);
  }
  std::vector<Index> permutation(Index n) {
    std::vector<Index> result(n);
    std::iota(result.begin(), result.end(), 0U);
    std::shuffle(result.begin(), result.end(), random);
    return result;
  }
  std::mt19937_64 random{20261121};
  const int trials = testing::repeats(150);
};

TEST_F(Metamorphic, TransposeKeepsTheCount) {
  for (int t = 0; t < trials; ++t) {
    const TestMatrix matrix = next();
    TestMatrix other = matrix;
    for (Entry& e : other.entries) std::swap(e.row, e.column);
    EXPECT_EQ(count_of(matrix), count_of(other)) << matrix.to_text();
  }
}

TEST_F(Metamorphic, RowAndColumnPermutationsKeepTheCount) {
  for (int t = 0; t < trials; ++t) {
    const TestMatrix matrix = next();
    TestMatrix other = matrix;
    const std::vector<Index> rows = permutation(matrix.n);
    const std::vector<Index> columns = permutation(matrix.n);
    for (Entry& e : other.entries) e = {rows[e.row], columns[e.column], e.value};
    std::shuffle(other.entries.begin(), other.entries.end(), random);
    EXPECT_EQ(count_of(matrix), count_of(other)) << matrix.to_text();
  }
}

TEST_F(Metamorphic, BlocksMultiply) {
  for (int t = 0; t < trials; ++t) {
    TestMatrix a = next();
    TestMatrix b = next();
    b.kind = a.kind = std::max(a.kind, b.kind);
    const mpq_class expected = mpq_class(count_of(a)) * mpq_class(count_of(b));
    TestMatrix both = a;
    both.n = a.n + b.n;
    for (const Entry& e : b.entries) both.entries.push_back({e.row + a.n, e.column + a.n, e.value});
    // Entries from the first block to the second lie in no perfect matching.
    for (int extra = 0; extra < 5; ++extra) {
      const auto row = static_cast<Index>(random() % a.n);
      const auto column = static_cast<Index>(a.n + random() % b.n);
      const bool there = std::any_of(both.entries.begin(), both.entries.end(),
                                     [&](const Entry& e) { return e.row == row && e.column == column; });
      if (!there) both.entries.push_back({row, column, {1, 0}});
    }
    EXPECT_EQ(count_of(both), expected.get_str()) << both.to_text();
  }
}

TEST_F(Metamorphic, ADanglingPairKeepsTheCount) {
  for (int t = 0; t < trials; ++t) {
    const TestMatrix matrix = next();
    TestMatrix other = matrix;
    other.n = matrix.n + 1;
    other.entries.push_back({matrix.n, matrix.n, {1, 0}});
    other.entries.push_back({static_cast<Index>(random() % matrix.n), matrix.n, {1, 0}});
    EXPECT_EQ(count_of(matrix), count_of(other)) << matrix.to_text();
  }
}

TEST_F(Metamorphic, AScaledRowScalesTheCount) {
  for (int t = 0; t < trials; ++t) {
    TestMatrix matrix = next();
    matrix.kind = WeightKind::rational;
    const mpq_class expected = mpq_class(count_of(matrix)) * mpq_class(-7, 3);
    TestMatrix other = matrix;
    for (Entry& e : other.entries) {
      if (e.row == 1) e.value.re *= mpq_class(-7, 3);
    }
    EXPECT_EQ(count_of(other), expected.get_str()) << matrix.to_text();
  }
}

TEST_F(Metamorphic, TheCountSplitsOverAnEntry) {
  // per(A) = per(A without the entry) + value * per(A without its row and column).
  for (int t = 0; t < trials; ++t) {
    const TestMatrix matrix = next();
    if (matrix.entries.empty()) continue;
    const std::size_t at = random() % matrix.entries.size();
    const Entry entry = matrix.entries[at];
    TestMatrix without = matrix;
    without.entries.erase(without.entries.begin() + static_cast<std::ptrdiff_t>(at));
    TestMatrix minor = matrix;
    minor.entries.clear();
    minor.n = matrix.n - 1;
    for (const Entry& e : matrix.entries) {
      if (e.row == entry.row || e.column == entry.column) continue;
      minor.entries.push_back(
          {e.row - (e.row > entry.row ? 1 : 0), e.column - (e.column > entry.column ? 1 : 0), e.value});
    }
    const mpq_class expected = mpq_class(count_of(without)) + entry.value.re * mpq_class(count_of(minor));
    EXPECT_EQ(count_of(matrix), expected.get_str()) << matrix.to_text();
  }
}

}  // namespace
}  // namespace countpm::metamorphic_test
