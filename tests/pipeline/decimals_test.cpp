// Decimal weights: exact where a method wants exact numbers, shown as decimals with the digits that mean
// something.
#include <gtest/gtest.h>

#include "graph/lattices/lattice.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "src/api/entries.hpp"
#include "src/number/decimal_text.hpp"
#include "src/number/number.hpp"
#include "tests/pipeline/parse_decimal.hpp"

namespace countpm {
namespace {

using testing::parse_decimal;

DecimalText text_of_digits(const char* value, int digits = 17) {
  mpq_class number(value, 10);
  number.canonicalize();
  return decimal_text(number, digits);
}

TEST(Decimals, AllDigitsWhereTheyAreFew) {
  const std::pair<const char*, const char*> cases[] = {{"0", "0"},
                                                       {"9/2", "4.5"},
                                                       {"-9/2", "-4.5"},
                                                       {"1627/500", "3.254"},
                                                       {"1125/256", "4.39453125"},
                                                       {"1200", "1200"},
                                                       {"1/100000", "0.00001"},
                                                       {"1/1000000", "1e-06"},
                                                       {"3/2000000000", "1.5e-09"},
                                                       {"120000000000000000000", "1.2e+20"},
                                                       {"12345678901234567", "12345678901234567"}};
  for (const auto& [value, expected] : cases) {
    EXPECT_EQ(text_of_digits(value).digits, expected);
    EXPECT_EQ(text_of_digits(value).error, "") << value;
  }
}

TEST(Decimals, OthersAreRoundedAndSayHowMuch) {
  for (const char* value :
       {"1/3", "-2/3", "123456789012345678", "99999999999999999999/7", "1/1267650600228229401496703205376"}) {
    for (const int digits : {2, 5, 17, 60}) {
      const DecimalText text = text_of_digits(value, digits);
      mpq_class exact(value, 10);
      exact.canonicalize();
      const mpq_class off = abs(parse_decimal(text.digits) - exact);
      EXPECT_LE(off, text.error.empty() ? mpq_class(0) : parse_decimal(text.error)) << value << ' ' << digits;
      EXPECT_LE(text.digits.size(), static_cast<std::size_t>(digits) + 7) << text.digits;
    }
  }
  EXPECT_EQ(text_of_digits("2/3", 3).digits, "6.67e-01");
  EXPECT_EQ(text_of_digits("2/3", 3).error, "5.1e-04");
  EXPECT_EQ(text_of_digits("1000001/10000000", 5).digits, "1e-01");
}

Number ball(const mpq_class& middle, double error) {
  Ball result = ball_from(middle, 190);
  mpfr_set_d(result.error.get(), error, MPFR_RNDU);
  return result;
}

// Down to the second digit of the error, and without zeros at the end, whatever the error is.
TEST(Decimals, BallsHaveTheDigitsThatTheirErrorsLeave) {
  EXPECT_EQ(to_string(ball({1, 8}, 1e-50)), "1.25e-01");
  EXPECT_EQ(to_string(ball({1, 8}, 0)), "1.25e-01");
  EXPECT_EQ(to_string(ball({1, 8}, 0.01)), "1.25e-01");
  EXPECT_EQ(to_string(ball({1, 3}, 1.1e-3)), "3.333e-01");
  EXPECT_EQ(to_string(ball({1, 3}, 9.9e-3)), "3.333e-01");
  EXPECT_EQ(to_string(ball({2000, 3}, 1.1e-3)), "6.666667e+02");
  EXPECT_EQ(to_string(ball(100, 0.1)), "1e+02");
  EXPECT_EQ(error_string(ball({1, 3}, 1.1e-3)), "1.2e-03");
  ReadOptions read;
  read.weights = true;
  read.format = Format::dense;
  const CountResult complex = count(Source::from_bytes("0.298918165799+0.1i\n"), read, {});
  EXPECT_EQ(complex.count, "(2.98918165799e-01,1e-01)");
  EXPECT_EQ(count(Source::from_bytes("0.5+0.25i 0\n0.125 0.5\n"), read, {}).count, "(2.5e-01,1.25e-01)");
}

CountResult count_lattice(const std::string& spec, const CountOptions& options = {}) {
  return count(Source::from_argument(spec), {}, options);
}

// The same lattice with 1/2 and with 0.5, below and above what one method takes for tiny.
TEST(Decimals, ALatticeWithDecimalsIsTheOneWithFractions) {
  for (const std::string shape :
       {"square:2x2", "square:4x4", "square:12x12", "square:40x40", "torus:8x8", "hexagon:3x4x5"}) {
    const bool three = shape.starts_with("hexagon");
    const CountResult exact =
        count_lattice("lattice:" + shape + (three ? ":weights=1,1/2,3/4" : ":weights=1,1/2"));
    const CountResult found =
        count_lattice("lattice:" + shape + (three ? ":weights=1,0.5,0.75" : ":weights=1,0.5"));
    const mpq_class truth(exact.count, 10);
    const mpq_class off = abs(parse_decimal(found.count) - truth);
    EXPECT_LE(off, found.exact ? mpq_class(0) : parse_decimal(found.error_bound))
        << shape << ": " << found.count;
    EXPECT_NE(found.exact, found.rounded) << shape;
    EXPECT_LE(found.count.size(), 23U) << found.count;
    EXPECT_DOUBLE_EQ(found.log10, exact.log10) << shape;
    ASSERT_TRUE(std::holds_alternative<RealBall>(found.value)) << shape;
    EXPECT_LE(abs(mpq_class(std::get<RealBall>(found.value).middle) - truth),
              mpq_class(std::get<RealBall>(found.value).radius))
        << shape;
  }
  EXPECT_EQ(count_lattice("lattice:square:4x4:weights=1,0.5").count, "4.39453125");
}

// Of 1200 rows the sum leaves the range of doubles: no method sums it in floating point.
TEST(Decimals, ManyRowsAreExactByAnyMethod) {
  CountOptions options;
  options.method = "frontier";
  const CountResult found = count_lattice("lattice:square:4x600:weights=1,0.5", options);
  EXPECT_TRUE(found.rounded);
  EXPECT_EQ(found.count, count_lattice("lattice:square:4x600:weights=1,0.5").count);
}

TEST(Decimals, PrecisionShowsMoreDigits) {
  CountOptions options;
  options.arithmetic = FloatArithmetic::of_bits(200);
  const CountResult found = count_lattice("lattice:square:20x20:weights=1,0.1", options);
  EXPECT_TRUE(found.rounded);
  EXPECT_EQ(found.count.substr(0, found.count.find('e')).size(), 61U) << found.count;
}

TEST(Decimals, DoubleCheckAndMixedBlocks) {
  CountOptions options;
  options.double_check = true;
  EXPECT_EQ(count_lattice("lattice:square:6x6:weights=1,0.5", options).checks.empty(), false);
  // K_{12,12} with decimals takes floating point; beside it a square with exact ones.
  std::string text;
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j)
      text += "a" + std::to_string(i) + " b" + std::to_string(j) + " 0." + std::to_string(1 + (i * j) % 7) +
              "1\n";
  }
  text += "p q 0.5\nq r 0.25\nr s 1.5\ns p 3\n";
  ReadOptions read;
  read.weights = true;
  const CountResult mixed = count(Source::from_bytes(text), read, {});
  EXPECT_FALSE(mixed.exact);
  EXPECT_FALSE(mixed.rounded);
  EXPECT_GT(mixed.blocks.size(), 0U);
}

// A product of few digits has few digits, by whichever way it was counted.
TEST(Decimals, NoDigitsThatSayNothing) {
  ReadOptions read;
  read.weights = true;
  EXPECT_EQ(count(Source::from_bytes("a b 1.5\nc d 3.0\n"), read, {}).count, "4.5");
  CountOptions floating;
  floating.method = "ryser";
  const std::string square = "a x 0.5\na y 1.5\nb x 2.5\nb y 0.25\na z 1\nb z 2\nc x 1\nc y 1\nc z 0.5\n";
  const CountResult floats = count(Source::from_bytes(square), read, floating);
  const CountResult exact = count(Source::from_bytes(square), read, {});
  EXPECT_TRUE(exact.exact) << exact.count;
  EXPECT_FALSE(floats.exact);
  EXPECT_LE(abs(parse_decimal(floats.count) - parse_decimal(exact.count)), parse_decimal(floats.error_bound));
}

}  // namespace
}  // namespace countpm
