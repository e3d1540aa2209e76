// Boson sampling's questions: repeated lines, exact complex sums, permanents without a line.
#include <gtest/gtest.h>

#include <complex>
#include <vector>

#include "src/library/countpm.hpp"
#include "src/number/exact_complex.hpp"

namespace countpm::photons_test {
namespace {

/// Rows of a matrix as a file has them.
Input matrix(const std::string& text, bool exact = false) {
  ReadOptions options;
  options.format = Format::dense;
  options.weights = true;
  options.exact = exact;
  return {Source::from_bytes(text, "U"), options};
}

/// Schur's matrix: entry (j, k) is w^(jk), w = exp(2 pi i / n); here n = 4, whose entries are 1, i, -1, -i.
const std::string schur_4 = "1 1 1 1\n1 i -1 -i\n1 -1 1 -1\n1 -i -1 i\n";

TEST(Photons, HongOuMandel) {
  const Input splitter = matrix("1 1\n1 -1\n");
  EXPECT_EQ(std::get<mpz_class>(permanent(with_repeated_lines(splitter, {{1, 1}}, {{1, 1}}))), 0);
  EXPECT_EQ(std::get<mpz_class>(permanent(with_repeated_lines(splitter, {{2, 0}}, {{1, 1}}))), 2);
  // 87 photons each way of 174: 2^174 probabilities that doubles do not hold. Odd outcomes never occur.
  EXPECT_EQ(std::get<mpz_class>(permanent(with_repeated_lines(splitter, {{1, 173}}, {{87, 87}}))), 0);
  EXPECT_NE(std::get<mpz_class>(permanent(with_repeated_lines(splitter, {{2, 172}}, {{87, 87}}))), 0);
}

TEST(Photons, ExactComplexSums) {
  const CountResult schur = count(exactly(matrix(schur_4)));
  EXPECT_TRUE(schur.exact);
  EXPECT_TRUE(schur.proved);
  EXPECT_EQ(schur.count, "0");
  // Row 1 twice and row 3 twice.
  const CountResult twice = count(with_repeated_lines(matrix(schur_4, true), {{1, 1, 1, 1}}, {{2, 0, 1, 1}}));
  EXPECT_TRUE(twice.exact);
  const auto& value = std::get<ComplexBall>(twice.value);
  EXPECT_EQ(value.error, "0");
  const ComplexRational number = exact_complex_number(value);
  EXPECT_EQ(std::complex<double>(number.re.get_d(), number.im.get_d()), value.middle);
  // (1 + 2i) i + 3 (1/2 - i), with halves and decimals
  EXPECT_EQ(count(matrix("1+2i 3\n0.5-i i\n", true)).count, "(-1/2,-2)");
  EXPECT_EQ(count(matrix("0.5 0.25\n0.125 1\n", true)).count, "17/32");
  Options careful;
  careful.double_check = true;
  EXPECT_EQ(count(matrix("1+2i 3 1\n0.5-i i 2\n1 1 1\n", true), careful).count, "(8,2)");
  EXPECT_THROW(marginals(matrix("1+2i 3\n1 i\n", true)), UnableError);
  EXPECT_THROW(count(with_monomers(matrix("1+2i 3\n1 i\n", true))), UsageError);
}

TEST(Photons, PermanentsWithoutALine) {
  const std::vector<Value> minors = permanents_without_a_line(matrix("2 3\n5 7\n11 13\n"));
  ASSERT_EQ(minors.size(), 3U);
  EXPECT_EQ(std::get<mpz_class>(minors[0]), 5 * 13 + 7 * 11);
  EXPECT_EQ(std::get<mpz_class>(minors[1]), 2 * 13 + 3 * 11);
  EXPECT_EQ(std::get<mpz_class>(minors[2]), 2 * 7 + 3 * 5);
  const std::vector<Value> halves = permanents_without_a_line(matrix("0.5 1 1\n1/3 1 2\n"));
  EXPECT_NEAR(std::get<RealBall>(halves[1]).middle, 4 / 3.0, std::get<RealBall>(halves[1]).radius);
  const std::vector<Value> complex = permanents_without_a_line(matrix("i 1\n1 2\n0 i\n"));
  EXPECT_NEAR(std::abs(std::get<ComplexBall>(complex[2]).middle - std::complex<double>(1, 2)), 0, 1e-15);
  const std::vector<Value> exact = permanents_without_a_line(matrix("i 1\n1/3 2\n0 i\n", true));
  EXPECT_EQ(std::get<ComplexBall>(exact[2]).digits, "(1/3,2)");
  EXPECT_EQ(std::get<ComplexBall>(exact[1]).digits, "-1");
  EXPECT_THROW(permanents_without_a_line(matrix("1 2\n3 4\n")), UsageError);
  std::string large;
  for (int row = 0; row < 61; ++row) {
    for (int column = 0; column < 60; ++column)
      large += std::to_string((31 * row * row * column + 17 * column * column + row) % 101 + 0.25) + " ";
    large += "\n";
  }
  EXPECT_THROW(permanents_without_a_line(matrix(large)), UnableError);
}

}  // namespace
}  // namespace countpm::photons_test
