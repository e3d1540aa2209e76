// Sums over dense complex matrices without a plan: those in 300 bits, within their error.
#include "src/count/dense_complex_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>
#include <span>
#include <vector>

#include "src/api/entries.hpp"
#include "src/count/small_value.hpp"
#include "src/library/countpm.hpp"
#include "src/library/matrices.hpp"
#include "tests/repeats.hpp"

namespace countpm::dense_complex_sum_test {
namespace {

using Matrix = std::vector<std::vector<std::complex<double>>>;

template <class Random>
Matrix random_matrix(std::size_t lines, bool symmetric, Random& random) {
  std::normal_distribution<double> part;
  Matrix matrix(lines, std::vector<std::complex<double>>(lines));
  for (std::size_t i = 0; i < lines; ++i) {
    for (std::size_t j = 0; j < lines; ++j)
      matrix[i][j] = symmetric && j < i ? matrix[j][i] : std::complex<double>(part(random), part(random));
  }
  return matrix;
}

/// Every entry but those that are 0, as a bipartite graph.
ReadResult read_of(const Matrix& matrix) {
  std::vector<std::int64_t> from;
  std::vector<std::int64_t> to;
  std::vector<std::complex<double>> weights;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix.size(); ++j) {
      if (matrix[i][j] == 0.0) continue;
      from.push_back(static_cast<std::int64_t>(i));
      to.push_back(static_cast<std::int64_t>(j));
      weights.push_back(matrix[i][j]);
    }
  }
  EdgeView view;
  view.kind = GraphKind::bipartite;
  view.left = view.right = matrix.size();
  view.from = std::span<const std::int64_t>(from);
  view.to = std::span<const std::int64_t>(to);
  view.weights = std::span<const std::complex<double>>(weights);
  return read_view(view);
}

void expect_sum(const ReadResult& read, double most_error) {
  CountOptions precise;
  precise.precision_bits = 300;
  const auto truth = std::get<ComplexBall>(count(read, precise).value);
  const std::optional<Number> sum = dense_complex_sum(read.graph);
  ASSERT_TRUE(sum);
  const auto ball = std::get<ComplexBall>(to_value(*sum, WeightKind::complex, 0));
  EXPECT_LE(std::abs(ball.middle - truth.middle), ball.radius + truth.radius);
  EXPECT_LE(ball.radius, most_error * std::abs(truth.middle));
  EXPECT_EQ(std::get<ComplexBall>(small_value(read.graph, {}).value()).digits, ball.digits);
}

TEST(LibraryDenseComplexSum, Permanents) {
  std::mt19937_64 random(71);
  for (int run = 0; run < testing::repeats(6); ++run)
    expect_sum(read_of(random_matrix(11 + random() % 3, false, random)), 1e-8);
}

TEST(LibraryDenseComplexSum, HafniansWithLoopsAndWithout) {
  std::mt19937_64 random(72);
  for (int run = 0; run < testing::repeats(12); ++run) {
    const bool loops = run % 2 != 0;
    // small_value() sums fewer vertices without loops exactly
    const std::size_t lines = loops ? 3 + random() % 14 : 14 + 2 * (random() % 2);
    const Matrix matrix = random_matrix(lines, true, random);
    expect_sum(symmetric_graph(read_of(matrix), loops ? LoopPolicy::monomer : LoopPolicy::drop), 1e-12);
  }
}

TEST(LibraryDenseComplexSum, LeavesTheRestToThePipeline) {
  std::mt19937_64 random(73);
  Matrix matrix = random_matrix(12, true, random);
  EXPECT_TRUE(dense_complex_sum(read_of(matrix).graph));
  for (std::size_t i = 0; i < 12; ++i) matrix[i][4] *= 1e4;
  EXPECT_FALSE(dense_complex_sum(read_of(matrix).graph)) << "columns that differ";
  matrix = random_matrix(12, true, random);
  matrix[3][5] = matrix[5][3] = 0;
  EXPECT_FALSE(dense_complex_sum(read_of(matrix).graph)) << "an edge is missing";
  EXPECT_FALSE(dense_complex_sum(symmetric_graph(read_of(matrix), LoopPolicy::drop).graph));
  EXPECT_FALSE(dense_complex_sum(read_of(random_matrix(24, false, random)).graph)) << "it takes a while";
  matrix = random_matrix(13, true, random);
  EXPECT_FALSE(dense_complex_sum(symmetric_graph(read_of(matrix), LoopPolicy::drop).graph)) << "odd";
  // The sum is 0: whether that is exact is for count() to say.
  matrix = Matrix(11, std::vector<std::complex<double>>(11, {1, 1}));
  for (std::size_t i = 0; i < 11; ++i) matrix[i][0] *= i == 0 ? -10 : 1;
  EXPECT_FALSE(dense_complex_sum(read_of(matrix).graph));
}

}  // namespace
}  // namespace countpm::dense_complex_sum_test
