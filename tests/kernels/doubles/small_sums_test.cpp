// Permanents and hafnians of few doubles against their definitions in fractions: the true sum is within the
// radius, and the radius is little more than a rounding.
#include "kernels/doubles/small_sums.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace countpm::small_sums_test {
namespace {

struct Exact {
  mpq_class re = 0;
  mpq_class im = 0;
};
Exact operator+(const Exact& a, const Exact& b) {
  return {a.re + b.re, a.im + b.im};
}
Exact operator*(const Exact& a, const Exact& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

struct Matrix {
  std::size_t rows = 0;
  bool complex = false;
  std::vector<double> entries;

  std::size_t parts() const { return complex ? 2 : 1; }
  double& part(std::size_t i, std::size_t j, std::size_t k) { return entries[(i * rows + j) * parts() + k]; }
  Exact exact(std::size_t i, std::size_t j) const {
    const double* const place = entries.data() + (i * rows + j) * parts();
    return {mpq_class(place[0]), complex ? mpq_class(place[1]) : mpq_class(0)};
  }
};

/// By the first row that is left.
Exact permanent(const Matrix& matrix, std::size_t row, unsigned used) {
  if (row == matrix.rows) return {1, 0};
  Exact sum;
  for (std::size_t j = 0; j < matrix.rows; ++j) {
    if ((used >> j & 1) == 0) sum = sum + matrix.exact(row, j) * permanent(matrix, row + 1, used | 1U << j);
  }
  return sum;
}
/// By the first vertex that is left.
Exact hafnian(const Matrix& matrix, bool loops, unsigned used) {
  std::size_t first = 0;
  while (first < matrix.rows && (used >> first & 1) != 0) ++first;
  if (first == matrix.rows) return {1, 0};
  const unsigned with_first = used | 1U << first;
  Exact sum;
  if (loops) sum = matrix.exact(first, first) * hafnian(matrix, loops, with_first);
  for (std::size_t j = first + 1; j < matrix.rows; ++j) {
    if ((used >> j & 1) == 0)
      sum = sum + matrix.exact(first, j) * hafnian(matrix, loops, with_first | 1U << j);
  }
  return sum;
}

void expect_holds(const SmallSum& found, const Exact& expected) {
  const mpq_class re = mpq_class(found.middle.real()) - expected.re;
  const mpq_class im = mpq_class(found.middle.imag()) - expected.im;
  const mpq_class radius(found.radius);
  EXPECT_LE(re * re + im * im, radius * radius) << found.middle << " +- " << found.radius << ", expected "
                                                << expected.re.get_d() << " + " << expected.im.get_d() << "i";
}

enum class Entries { uniform, normal, spread, small_integers, scaled_rows, cancelling };

Matrix random_matrix(std::mt19937_64& random, std::size_t rows, bool complex, Entries entries) {
  Matrix matrix{rows, complex, {}};
  matrix.entries.resize(rows * rows * matrix.parts());
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::uniform_int_distribution<int> exponent(-60, 60);
  std::uniform_int_distribution<int> integer(-2, 3);
  for (std::size_t i = 0; i < rows; ++i) {
    const int of_row = exponent(random);
    for (std::size_t k = i * rows * matrix.parts(); k < (i + 1) * rows * matrix.parts(); ++k) {
      double& value = matrix.entries[k];
      if (entries == Entries::uniform) value = uniform(random);
      if (entries == Entries::normal) value = normal(random);
      if (entries == Entries::spread) value = std::ldexp(normal(random), exponent(random));
      if (entries == Entries::small_integers) value = integer(random);
      if (entries == Entries::scaled_rows) value = std::ldexp(normal(random), of_row);
      if (entries == Entries::cancelling)
        value = (integer(random) % 2 == 0 ? 1.0 : -1.0) + std::ldexp(normal(random), -50);
    }
  }
  return matrix;
}

void make_symmetric(Matrix& matrix) {
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t k = 0; k < matrix.parts(); ++k) matrix.part(i, j, k) = matrix.part(j, i, k);
    }
  }
}

class SmallSums : public ::testing::TestWithParam<LaneChoice> {
 protected:
  void SetUp() override {
    if (!lanes_supported(GetParam())) GTEST_SKIP() << "this processor has no such instructions";
  }
};

TEST_P(SmallSums, HoldTheTrueOnes) {
  std::mt19937_64 random(20261128);
  for (const Entries entries : {Entries::uniform, Entries::normal, Entries::spread, Entries::small_integers,
                                Entries::scaled_rows, Entries::cancelling}) {
    for (const bool complex : {false, true}) {
      for (std::size_t rows = 1; rows <= 6; ++rows) {
        Matrix matrix = random_matrix(random, rows, complex, entries);
        if (const auto found = small_permanent(matrix.entries, rows, complex, GetParam()))
          expect_holds(*found, permanent(matrix, 0, 0));
        make_symmetric(matrix);
        if (const auto found = small_hafnian(matrix.entries, rows, complex, false, GetParam()))
          expect_holds(*found, hafnian(matrix, false, 0));
        if (const auto found = small_hafnian(matrix.entries, rows, complex, true, GetParam()))
          expect_holds(*found, hafnian(matrix, true, 0));
      }
    }
  }
}

TEST_P(SmallSums, OfOrdinaryEntriesErrByLittleMoreThanARounding) {
  std::mt19937_64 random(1);
  for (const bool complex : {false, true}) {
    for (std::size_t rows = 2; rows <= 12; rows += 2) {
      Matrix matrix = random_matrix(random, rows, complex, Entries::uniform);
      const auto sum = small_permanent(matrix.entries, rows, complex, GetParam());
      ASSERT_TRUE(sum);
      EXPECT_LE(sum->radius, 0x1p-52 * std::abs(sum->middle));
      make_symmetric(matrix);
      for (const bool loops : {false, true}) {
        const auto of_graph = small_hafnian(matrix.entries, rows, complex, loops, GetParam());
        ASSERT_TRUE(of_graph);
        EXPECT_LE(of_graph->radius, 0x1p-52 * std::abs(of_graph->middle));
      }
    }
  }
}

/// n! and (n - 1)!!, in walks of more than one block of steps too.
TEST_P(SmallSums, OfOnes) {
  for (std::size_t n = 1; n <= most_small_rows; ++n) {
    const std::vector<double> ones(n * n, 1.0);
    const auto sum = small_permanent(ones, n, false, GetParam());
    ASSERT_TRUE(sum);
    EXPECT_LE(std::abs(sum->middle.real() - std::tgamma(static_cast<double>(n) + 1)),
              sum->radius + 0x1p-50 * std::tgamma(static_cast<double>(n) + 1));
    if (n % 2 != 0 || n > most_small_vertices) continue;
    double matchings = 1;
    for (std::size_t k = 1; k < n; k += 2) matchings *= static_cast<double>(k);
    const auto of_graph = small_hafnian(ones, n, false, false, GetParam());
    ASSERT_TRUE(of_graph);
    EXPECT_EQ(of_graph->middle, std::complex<double>(matchings));
  }
}

TEST_P(SmallSums, HaveNothingOfWhatTheyCannotBound) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {infinity, nan, 1e308}) {
    const std::vector<double> entries{bad, 1, 1, bad};
    EXPECT_FALSE(small_permanent(entries, 2, false, GetParam()));
    EXPECT_FALSE(small_hafnian(entries, 2, false, true, GetParam()));
  }
  EXPECT_FALSE(small_permanent(std::vector<double>{0, 0, 1, 1}, 2, false, GetParam()));
  EXPECT_FALSE(small_permanent({}, 0, false, GetParam()));
  EXPECT_FALSE(small_permanent(std::vector<double>(441, 1.0), 21, false, GetParam()));
  EXPECT_FALSE(small_hafnian(std::vector<double>(9, 1.0), 3, false, false, GetParam()));
  EXPECT_FALSE(small_hafnian(std::vector<double>{0, 1e300, 1e300, 1e-300}, 2, false, true, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Lanes, SmallSums, ::testing::Values(LaneChoice::avx2, LaneChoice::avx512));

/// They go the usual way.
TEST(SmallSumsElsewhere, AreNotWithoutFusedProducts) {
  EXPECT_FALSE(small_permanent(std::vector<double>{1, 2, 3, 4}, 2, false, LaneChoice::baseline));
}

}  // namespace
}  // namespace countpm::small_sums_test
