// What the commands determinant and pfaffian say beside the number: sign, logarithm, half matrices, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "graph/errors.hpp"
#include "src/count/determinant.hpp"
#include "tests/repeats.hpp"

namespace countpm::determinant_result_test {
namespace {

ReadOptions dense() {
  ReadOptions options;
  options.format = Format::dense;
  options.kind = GraphKind::bipartite;
  return options;
}

DeterminantResult determinant_of_text(const std::string& text, const ReadOptions& options = dense()) {
  return determinant(Source::from_bytes(text, "matrix"), options, CountOptions());
}
DeterminantResult pfaffian_of_text(const std::string& text, const ReadOptions& options = dense()) {
  return pfaffian(Source::from_bytes(text, "matrix"), options, CountOptions());
}

TEST(DeterminantResult, SignAndLogarithm) {
  const DeterminantResult minus = determinant_of_text("1 2\n3 4\n");
  EXPECT_EQ(minus.digits, "-2");
  EXPECT_EQ(minus.sign, "-1");
  EXPECT_DOUBLE_EQ(minus.ln, std::log(2.0));
  EXPECT_EQ(minus.rows, 2U);
  EXPECT_EQ(minus.blocks, 1U);
  EXPECT_GE(minus.primes, 2U);
  EXPECT_EQ(minus.error, "");
  const DeterminantResult zero = determinant_of_text("1 2\n2 4\n");
  EXPECT_EQ(zero.digits, "0");
  EXPECT_EQ(zero.sign, "0");
  EXPECT_EQ(zero.ln, -HUGE_VAL);
  const DeterminantResult fraction = determinant_of_text("1/2 1/3\n1/4 -1/5\n");
  EXPECT_EQ(fraction.digits, "-11/60");
  EXPECT_DOUBLE_EQ(fraction.ln, std::log(11.0 / 60));
  // Near 1 the logarithm has all its digits.
  const DeterminantResult near = determinant_of_text("100000000000000000000000000000000000000000000000001/" +
                                                     std::string("1") + std::string(50, '0') + "\n");
  EXPECT_DOUBLE_EQ(near.ln, 1e-50);
  EXPECT_EQ(near.blocks, 0U);
  // Beyond doubles' range.
  const DeterminantResult large = determinant_of_text("1" + std::string(400, '0') + " 0\n0 1\n");
  EXPECT_DOUBLE_EQ(large.ln, 400 * std::log(10.0));
}

TEST(DeterminantResult, ComplexSignsAreOnTheCircle) {
  ReadOptions options = dense();
  const DeterminantResult rounded = determinant_of_text("3+4i 0\n0 2\n", options);
  EXPECT_EQ(rounded.sign, "(0.6,0.8)");
  EXPECT_DOUBLE_EQ(rounded.ln, std::log(10.0));
  options.exact = true;
  const DeterminantResult exact = determinant_of_text("3+4i 1\n1/3 2\n", options);
  EXPECT_EQ(exact.digits, "(17/3,8)");
  EXPECT_EQ(exact.error, "");
  EXPECT_EQ(determinant_of_text("i 0\n0 i\n", options).sign, "-1");
}

TEST(DeterminantResult, ValuesCountAndGraphsAreTheirMatrices) {
  ReadOptions edges;
  edges.format = Format::edge_list;
  // A triangle of weights a, b, c: 2 a b c.
  EXPECT_EQ(determinant_of_text("x y 2\ny z 3\nz x 5\n", edges).digits, "60");
  edges.kind = GraphKind::directed;
  EXPECT_EQ(determinant_of_text("x y 2\ny z 3\nz x 5\n", edges).digits, "30");
  ReadOptions lattice;
  EXPECT_EQ(determinant(Source::from_argument("lattice:circulant:5:1"), lattice, CountOptions()).digits, "2");
}

TEST(DeterminantResult, HalvesOfSkewSymmetricMatrices) {
  const DeterminantResult whole = pfaffian_of_text("0 1 2 3\n-1 0 4 5\n-2 -4 0 6\n-3 -5 -6 0\n");
  const DeterminantResult half = pfaffian_of_text("0 1 2 3\n0 0 4 5\n0 0 0 6\n0 0 0 0\n");
  EXPECT_EQ(whole.digits, "8");
  EXPECT_EQ(half.digits, "8");
  EXPECT_FALSE(whole.triangle);
  EXPECT_TRUE(half.triangle);
  EXPECT_EQ(whole.notes.size() + 1, half.notes.size());
  EXPECT_EQ(pfaffian_of_text("0 1 2\n-1 0 3\n-2 -3 0\n").digits, "0");
  ReadOptions arcs;
  arcs.format = Format::edge_list;
  arcs.kind = GraphKind::directed;
  EXPECT_EQ(pfaffian_of_text("a b 7\n", arcs).digits, "7");
  EXPECT_EQ(pfaffian_of_text("a b 7\nb a -7\n", arcs).digits, "7");
  ReadOptions market;
  market.format = Format::matrix_market;
  EXPECT_EQ(
      pfaffian_of_text("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 7\n", market)
          .digits,
      "-7");
}

TEST(DeterminantResult, RandomHalvesSquareToDeterminants) {
  std::mt19937_64 random(3);
  for (int run = 0; run < testing::repeats(9); ++run) {
    const int rows = 2 * (run % 5) + 2;
    std::vector<std::vector<long>> a(static_cast<std::size_t>(rows),
                                     std::vector<long>(static_cast<std::size_t>(rows)));
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = i + 1; j < a.size(); ++j) {
        a[i][j] = std::uniform_int_distribution<long>(-2'000'000'000, 2'000'000'000)(random);
        a[j][i] = -a[i][j];
      }
    }
    std::string whole;
    std::string half;
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < a.size(); ++j) {
        whole += std::to_string(a[i][j]) + " ";
        half += std::to_string(i < j ? a[i][j] : 0) + " ";
      }
      whole.back() = half.back() = '\n';
    }
    const DeterminantResult root = pfaffian_of_text(half);
    EXPECT_EQ(pfaffian_of_text(whole).digits, root.digits);
    const DeterminantResult square = determinant_of_text(whole);
    EXPECT_EQ(square.digits, mpz_class(mpz_class(root.digits) * mpz_class(root.digits)).get_str());
    EXPECT_NEAR(square.ln, 2 * root.ln, 1e-12 * square.ln);
    EXPECT_EQ(square.sign, root.sign == "0" ? "0" : "1");
  }
}

TEST(DeterminantResult, Refusals) {
  const auto found = [](const std::string& text, const ReadOptions& options = dense()) -> std::string {
    try {
      pfaffian_of_text(text, options);
    } catch (const InputError& error) {
      EXPECT_NE(error.expected().find("above the diagonal alone"), std::string::npos);
      return error.found();
    }
    return "";
  };
  EXPECT_EQ(found("1 2\n-2 0\n"), "1 on the diagonal, in row 1");
  EXPECT_EQ(found("0 2\n2 0\n"), "2 in row 1 and column 2, and 2 as its mirror image");
  EXPECT_EQ(found("0 0\n2 0\n"), "the entry of row 2 and column 1 without its mirror image");
  EXPECT_EQ(found("0 1 2\n-1 0 0\n0 0 0\n"), "the entry of row 1 and column 3 without its mirror image");
  ReadOptions edges;
  edges.format = Format::edge_list;
  EXPECT_NE(found("a b 7\n", edges).find("undirected"), std::string::npos);
  EXPECT_THROW(determinant_of_text("1 2 3\n4 5 6\n"), InputError);
  EXPECT_THROW(determinant_of_text("x 1\n1 x\n"), Error);
  CountOptions options;
  options.method = "ryser";
  EXPECT_THROW(determinant(Source::from_bytes("1 2\n3 4\n", "m"), dense(), options), UsageError);
}

}  // namespace
}  // namespace countpm::determinant_result_test
