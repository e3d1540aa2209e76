// Counts of a few rows with weights of any kind: those of brute force, rounded once where they are real or
// complex; sums over larger dense complex matrices: those in 300 bits, within their error.
#include "src/count/small_value.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>
#include <string>
#include <vector>

#include "src/api/entries.hpp"
#include "src/count/dense_complex_sum.hpp"
#include "src/library/countpm.hpp"
#include "src/library/matrices.hpp"
#include "tests/library/random_arrays.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

/// A small matrix with parts p / q: of doubles q is a power of two.
struct Fractions {
  testing::Arrays arrays;  // where its entries are
  std::vector<ComplexRational> value;

  ComplexRational at(std::uint64_t i, std::uint64_t j) const {
    for (auto k = arrays.row_start[i]; k < arrays.row_start[i + 1]; ++k) {
      const auto place = static_cast<std::size_t>(k);
      if (arrays.column[place] == static_cast<std::int64_t>(j)) return value[place];
    }
    return {};
  }
};

ComplexRational times(const ComplexRational& a, const ComplexRational& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

ComplexRational brute_force(const Fractions& matrix, bool symmetric, std::uint64_t row = 0,
                            std::uint64_t used = 0) {
  const std::uint64_t size = matrix.arrays.size;
  while (symmetric && row < size && (used >> row & 1U) != 0) ++row;
  if (row == size) return {1, 0};
  ComplexRational sum;
  for (std::uint64_t j = symmetric ? row + 1 : 0; j < size; ++j) {
    if ((used >> j & 1U) != 0) continue;
    std::uint64_t now = used | std::uint64_t{1} << j;
    if (symmetric) now |= std::uint64_t{1} << row;
    const ComplexRational term = times(matrix.at(row, j), brute_force(matrix, symmetric, row + 1, now));
    sum.re += term.re;
    sum.im += term.im;
  }
  return sum;
}

/// The graph, read from above the diagonal where it is symmetric, with weights of a kind.
ReadResult read_as(const Fractions& matrix, WeightKind kind, bool symmetric) {
  EdgeView view;
  view.kind = symmetric ? GraphKind::undirected : GraphKind::bipartite;
  view.left = matrix.arrays.size;
  view.right = symmetric ? 0 : matrix.arrays.size;
  std::vector<std::int64_t> from;
  std::vector<std::int64_t> to;
  std::vector<mpq_class> rational;
  std::vector<double> real;
  std::vector<std::complex<double>> complex;
  for (std::uint64_t i = 0; i < matrix.arrays.size; ++i) {
    for (std::uint64_t j = symmetric ? i + 1 : 0; j < matrix.arrays.size; ++j) {
      const ComplexRational value = matrix.at(i, j);
      if (value == ComplexRational{}) continue;
      from.push_back(static_cast<std::int64_t>(i));
      to.push_back(static_cast<std::int64_t>(j));
      rational.push_back(value.re);
      real.push_back(value.re.get_d());
      complex.emplace_back(value.re.get_d(), value.im.get_d());
    }
  }
  view.from = std::span<const std::int64_t>(from);
  view.to = std::span<const std::int64_t>(to);
  if (kind == WeightKind::rational) view.weights = std::span<const mpq_class>(rational);
  if (kind == WeightKind::real) view.weights = std::span<const double>(real);
  if (kind == WeightKind::complex) view.weights = std::span<const std::complex<double>>(complex);
  return read_view(view);
}

template <class Random>
Fractions random_fractions(WeightKind kind, bool symmetric, Random& random) {
  Fractions matrix;
  matrix.arrays = testing::random_arrays(random() % 6, symmetric, random);
  std::uniform_int_distribution<long> part(-1000, 1000);
  const auto fraction = [&] {
    const long denominator =
        kind == WeightKind::rational ? static_cast<long>(random() % 7) + 1 : 1L << random() % 40;
    mpq_class value(part(random), denominator);
    value.canonicalize();
    return value;
  };
  for (std::size_t k = 0; k < matrix.arrays.column.size(); ++k)
    matrix.value.push_back({fraction(), kind == WeightKind::complex ? fraction() : mpq_class(0)});
  return matrix;
}

mpq_class exact(const Value& value) {
  if (const auto* whole = std::get_if<mpz_class>(&value)) return *whole;
  return std::get<mpq_class>(value);
}

TEST(LibrarySmallValue, OfFractionsIsThatOfBruteForce) {
  std::mt19937_64 random(21);
  for (int run = 0; run < testing::repeats(200); ++run) {
    const bool symmetric = run % 2 != 0;
    const Fractions matrix = random_fractions(WeightKind::rational, symmetric, random);
    const std::optional<Value> value =
        small_value(read_as(matrix, WeightKind::rational, symmetric).graph, {});
    ASSERT_TRUE(value);
    EXPECT_EQ(exact(*value), brute_force(matrix, symmetric).re);
  }
}

TEST(LibrarySmallValue, OfDoublesIsRoundedOnce) {
  std::mt19937_64 random(22);
  for (int run = 0; run < testing::repeats(200); ++run) {
    const bool symmetric = run % 2 != 0;
    const Fractions matrix = random_fractions(WeightKind::real, symmetric, random);
    const ReadResult read = read_as(matrix, WeightKind::real, symmetric);
    const std::optional<Value> value = small_value(read.graph, {});
    const mpq_class sum = brute_force(matrix, symmetric).re;
    if (read.graph.edges.empty()) continue;  // no weight, and so no kind
    ASSERT_EQ(value.has_value(), sum != 0);
    if (!value) continue;
    const auto& ball = std::get<RealBall>(*value);
    EXPECT_LE(abs(mpq_class(ball.middle) - sum), mpq_class(ball.radius));
    EXPECT_LE(ball.radius, std::ldexp(std::abs(ball.middle), -50)) << ball.digits;
    if (run % 10 == 0) {
      const auto piped = std::get<RealBall>(count(read).value);
      EXPECT_LE(std::abs(piped.middle - ball.middle), piped.radius + ball.radius);
    }
  }
}

TEST(LibrarySmallValue, OfComplexNumbersToo) {
  std::mt19937_64 random(23);
  for (int run = 0; run < testing::repeats(200); ++run) {
    const bool symmetric = run % 2 != 0;
    const Fractions matrix = random_fractions(WeightKind::complex, symmetric, random);
    const ReadResult read = read_as(matrix, WeightKind::complex, symmetric);
    const std::optional<Value> value = small_value(read.graph, {});
    const ComplexRational sum = brute_force(matrix, symmetric);
    if (read.graph.edges.empty()) continue;  // no weight, and so no kind
    ASSERT_EQ(value.has_value(), !(sum == ComplexRational{}));
    if (!value) continue;
    const auto& ball = std::get<ComplexBall>(*value);
    const mpq_class re = mpq_class(ball.middle.real()) - sum.re;
    const mpq_class im = mpq_class(ball.middle.imag()) - sum.im;
    EXPECT_LE(re * re + im * im, mpq_class(ball.radius) * mpq_class(ball.radius));
    EXPECT_LE(ball.radius, std::ldexp(std::abs(ball.middle), -50)) << ball.digits;
    if (run % 10 == 0) {
      const auto piped = std::get<ComplexBall>(count(read).value);
      EXPECT_LE(std::abs(piped.middle - ball.middle), piped.radius + ball.radius);
    }
  }
}

/// The sum over the injections of the rows into the columns.
mpz_class injections(const std::vector<std::vector<std::int64_t>>& matrix, std::size_t row,
                     std::uint64_t used) {
  if (row == matrix.size()) return 1;
  mpz_class sum = 0;
  for (std::size_t j = 0; j < matrix[row].size(); ++j) {
    if ((used >> j & 1U) == 0 && matrix[row][j] != 0)
      sum += mpz_class(static_cast<long>(matrix[row][j])) *
             injections(matrix, row + 1, used | std::uint64_t{1} << j);
  }
  return sum;
}

TEST(LibrarySmallValue, OfRectanglesToo) {
  std::mt19937_64 random(13);
  for (int run = 0; run < testing::repeats(300); ++run) {
    const std::size_t rows = random() % 5;
    const std::size_t columns = rows + random() % 4;
    std::vector<std::vector<std::int64_t>> matrix(rows, std::vector<std::int64_t>(columns));
    std::vector<std::int64_t> row_of;
    std::vector<std::int64_t> column_of;
    std::vector<std::int64_t> weight;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        matrix[i][j] = static_cast<std::int64_t>(random() % 6) - 2;
        if (run % 3 == 0) matrix[i][j] = matrix[i][j] > 0 ? 1 : 0;
        if (matrix[i][j] == 0) continue;
        row_of.push_back(static_cast<std::int64_t>(i));
        column_of.push_back(static_cast<std::int64_t>(j));
        weight.push_back(matrix[i][j]);
      }
    }
    EdgeView edges;
    edges.kind = GraphKind::bipartite;
    edges.weights = std::span<const std::int64_t>(weight);
    const bool tall = run % 2 == 0;
    edges.left = tall ? columns : rows;
    edges.right = tall ? rows : columns;
    edges.from = std::span<const std::int64_t>(tall ? column_of : row_of);
    edges.to = std::span<const std::int64_t>(tall ? row_of : column_of);
    const ReadResult read = read_view(edges);
    CountOptions options;
    options.matchings = MatchingSize::smaller_side;
    const std::optional<Value> sum = small_value(read.graph, options);
    ASSERT_TRUE(sum);
    EXPECT_EQ(std::get<mpz_class>(*sum), injections(matrix, 0, 0));
    EXPECT_EQ(count(read, options).count, std::get<mpz_class>(*sum).get_str());
    options.matchings = MatchingSize::maximum;
    EXPECT_FALSE(small_value(read.graph, options));
  }
}

TEST(LibrarySmallValue, LeavesWhatIsLargeOrFloatingToThePipeline) {
  Fractions wide;
  wide.arrays.size = 4;
  wide.arrays.row_start = {0, 4, 8, 12, 16};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      wide.arrays.column.push_back(j);
      wide.value.push_back({mpq_class(i == j ? 1e-300 : 1e300), 0});
    }
  }
  EXPECT_FALSE(small_value(read_as(wide, WeightKind::real, false).graph, {}));
  for (ComplexRational& value : wide.value) value.re = mpq_class(1, 3);
  EXPECT_TRUE(small_value(read_as(wide, WeightKind::real, false).graph, {}));
  Options options;
  options.arithmetic = FloatArithmetic::of_bits(200);
  EXPECT_FALSE(small_value(read_as(wide, WeightKind::real, false).graph, options));
  EXPECT_TRUE(small_value(read_as(wide, WeightKind::rational, false).graph, options));
  options = {};
  options.double_check = true;
  EXPECT_FALSE(small_value(read_as(wide, WeightKind::rational, false).graph, options));
}

using DenseMatrix = std::vector<std::vector<std::complex<double>>>;

template <class Random>
DenseMatrix random_dense(std::size_t lines, bool symmetric, Random& random) {
  std::normal_distribution<double> part;
  DenseMatrix matrix(lines, std::vector<std::complex<double>>(lines));
  for (std::size_t i = 0; i < lines; ++i) {
    for (std::size_t j = 0; j < lines; ++j)
      matrix[i][j] = symmetric && j < i ? matrix[j][i] : std::complex<double>(part(random), part(random));
  }
  return matrix;
}

/// Every entry but those that are 0, as a bipartite graph.
ReadResult read_dense(const DenseMatrix& matrix) {
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
  precise.arithmetic = FloatArithmetic::of_bits(300);
  const auto truth = std::get<ComplexBall>(count(read, precise).value);
  const std::optional<Number> sum = dense_complex_sum(read.graph, {});
  ASSERT_TRUE(sum);
  const auto ball = std::get<ComplexBall>(to_value(*sum, WeightKind::complex, 0));
  EXPECT_LE(std::abs(ball.middle - truth.middle), ball.radius + truth.radius);
  EXPECT_LE(ball.radius, most_error * std::abs(truth.middle));
  EXPECT_EQ(std::get<ComplexBall>(small_value(read.graph, {}).value()).digits, ball.digits);
}

TEST(LibraryDenseComplexSum, Permanents) {
  std::mt19937_64 random(71);
  for (int run = 0; run < testing::repeats(6); ++run)
    expect_sum(read_dense(random_dense(11 + random() % 3, false, random)), 1e-8);
}

TEST(LibraryDenseComplexSum, HafniansWithLoopsAndWithout) {
  std::mt19937_64 random(72);
  for (int run = 0; run < testing::repeats(12); ++run) {
    const bool loops = run % 2 != 0;
    // small_value() sums fewer vertices without loops exactly
    const std::size_t lines = loops ? 3 + random() % 14 : 14 + 2 * (random() % 2);
    const DenseMatrix matrix = random_dense(lines, true, random);
    expect_sum(symmetric_graph(read_dense(matrix), loops ? LoopPolicy::monomer : LoopPolicy::drop), 1e-12);
  }
}

/// Of two units.
TEST(LibraryDenseComplexSum, IsTheSameOnAnyNumberOfThreads) {
  std::mt19937_64 random(74);
  const ReadResult read = symmetric_graph(read_dense(random_dense(23, true, random)), LoopPolicy::monomer);
  const auto planned = std::get<ComplexBall>(count(read, {}).value);
  std::string digits;
  for (const int threads : {1, 2, 7}) {
    Options options;
    options.threads = threads;
    const std::optional<Number> sum = dense_complex_sum(read.graph, options);
    ASSERT_TRUE(sum);
    const auto ball = std::get<ComplexBall>(to_value(*sum, WeightKind::complex, 0));
    EXPECT_LE(std::abs(ball.middle - planned.middle), ball.radius + planned.radius);
    if (threads == 1) digits = ball.digits;
    EXPECT_EQ(ball.digits, digits) << threads;
  }
}

// Else the error would be that of the largest column in every term.
TEST(LibraryDenseComplexSum, ScalesTheColumnsOfLargerMatrices) {
  std::mt19937_64 random(75);
  DenseMatrix matrix = random_dense(22, false, random);
  for (std::vector<std::complex<double>>& row : matrix) {
    for (std::size_t j = 0; j < row.size(); ++j) row[j] /= static_cast<double>(1 + j % 4 * 2);
  }
  const ReadResult read = read_dense(matrix);
  const auto planned = std::get<ComplexBall>(count(read, {}).value);
  const std::optional<Number> sum = dense_complex_sum(read.graph, {});
  ASSERT_TRUE(sum);
  const auto ball = std::get<ComplexBall>(to_value(*sum, WeightKind::complex, 0));
  EXPECT_LE(std::abs(ball.middle - planned.middle), ball.radius + planned.radius);
  EXPECT_LE(ball.radius, 1.01 * planned.radius);
}

TEST(LibraryDenseComplexSum, LeavesTheRestToThePipeline) {
  std::mt19937_64 random(73);
  DenseMatrix matrix = random_dense(12, true, random);
  EXPECT_TRUE(dense_complex_sum(read_dense(matrix).graph, {}));
  for (std::size_t i = 0; i < 12; ++i) matrix[i][4] *= 1e4;
  EXPECT_FALSE(dense_complex_sum(read_dense(matrix).graph, {})) << "columns that differ";
  matrix = random_dense(12, true, random);
  matrix[3][5] = matrix[5][3] = 0;
  EXPECT_FALSE(dense_complex_sum(read_dense(matrix).graph, {})) << "an edge is missing";
  EXPECT_FALSE(dense_complex_sum(symmetric_graph(read_dense(matrix), LoopPolicy::drop).graph, {}));
  EXPECT_FALSE(dense_complex_sum(read_dense(random_dense(28, false, random)).graph, {}))
      << "it takes a while";
  matrix = random_dense(13, true, random);
  EXPECT_FALSE(dense_complex_sum(symmetric_graph(read_dense(matrix), LoopPolicy::drop).graph, {})) << "odd";
  // The sum is 0: whether that is exact is for count() to say.
  matrix = DenseMatrix(11, std::vector<std::complex<double>>(11, {1, 1}));
  for (std::size_t i = 0; i < 11; ++i) matrix[i][0] *= i == 0 ? -10 : 1;
  EXPECT_FALSE(dense_complex_sum(read_dense(matrix).graph, {}));
}

}  // namespace
}  // namespace countpm
