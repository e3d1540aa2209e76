// Determinants and Pfaffians of random arrays against elimination over the rationals and the definition.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "src/library/countpm.hpp"
#include "tests/repeats.hpp"

namespace countpm::determinants_test {
namespace {

using testing::repeats;
using Random = std::mt19937_64;
using Dense = std::vector<std::vector<ComplexRational>>;

ComplexRational times(const ComplexRational& a, const ComplexRational& b) {
  return {mpq_class(a.re * b.re - a.im * b.im), mpq_class(a.re * b.im + a.im * b.re)};
}

ComplexRational over(const ComplexRational& a, const ComplexRational& b) {
  const mpq_class norm = b.re * b.re + b.im * b.im;
  const ComplexRational product = times(a, {b.re, mpq_class(-b.im)});
  return {mpq_class(product.re / norm), mpq_class(product.im / norm)};
}

bool is_zero(const ComplexRational& a) {
  return a.re == 0 && a.im == 0;
}

/// Gauss.
ComplexRational determinant_by_gauss(Dense a) {
  ComplexRational result{1, 0};
  for (std::size_t k = 0; k < a.size(); ++k) {
    std::size_t pivot = k;
    while (pivot < a.size() && is_zero(a[pivot][k])) ++pivot;
    if (pivot == a.size()) return {0, 0};
    if (pivot != k) {
      std::swap(a[pivot], a[k]);
      result = times(result, {-1, 0});
    }
    result = times(result, a[k][k]);
    for (std::size_t i = k + 1; i < a.size(); ++i) {
      const ComplexRational factor = over(a[i][k], a[k][k]);
      for (std::size_t j = k; j < a.size(); ++j) {
        const ComplexRational part = times(factor, a[k][j]);
        a[i][j] = {mpq_class(a[i][j].re - part.re), mpq_class(a[i][j].im - part.im)};
      }
    }
  }
  return result;
}

/// Along the first row that is left.
ComplexRational pfaffian_by_rows(const Dense& a, std::vector<std::size_t> left) {
  if (left.empty()) return {1, 0};
  if (left.size() % 2 == 1) return {0, 0};
  ComplexRational sum{0, 0};
  for (std::size_t k = 1; k < left.size(); ++k) {
    const ComplexRational& entry = a[left[0]][left[k]];
    if (is_zero(entry)) continue;
    std::vector<std::size_t> rest;
    for (std::size_t l = 1; l < left.size(); ++l)
      if (l != k) rest.push_back(left[l]);
    const ComplexRational part = times(entry, pfaffian_by_rows(a, rest));
    const int sign = k % 2 == 1 ? 1 : -1;
    sum = {mpq_class(sum.re + sign * part.re), mpq_class(sum.im + sign * part.im)};
  }
  return sum;
}

enum class Kind { integers, fractions, gaussian };

Dense random_matrix(std::size_t n, bool skew, double density, Kind kind, Random& random) {
  std::bernoulli_distribution present(density);
  std::uniform_int_distribution<long> value(-9, 9);
  std::uniform_int_distribution<long> divisor(1, 6);
  const auto number = [&] {
    mpq_class result(value(random), kind == Kind::integers ? 1 : divisor(random));
    result.canonicalize();
    return result;
  };
  Dense a(n, std::vector<ComplexRational>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if ((skew && j <= i) || !present(random)) continue;
      a[i][j].re = number();
      if (kind == Kind::gaussian) a[i][j].im = number();
      if (skew) a[j][i] = {mpq_class(-a[i][j].re), mpq_class(-a[i][j].im)};
    }
  }
  return a;
}

/// The arrays that a view is of.
struct Arrays {
  explicit Arrays(const Dense& a) : size(a.size()) {
    for (const auto& row : a) {
      for (std::size_t j = 0; j < size; ++j) {
        if (is_zero(row[j])) continue;
        column.push_back(static_cast<std::int64_t>(j));
        weight.push_back(row[j]);
      }
      start.push_back(static_cast<std::int64_t>(column.size()));
    }
  }
  Input input() const {
    SparseView view;
    view.rows = view.columns = size;
    view.row_start = std::span<const std::int64_t>(start);
    view.column = std::span<const std::int64_t>(column);
    view.weights = std::span<const ComplexRational>(weight);
    return exactly(view);
  }
  std::size_t size;
  std::vector<std::int64_t> start{0};
  std::vector<std::int64_t> column;
  std::vector<ComplexRational> weight;
};

std::string text_of(const ComplexRational& number) {
  return number.im == 0 ? number.re.get_str() : "(" + number.re.get_str() + "," + number.im.get_str() + ")";
}

std::string text_of(const Value& value) {
  if (const auto* integer = std::get_if<mpz_class>(&value)) return integer->get_str();
  if (const auto* fraction = std::get_if<mpq_class>(&value)) return fraction->get_str();
  return std::get<ComplexBall>(value).digits;
}

TEST(Determinants, AreThoseOfElimination) {
  Random random(1);
  for (int run = 0; run < repeats(240); ++run) {
    const auto n = static_cast<std::size_t>(run % 9);
    const Kind kind =
        std::array{Kind::integers, Kind::fractions, Kind::gaussian}[static_cast<std::size_t>(run) % 3];
    const Dense a = random_matrix(n, false, 0.2 + 0.1 * (run % 8), kind, random);
    EXPECT_EQ(text_of(determinant(Arrays(a).input())), text_of(determinant_by_gauss(a))) << run;
  }
}

TEST(Determinants, OfSparseMatricesAreThoseOfElimination) {
  Random random(2);
  for (int run = 0; run < repeats(12); ++run) {
    const Kind kind = run % 2 == 0 ? Kind::integers : Kind::gaussian;
    Dense a = random_matrix(40, false, 0.06, kind, random);
    for (std::size_t i = 0; i < a.size(); ++i) a[i][(i * 7 + 3) % a.size()].re += 1;  // rarely singular
    EXPECT_EQ(text_of(determinant(Arrays(a).input())), text_of(determinant_by_gauss(a))) << run;
  }
}

TEST(Determinants, PfaffiansAreThoseOfTheDefinition) {
  Random random(3);
  std::vector<std::size_t> rows;
  for (int run = 0; run < repeats(240); ++run) {
    const auto n = static_cast<std::size_t>(run % 9);
    const Kind kind =
        std::array{Kind::integers, Kind::fractions, Kind::gaussian}[static_cast<std::size_t>(run) % 3];
    const Dense a = random_matrix(n, true, 0.2 + 0.1 * (run % 8), kind, random);
    rows.clear();
    for (std::size_t i = 0; i < n; ++i) rows.push_back(i);
    EXPECT_EQ(text_of(pfaffian(Arrays(a).input())), text_of(pfaffian_by_rows(a, rows))) << run;
  }
}

TEST(Determinants, AreTheSquaresOfPfaffians) {
  Random random(4);
  for (int run = 0; run < repeats(12); ++run) {
    const Dense a = random_matrix(30, true, run % 2 == 0 ? 0.15 : 0.9, Kind::integers, random);
    const mpz_class root(text_of(pfaffian(Arrays(a).input())));
    EXPECT_EQ(text_of(determinant(Arrays(a).input())), mpz_class(root * root).get_str());
  }
}

// Doubles are the fractions that they are, and rounded once.
TEST(Determinants, OfDoublesAreRoundedOnce) {
  const std::vector<std::int64_t> start{0, 2, 4};
  const std::vector<std::int64_t> column{0, 1, 0, 1};
  const std::vector<double> weight{1.1, 3.3, 0.1, 0.3};
  SparseView view;
  view.rows = view.columns = 2;
  view.row_start = std::span<const std::int64_t>(start);
  view.column = std::span<const std::int64_t>(column);
  view.weights = std::span<const double>(weight);
  const mpq_class exact = mpq_class(1.1) * mpq_class(0.3) - mpq_class(3.3) * mpq_class(0.1);
  const auto ball = std::get<RealBall>(determinant(view));
  EXPECT_EQ(ball.middle, exact.get_d());
  EXPECT_GT(ball.middle, 1e-17);  // and in doubles 1.1 * 0.3 - 3.3 * 0.1 is 0
  EXPECT_LE(abs(mpq_class(ball.middle) - exact), mpq_class(ball.radius));
}

TEST(Determinants, WhatIsNoneIsRefused) {
  const Dense a = {{{0, 0}, {1, 0}}, {{1, 0}, {0, 0}}};
  try {
    pfaffian(Arrays(a).input());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.expected(), "a skew-symmetric matrix, as Pfaffians are of");
    EXPECT_EQ(error.found(), "1 in row 0 and column 1, and 1 as its mirror image");
  }
  const Dense diagonal = {{{2, 0}, {1, 0}}, {{-1, 0}, {0, 0}}};
  EXPECT_THROW(pfaffian(Arrays(diagonal).input()), InputError);
  const Dense lonely = {{{0, 0}, {1, 0}}, {{0, 0}, {0, 0}}};
  EXPECT_THROW(pfaffian(Arrays(lonely).input()), InputError);
  const std::vector<std::int64_t> start{0, 1};
  const std::vector<std::int64_t> column{1};
  SparseView wide;
  wide.rows = 1;
  wide.columns = 2;
  wide.row_start = std::span<const std::int64_t>(start);
  wide.column = std::span<const std::int64_t>(column);
  EXPECT_THROW(determinant(wide), InputError);
  Options options;
  options.method = "ryser";
  EXPECT_THROW(determinant(Arrays(a).input(), options), UsageError);
  options = {};
  options.time_limit_seconds = 1e-9;
  Random random(5);
  EXPECT_THROW(determinant(Arrays(random_matrix(60, false, 0.9, Kind::integers, random)).input(), options),
               UnableError);
}

// The oriented edges of a lattice: its Pfaffian counts perfect matchings (Kasteleyn).
TEST(Determinants, OfAnOrientedLattice) {
  constexpr std::uint64_t side = 12;
  std::vector<std::uint32_t> from;
  std::vector<std::uint32_t> to;
  std::vector<std::int64_t> weight;
  const auto add = [&](std::uint64_t a, std::uint64_t b, std::int64_t value) {
    from.insert(from.end(), {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
    to.insert(to.end(), {static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(a)});
    weight.insert(weight.end(), {value, -value});
  };
  for (std::uint64_t row = 0; row < side; ++row) {
    for (std::uint64_t column = 0; column < side; ++column) {
      const std::uint64_t v = row * side + column;
      if (column + 1 < side) add(v, v + 1, 1);
      if (row + 1 < side) add(v, v + side, column % 2 == 0 ? 1 : -1);
    }
  }
  EdgeView view;
  view.kind = GraphKind::directed;
  view.left = side * side;
  view.from = std::span<const std::uint32_t>(from);
  view.to = std::span<const std::uint32_t>(to);
  view.weights = std::span<const std::int64_t>(weight);
  EXPECT_EQ(abs(std::get<mpz_class>(pfaffian(view))), mpz_class("53060477521960000"));
}

}  // namespace
}  // namespace countpm::determinants_test
