#include <fmt/format.h>

#include <clocale>
#include <cmath>
#include <limits>
#include <random>

#include "graph/instance.hpp"
#include "graph/letters.hpp"
#include "graph/parse_weight.hpp"
#include "graph/weight_values.hpp"
#include "tests/graph/read_support.hpp"

namespace countpm {
namespace {

Weight parse(const std::string& text) {
  return parse_weight(text, "test", 1);
}

mpq_class rational(const std::string& text) {
  const Weight weight = parse(text);
  if (const auto* integer = std::get_if<std::int64_t>(&weight.value)) return mpq_class(*integer);
  return std::get<mpq_class>(weight.value);
}

ComplexRational complex(const std::string& text) {
  const Weight weight = parse(text);
  EXPECT_EQ(weight.kind, WeightKind::complex) << text;
  return std::get<ComplexRational>(weight.value);
}

TEST(Weight, Integers) {
  for (const char* text : {"0", "7", "-3", "+12", "007", "9223372036854775807", "-9223372036854775808"}) {
    const Weight weight = parse(text);
    EXPECT_EQ(weight.kind, WeightKind::integer);
    EXPECT_EQ(std::get<std::int64_t>(weight.value), std::stoll(text)) << text;
  }
  EXPECT_EQ(rational("9223372036854775808"), mpq_class("9223372036854775808"));
  EXPECT_EQ(rational("-123456789012345678901234567890"), mpq_class("-123456789012345678901234567890"));
}

TEST(Weight, RationalsAreReduced) {
  EXPECT_EQ(parse("1/3").kind, WeightKind::rational);
  EXPECT_EQ(rational("-2/4"), mpq_class(-1, 2));
  EXPECT_EQ(rational("+10/4"), mpq_class(5, 2));
  EXPECT_EQ(std::get<std::int64_t>(parse("4/2").value), 2);
  EXPECT_TRUE(parse("0/5").is_zero());
}

TEST(Weight, DecimalsAreExact) {
  EXPECT_EQ(parse("1.0").kind, WeightKind::real);
  EXPECT_EQ(parse("1e3").kind, WeightKind::real);
  EXPECT_EQ(rational("0.1"), mpq_class(1, 10));
  EXPECT_EQ(rational("-12.50"), mpq_class(-25, 2));
  EXPECT_EQ(rational(".5"), mpq_class(1, 2));
  EXPECT_EQ(rational("5."), 5);
  EXPECT_EQ(rational("1.25E+2"), 125);
  EXPECT_EQ(rational("1e-3"), mpq_class(1, 1000));
  EXPECT_TRUE(parse("0e999999999999").is_zero());
  EXPECT_TRUE(parse("-0.000").is_zero());
  // The greatest and the least double, as they are usually written, and what only looks far out.
  EXPECT_GT(rational("1.7976931348623157e308"), 1);
  EXPECT_GT(rational("4.9e-324"), 0);
  EXPECT_EQ(rational(fmt::format("0.{}1e401", std::string(400, '0'))), 1);
  EXPECT_EQ(rational(fmt::format("1{}.0e-400", std::string(400, '0'))), 1);
  EXPECT_GT(rational("4.95e-324"), 0);
}

TEST(Weight, ComplexNumbers) {
  EXPECT_EQ(complex("(1,-2)"), (ComplexRational{1, -2}));
  EXPECT_EQ(complex("( 1/2 , 0.25 )"), (ComplexRational{mpq_class(1, 2), mpq_class(1, 4)}));
  EXPECT_EQ(complex("3+4i"), (ComplexRational{3, 4}));
  EXPECT_EQ(complex("-1/2-1/3i"), (ComplexRational{mpq_class(-1, 2), mpq_class(-1, 3)}));
  EXPECT_EQ(complex("1e+2-1e-1i"), (ComplexRational{100, mpq_class(-1, 10)}));
  EXPECT_EQ(complex("i"), (ComplexRational{0, 1}));
  EXPECT_EQ(complex("-i"), (ComplexRational{0, -1}));
  EXPECT_EQ(complex("2-i"), (ComplexRational{2, -1}));
  EXPECT_EQ(complex("5i"), (ComplexRational{0, 5}));
  EXPECT_TRUE(parse("0+0i").is_zero());
}

TEST(Weight, NotNumbers) {
  for (const char* text : {"",    "nan", "NaN", "inf", "-INF", "1/0", "1//2",  "1/2/3",  "1/-2",  "0x10",
                           "1e",  "e5",  ".",   "+",   "--1",  "1 2", "1+",    "1+2",    "+i+",   "1+2i3",
                           "2ii", "()",  "(1)", "(,)", "(1,2", "1,5", "1e400", "1e-400", "1_000", "١"}) {
    EXPECT_THROW(parse(text), InputError) << text;
  }
}

TEST(Weight, NegationAndConjugation) {
  EXPECT_EQ(std::get<mpq_class>(negated(parse("-9223372036854775808")).value),
            mpq_class("9223372036854775808"));
  EXPECT_EQ(std::get<std::int64_t>(negated(parse("9223372036854775808")).value),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(std::get<ComplexRational>(negated(parse("1-2i")).value), (ComplexRational{-1, 2}));
  EXPECT_EQ(std::get<ComplexRational>(conjugated(parse("1-2i")).value), (ComplexRational{1, 2}));
}

// A decimal's exact value, rounded to the nearest double, is what the C library reads.
TEST(Weight, RandomDecimalsAgreeWithTheCLibrary) {
  constexpr std::uint64_t seed = 20261121;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    if (random() % 2 == 0) text += '-';
    for (std::uint64_t k = random() % 18 + 1; k > 0; --k) text += static_cast<char>('0' + random() % 10);
    text += '.';
    for (std::uint64_t k = random() % 18; k > 0; --k) text += static_cast<char>('0' + random() % 10);
    if (random() % 2 == 0) text += fmt::format("e{}", static_cast<int>(random() % 200) - 100);
    const double expected = std::strtod(text.c_str(), nullptr);
    const mpq_class exact = rational(text);
    const double down = exact.get_d();  // truncated: at most one step from the nearest
    EXPECT_TRUE(down == expected || std::nextafter(down, expected) == expected) << text << " seed " << seed;
  }
}

// A value is never of a kind that cannot hold it, whatever it is made of.
TEST(Weight, WithNumbersForLettersIsOfAKindThatHoldsIt) {
  const auto kind_of = [](const std::string& weight, const std::vector<std::string>& at) {
    return LetterValues(at).put_into(parse_weight_with_letters(weight, "test", 1), "test", 1).kind;
  };
  using Kind = WeightKind;
  EXPECT_EQ(kind_of("x^-1", {"x=4"}), Kind::rational);
  EXPECT_EQ(kind_of("x^-1", {"x=-1"}), Kind::integer);
  EXPECT_EQ(kind_of("8*x^-3", {"x=2"}), Kind::integer);
  EXPECT_EQ(kind_of("9*x^-3", {"x=2"}), Kind::rational);
  EXPECT_EQ(kind_of("x^3*y^-1", {"x=2", "y=8"}), Kind::integer);
  EXPECT_EQ(kind_of("x^3*y^-1", {"x=2", "y=16"}), Kind::rational);
  EXPECT_EQ(kind_of("x^3*y^-1", {"y=16"}), Kind::rational);
  EXPECT_EQ(kind_of("x^2", {"x=1/2"}), Kind::rational);
  EXPECT_EQ(kind_of("x^-1", {"x=1/2"}), Kind::rational);
  EXPECT_EQ(kind_of("x^-1", {"x=4.0"}), Kind::real);
  EXPECT_EQ(kind_of("1/3*x^-1", {"x=0.3"}), Kind::real);
  EXPECT_EQ(kind_of("x^-1", {"x=(0,2)"}), Kind::complex);
  const Values fractions = std::vector<mpq_class>{mpq_class(1, 2)};
  const Values whole = std::vector<mpq_class>{mpq_class("123456789012345678901234567890")};
  EXPECT_FALSE(may_hold(Kind::integer, fractions));
  EXPECT_FALSE(may_hold(Kind::none, fractions));
  EXPECT_TRUE(may_hold(Kind::rational, fractions));
  EXPECT_TRUE(may_hold(Kind::integer, whole));
  EXPECT_FALSE(may_hold(Kind::real, std::vector<ComplexRational>{{0, 1}}));
  Graph graph;
  graph.left_labels = LabelTable::numbered(2);
  graph.edges = {{0, 1}};
  graph.values = fractions;
  graph.weight_kind = Kind::integer;
  EXPECT_THROW(to_instance(graph), CheckError);
}

TEST(Weight, NoLocaleChangesTheReading) {
  const char* const before = std::setlocale(LC_ALL, nullptr);
  const std::string saved = before == nullptr ? "C" : before;
  bool tested = false;
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "tr_TR.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;
    tested = true;
    EXPECT_EQ(rational("0.5"), mpq_class(1, 2));
    EXPECT_THROW(parse("0,5"), InputError);
    EXPECT_EQ(testing::read_text("%%MATRIXMARKET MATRIX COORDINATE PATTERN GENERAL\n1 1 1\n1 1\n")
                  .graph.edges.size(),
              1U);
  }
  std::setlocale(LC_ALL, saved.c_str());
  if (!tested) GTEST_SKIP() << "no locale with a decimal comma is installed";
}

}  // namespace
}  // namespace countpm
