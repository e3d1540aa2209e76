// Boson sampling's questions: repeated lines, exact complex sums, permanents without a line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <string>
#include <vector>

#include "src/count/minors.hpp"
#include "src/library/countpm.hpp"
#include "src/number/exact_complex.hpp"
#include "tests/repeats.hpp"

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
  EXPECT_EQ(std::get<mpz_class>(permanent(with_copies(splitter, {{1, 1}}, {{1, 1}}))), 0);
  EXPECT_EQ(std::get<mpz_class>(permanent(with_copies(splitter, {{2, 0}}, {{1, 1}}))), 2);
  // 87 photons each way of 174: 2^174 probabilities that doubles do not hold. Odd outcomes never occur.
  EXPECT_EQ(std::get<mpz_class>(permanent(with_copies(splitter, {{1, 173}}, {{87, 87}}))), 0);
  EXPECT_NE(std::get<mpz_class>(permanent(with_copies(splitter, {{2, 172}}, {{87, 87}}))), 0);
}

TEST(Photons, ExactComplexSums) {
  const CountResult schur = count(exactly(matrix(schur_4)));
  EXPECT_TRUE(schur.exact);
  EXPECT_TRUE(schur.proved);
  EXPECT_EQ(schur.count, "0");
  // Row 1 twice and row 3 twice.
  const CountResult twice = count(with_copies(matrix(schur_4, true), {{1, 1, 1, 1}}, {{2, 0, 1, 1}}));
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
  // 1 + (1 + 2i) + 3 + 1 + i + (1 + 2i) i + 3
  EXPECT_EQ(count(with_monomers(matrix("1+2i 3\n1 i\n", true))).count, "(7,4)");
}

TEST(Photons, Minors) {
  const std::vector<Value> whole = minors(matrix("2 3\n5 7\n11 13\n"));
  ASSERT_EQ(whole.size(), 3U);
  EXPECT_EQ(std::get<mpz_class>(whole[0]), 5 * 13 + 7 * 11);
  EXPECT_EQ(std::get<mpz_class>(whole[1]), 2 * 13 + 3 * 11);
  EXPECT_EQ(std::get<mpz_class>(whole[2]), 2 * 7 + 3 * 5);
  const std::vector<Value> halves = minors(matrix("0.5 1 1\n1/3 1 2\n"));
  EXPECT_NEAR(std::get<RealBall>(halves[1]).middle, 4 / 3.0, std::get<RealBall>(halves[1]).radius);
  const std::vector<Value> complex = minors(matrix("i 1\n1 2\n0 i\n"));
  EXPECT_NEAR(std::abs(std::get<ComplexBall>(complex[2]).middle - std::complex<double>(1, 2)), 0, 1e-15);
  const std::vector<Value> exact = minors(matrix("i 1\n1/3 2\n0 i\n", true));
  EXPECT_EQ(std::get<ComplexBall>(exact[2]).digits, "(1/3,2)");
  EXPECT_EQ(std::get<ComplexBall>(exact[1]).digits, "-1");
  EXPECT_THROW(minors(matrix("1 2\n3 4\n")), UsageError);
  std::string large;
  for (int row = 0; row < 61; ++row) {
    for (int column = 0; column < 60; ++column)
      large += std::to_string((31 * row * row * column + 17 * column * column + row) % 101 + 0.25) + " ";
    large += "\n";
  }
  EXPECT_THROW(minors(matrix(large)), UnableError);
}

ReadOptions weighted_dense(bool exact = false) {
  ReadOptions options;
  options.format = Format::dense;
  options.weights = true;
  options.exact = exact;
  return options;
}

/// Photons at random, so many, in so many modes.
template <class Random>
std::vector<Index> in_modes(unsigned photons, std::size_t modes, Random& random) {
  std::vector<Index> numbers(modes, 0);
  for (unsigned k = 0; k < photons; ++k) ++numbers[random() % modes];
  return numbers;
}

/// A square matrix whose lines stand in it as often as these say, and one of the columns that do.
struct Modes {
  std::vector<std::vector<ComplexRational>> entry;
  std::vector<Index> rows;
  std::vector<Index> columns;
  std::size_t column = 0;

  template <class Random>
  explicit Modes(Random& random) {
    const auto part = [&] {
      mpq_class value(static_cast<long>(random() % 9) - 4, static_cast<long>(random() % 3) + 1);
      value.canonicalize();
      return value;
    };
    entry.resize(2 + random() % 4);
    for (auto& row : entry) {
      for (std::size_t j = 0; j < entry.size(); ++j) row.push_back({part(), part()});
    }
    const auto photons = static_cast<unsigned>(1 + random() % 6);
    rows = in_modes(photons, entry.size(), random);
    columns = in_modes(photons, entry.size(), random);
    while (columns[column] == 0) ++column;
  }

  std::string text() const {
    std::string text;
    for (const auto& row : entry) {
      for (const ComplexRational& one : row)
        text += one.re.get_str() + (one.im < 0 ? "" : "+") + one.im.get_str() + "i ";
      text += "\n";
    }
    return text;
  }
  ReadOptions reading(bool exact) const {
    ReadOptions options = weighted_dense(exact);
    options.rows = rows;
    options.columns = columns;
    return options;
  }
};

/// Laplace: the sum over the rows of copies times entry times minor is the permanent.
TEST(Photons, ExactMinorsAddUpToThePermanent) {
  std::mt19937_64 random(81);
  for (int run = 0; run < testing::repeats(12); ++run) {
    const Modes modes(random);
    const Source source = Source::from_bytes(modes.text(), "U");
    const Minors found = minors(source, modes.reading(true), std::to_string(modes.column + 1), {});
    ASSERT_EQ(found.minors.size(), modes.entry.size());
    EXPECT_TRUE(found.rows && found.exact);
    ComplexRational sum;
    for (std::size_t i = 0; i < found.minors.size(); ++i) {
      EXPECT_EQ(found.minors[i].label, std::to_string(i + 1));
      if (modes.rows[i] == 0) {
        EXPECT_EQ(found.minors[i].digits, "0");
        continue;
      }
      const ComplexRational minor = exact_complex_number(std::get<ComplexBall>(found.minors[i].value));
      const ComplexRational& a = modes.entry[i][modes.column];
      sum.re += modes.rows[i] * (a.re * minor.re - a.im * minor.im);
      sum.im += modes.rows[i] * (a.re * minor.im + a.im * minor.re);
    }
    const auto truth = std::get<ComplexBall>(count(source, modes.reading(true), {}).value);
    EXPECT_EQ(sum, exact_complex_number(truth)) << modes.text();
  }
}

TEST(Photons, FloatingMinorsAreWithinTheirErrors) {
  std::mt19937_64 random(83);
  for (int run = 0; run < testing::repeats(12); ++run) {
    const Modes modes(random);
    const Source source = Source::from_bytes(modes.text(), "U");
    const std::string column = std::to_string(modes.column + 1);
    const Minors exact = minors(source, modes.reading(true), column, {});
    const Minors rounded = minors(source, modes.reading(false), column, {});
    for (std::size_t i = 0; i < exact.minors.size(); ++i) {
      if (modes.rows[i] == 0) continue;
      const auto& truth = std::get<ComplexBall>(exact.minors[i].value);
      const auto& ball = std::get<ComplexBall>(rounded.minors[i].value);
      EXPECT_LE(std::abs(ball.middle - truth.middle), ball.radius + truth.radius) << modes.text();
      EXPECT_LE(ball.radius, 1e-6);
    }
  }
}

TEST(Photons, MinorsRefuse) {
  const Source square = Source::from_bytes("1 2\n3 4\n", "U");
  const Source tall = Source::from_bytes("1 2\n3 4\n5 6\n", "U");
  EXPECT_EQ(minors(tall, weighted_dense(), {}, {}).minors[2].digits, "10");
  EXPECT_THROW(minors(square, weighted_dense(), {}, {}), UsageError);
  EXPECT_THROW(minors(square, weighted_dense(), "3", {}), UsageError);
  EXPECT_THROW(minors(tall, weighted_dense(), "1", {}), UsageError);
  ReadOptions lacking = weighted_dense();
  lacking.rows = {{1, 1}};
  lacking.columns = {{0, 2}};
  EXPECT_THROW(minors(square, lacking, "1", {}), UsageError);
  lacking.columns = {{2}};
  EXPECT_THROW(minors(square, lacking, "2", {}), UsageError);
  ReadOptions edges = weighted_dense();
  edges.format = Format::edge_list;
  EXPECT_THROW(minors(Source::from_bytes("1 2\n", "U"), edges, {}, {}), UsageError);
}

/// Calls visit with every way in which the photons can leave.
template <class Visit>
void for_outcomes(unsigned photons, std::size_t modes, std::vector<Index>& begun, const Visit& visit) {
  if (begun.size() + 1 == modes) {
    begun.push_back(photons);
    visit(begun);
    begun.pop_back();
    return;
  }
  for (unsigned here = 0; here <= photons; ++here) {
    begun.push_back(here);
    for_outcomes(photons - here, modes, begun, visit);
    begun.pop_back();
  }
}

double middle_of(const Value& value) {
  if (const auto* ball = std::get_if<RealBall>(&value)) return ball->middle;
  if (const auto* whole = std::get_if<mpz_class>(&value)) return whole->get_d();
  return std::get<mpq_class>(value).get_d();
}

TEST(Photons, ProbabilitiesOfAllOutcomesAddUpToOne) {
  // Three modes, by two beam splitters with fractions for amplitudes.
  const std::string interferometer = "3/5 12/25i -16/25\n4/5i 9/25 12/25i\n0 4/5i 3/5\n";
  const Input amplitudes = matrix(interferometer);
  const Input exact_amplitudes = matrix(interferometer, true);
  std::mt19937_64 random(82);
  for (int run = 0; run < testing::repeats(6); ++run) {
    const auto number = static_cast<unsigned>(random() % 5);
    const std::vector<Index> in = in_modes(number, 3, random);
    mpq_class sum = 0;
    std::vector<Index> begun;
    for_outcomes(number, 3, begun, [&](const std::vector<Index>& out) {
      const OutcomeProbability exact = outcome_probability(exact_amplitudes, {in, out});
      EXPECT_EQ(exact.error, "");
      EXPECT_EQ(exact.number, number);
      const mpq_class p(exact.probability);
      sum += p;
      const OutcomeProbability rounded = outcome_probability(amplitudes, {in, out});
      const double error = rounded.error.empty() ? 0 : std::stod(rounded.error);
      EXPECT_NEAR(middle_of(rounded.value), p.get_d(), error + 1e-15);
      EXPECT_LE(error, 1e-12);
    });
    EXPECT_EQ(sum, 1);
  }
  EXPECT_EQ(outcome_probability(matrix("0.5 0.25\n1 0.75\n"), {{1, 1}, {1, 1}}).probability, "0.390625");
}

TEST(Photons, ProbabilityOfWhatCancels) {
  const Input splitter = matrix("0.6+0.8i 0.6+0.8i\n0.6+0.8i -0.6-0.8i\n");
  const OutcomeProbability none = outcome_probability(splitter, {{3, 5}, {4, 4}});
  EXPECT_EQ(none.method, "minors");
  const auto& ball = std::get<RealBall>(none.value);
  EXPECT_LE(ball.middle, ball.radius);
  EXPECT_LE(ball.radius, 1e-15);
  EXPECT_NE(none.error, "");
  EXPECT_EQ(outcome_probability(exactly(splitter), {{3, 5}, {4, 4}}).probability, "0");
}

TEST(Photons, ProbabilityRefuses) {
  const Input splitter = matrix("1 1\n1 -1\n");
  EXPECT_THROW(outcome_probability(splitter, {{1, 1}, {1, 0}}), UsageError);
  EXPECT_THROW(outcome_probability(splitter, {{1, 1, 0}, {1, 1}}), UsageError);
  EXPECT_THROW(outcome_probability(splitter, {{1, 1}, {2}}), UsageError);
  const OutcomeProbability large = outcome_probability(splitter, {{1, 1}, {2, 0}});
  EXPECT_EQ(large.probability, "2");
  EXPECT_EQ(large.factorials, 2);
  EXPECT_NE(large.notes.back().find("exceeds 1"), std::string::npos);
}

}  // namespace
}  // namespace countpm::photons_test
