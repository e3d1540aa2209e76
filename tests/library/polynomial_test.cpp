// Weights with letters: polynomials against brute force, values at points, and published numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/letters.hpp"
#include "src/api/entries.hpp"
#include "src/library/countpm.hpp"
#include "tests/repeats.hpp"

namespace countpm::polynomial_test {
namespace {

using Terms = std::map<std::vector<std::int64_t>, mpq_class>;

struct TestEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  mpq_class coefficient;
  std::vector<std::int64_t> exponents;

  std::string weight(const std::string& letters) const {
    std::string text = coefficient.get_str();
    for (std::size_t l = 0; l < letters.size(); ++l) text += fmt::format("*{}^{}", letters[l], exponents[l]);
    return text;
  }
};

struct TestGraph {
  GraphKind kind = GraphKind::undirected;
  std::string letters;
  std::size_t left = 0;
  std::size_t right = 0;  // bipartite
  std::vector<TestEdge> edges;

  std::string shown() const {
    std::string text;
    for (const TestEdge& edge : edges)
      text += fmt::format("{} {} {}\n", edge.from, edge.to, edge.weight(letters));
    return text;
  }
};

/// Every vertex, of a matrix every row, takes each of its edges in turn.
void add_terms(const TestGraph& graph, std::size_t row, std::vector<bool>& used, const mpq_class& product,
               const std::vector<std::int64_t>& exponents, Terms& sum) {
  const bool matrix = graph.kind != GraphKind::undirected;
  while (!matrix && row < graph.left && used[row]) ++row;
  if (row == graph.left) {
    sum[exponents] += product;
    return;
  }
  for (const TestEdge& edge : graph.edges) {
    std::size_t other = edge.to;
    if (matrix ? edge.from != row : edge.from != row && edge.to != row) continue;
    if (!matrix && edge.to == row) other = edge.from;
    if (used[other]) continue;
    std::vector<std::int64_t> total = exponents;
    for (std::size_t l = 0; l < total.size(); ++l) total[l] += edge.exponents[l];
    used[other] = true;
    if (!matrix) used[row] = true;
    add_terms(graph, row + 1, used, product * edge.coefficient, total, sum);
    used[other] = false;
    if (!matrix) used[row] = false;
  }
}

Terms by_brute_force(const TestGraph& graph) {
  Terms sum;
  const std::size_t heads = graph.kind == GraphKind::bipartite ? graph.right : graph.left;
  if (graph.kind == GraphKind::bipartite && graph.left != graph.right) return sum;
  std::vector<bool> used(heads, false);
  add_terms(graph, 0, used, 1, std::vector<std::int64_t>(graph.letters.size(), 0), sum);
  std::erase_if(sum, [](const auto& term) { return term.second == 0; });
  return sum;
}

Input input_of(const TestGraph& graph) {
  std::vector<std::uint32_t> from;
  std::vector<std::uint32_t> to;
  std::vector<std::string> weights;
  for (const TestEdge& edge : graph.edges) {
    from.push_back(static_cast<std::uint32_t>(edge.from));
    to.push_back(static_cast<std::uint32_t>(edge.to));
    weights.push_back(edge.weight(graph.letters));
  }
  EdgeView view;
  view.kind = graph.kind;
  view.left = graph.left;
  view.right = graph.right;
  view.from = std::span<const std::uint32_t>(from);
  view.to = std::span<const std::uint32_t>(to);
  view.weights = std::span<const std::string>(weights);
  return view;
}

Terms terms_of(const Polynomial& polynomial, const std::string& letters) {
  Terms terms;
  for (const PolynomialTerm& term : polynomial.terms) {
    std::vector<std::int64_t> exponents(letters.size(), 0);
    for (std::size_t l = 0; l < polynomial.variables.size(); ++l)
      exponents[letters.find(polynomial.variables[l])] = term.exponents[l];
    EXPECT_NE(term.coefficient, 0);
    terms[exponents] = term.coefficient;
  }
  return terms;
}

TestGraph random_graph(GraphKind kind, std::size_t size, std::size_t letters, bool rational,
                       std::mt19937_64& random) {
  const auto between = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  TestGraph graph;
  graph.kind = kind;
  graph.letters = std::string("txz").substr(0, letters);
  graph.left = size;
  graph.right = kind == GraphKind::bipartite ? size : 0;
  const double density = between(2, 9) / 10.0;
  const int spread = between(0, 3);
  std::bernoulli_distribution present(density);
  const std::size_t heads = kind == GraphKind::bipartite ? graph.right : graph.left;
  for (std::size_t a = 0; a < graph.left; ++a) {
    for (std::size_t b = kind == GraphKind::undirected ? a + 1 : 0; b < heads; ++b) {
      if (!present(random)) continue;
      TestEdge edge{a, b, between(0, 4) == 0 ? -1 : 1, {}};
      if (rational)
        edge.coefficient = mpq_class(between(1, 3) * (between(0, 2) == 0 ? -1 : 1), between(1, 4));
      edge.coefficient.canonicalize();
      for (std::size_t l = 0; l < letters; ++l) edge.exponents.push_back(between(-spread, spread + 1));
      graph.edges.push_back(std::move(edge));
    }
  }
  return graph;
}

Polynomial polynomial_of(const std::string& lattice) {
  return polynomial(Source::from_argument("lattice:" + lattice));
}

std::vector<std::string> coefficients_of(const std::string& lattice) {
  std::vector<std::string> texts;
  for (const PolynomialTerm& term : polynomial_of(lattice).terms) texts.push_back(term.coefficient.get_str());
  return texts;
}

}  // namespace

TEST(Polynomial, IsBruteForceOnRandomGraphs) {
  const int repeats = testing::repeats(120);
  std::mt19937_64 random(20261125);
  std::size_t with_many_terms = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const GraphKind kind = std::array{GraphKind::bipartite, GraphKind::directed,
                                      GraphKind::undirected}[static_cast<std::size_t>(repeat) % 3];
    const std::size_t size = kind == GraphKind::undirected ? 2 * (1 + random() % 4) : 1 + random() % 5;
    const TestGraph graph = random_graph(kind, size, 1 + random() % 3, random() % 2 == 0, random);
    if (std::none_of(graph.edges.begin(), graph.edges.end(), [](const TestEdge& edge) {
          return std::any_of(edge.exponents.begin(), edge.exponents.end(), [](auto e) { return e != 0; });
        }))
      continue;
    const Terms expected = by_brute_force(graph);
    if (expected.size() > 2) ++with_many_terms;
    EXPECT_EQ(terms_of(polynomial(input_of(graph)), graph.letters), expected)
        << name_of(graph.kind) << " " << graph.left << "\n"
        << graph.shown();
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GE(with_many_terms, testing::fewest(std::size_t{20}));
}

namespace {

mpq_class power_of(const mpq_class& base, std::int64_t exponent) {
  mpq_class result = 1;
  for (std::int64_t k = 0; k < std::abs(exponent); ++k) result *= base;
  return exponent < 0 ? mpq_class(1 / result) : result;
}

/// The graph's edges with a number for every letter: their products are what the count at the point is.
TestGraph graph_at(TestGraph graph, const std::vector<mpq_class>& point) {
  for (TestEdge& edge : graph.edges) {
    for (std::size_t l = 0; l < point.size(); ++l)
      edge.coefficient *= power_of(point[l], std::exchange(edge.exponents[l], 0));
  }
  return graph;
}

mpq_class number_of(const Value& value) {
  if (const auto* integer = std::get_if<mpz_class>(&value)) return mpq_class(*integer);
  return std::get<mpq_class>(value);
}

}  // namespace

// Integers to negative powers are fractions: bounds are not rounded to integers, and what is divided by the
// number of ways to add vertices is not expected to be one.
TEST(Polynomial, AtIntegersHasTheKindOfItsValues) {
  const int repeats = testing::repeats(150);
  std::mt19937_64 random(20261128);
  std::size_t fractions = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const TestGraph graph = random_graph(GraphKind::undirected, 4 + random() % 4, 2, false, random);
    if (graph.edges.empty()) continue;
    const std::vector<mpq_class> point{static_cast<long>(2 + random() % 4),
                                       -static_cast<long>(2 + random() % 2)};
    const TestGraph numbers = graph_at(graph, point);
    std::string spelt;
    for (const TestEdge& edge : numbers.edges)
      spelt += fmt::format("{} {} {}\n", edge.from, edge.to, edge.coefficient.get_str());
    ReadOptions in_numbers;
    in_numbers.weights = true;
    in_numbers.format = Format::edge_list;
    in_numbers.kind = GraphKind::undirected;
    ReadOptions at_point = in_numbers;
    std::string letters;
    for (const TestEdge& edge : graph.edges) {
      for (std::size_t l = 0; l < graph.letters.size(); ++l)
        if (edge.exponents[l] != 0 && letters.find(graph.letters[l]) == std::string::npos)
          letters += graph.letters[l];
    }
    for (std::size_t l = 0; l < graph.letters.size(); ++l) {
      if (letters.find(graph.letters[l]) != std::string::npos)
        at_point.at.push_back(fmt::format("{}={}", graph.letters[l], point[l].get_str()));
    }
    const Source with_letters = Source::from_bytes(graph.shown());
    const Source with_numbers = Source::from_bytes(spelt);
    EXPECT_EQ(read_graph(with_letters, at_point).graph.weight_kind == WeightKind::integer,
              std::all_of(numbers.edges.begin(), numbers.edges.end(),
                          [](const TestEdge& edge) { return edge.coefficient.get_den() == 1; }))
        << graph.shown();
    for (const int which : {0, 1, 2}) {
      Options options;
      if (which == 1) options.matchings = MatchingSize::maximum;
      in_numbers.degree = at_point.degree = which == 2 ? std::optional<Index>(2) : std::nullopt;
      const mpq_class expected = number_of(count(Input(with_numbers, in_numbers), options).value);
      ASSERT_EQ(number_of(count(Input(with_letters, at_point), options).value), expected) << which << "\n"
                                                                                          << graph.shown();
      fractions += expected.get_den() != 1 ? 1 : 0;
      // A file without an edge at a vertex does not have it.
      std::vector<bool> seen(numbers.left, false);
      for (const TestEdge& edge : numbers.edges) seen[edge.from] = seen[edge.to] = true;
      if (which != 0 || std::find(seen.begin(), seen.end(), false) != seen.end()) continue;
      Terms sum = by_brute_force(numbers);
      EXPECT_EQ(expected, sum[std::vector<std::int64_t>(graph.letters.size(), 0)]) << graph.shown();
    }
  }
  EXPECT_GE(fractions, testing::fewest(std::size_t{60}));
}

/// Loops: the vertex stays alone.
TEST(Polynomial, WithMonomersIsBruteForce) {
  const int repeats = testing::repeats(150);
  std::mt19937_64 random(20261126);
  int with_many_terms = 0;
  int without_matchings = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    TestGraph graph =
        random_graph(GraphKind::undirected, 1 + random() % 7, 1 + random() % 3, random() % 2 == 0, random);
    const bool many = random() % 2 == 0;
    std::vector<bool> seen(graph.left, false);
    std::vector<bool> alone(graph.left, false);
    for (const TestEdge& edge : graph.edges) seen[edge.from] = seen[edge.to] = true;
    for (std::size_t v = 0; v < graph.left; ++v) {
      if (seen[v] && random() % 4 >= (many ? 3U : 1U)) continue;
      alone[v] = true;
      TestEdge loop{v, v, 1 + static_cast<long>(random() % 3), {}};
      for (std::size_t l = 0; l < graph.letters.size(); ++l)
        loop.exponents.push_back(static_cast<std::int64_t>(random() % 4) - 1);
      graph.edges.push_back(std::move(loop));
    }
    ReadOptions reading;
    reading.weights = true;
    reading.loops = LoopPolicy::monomer;
    const Source source = Source::from_bytes(graph.shown());
    if (std::all_of(graph.edges.begin(), graph.edges.end(), [](const TestEdge& edge) {
          return std::all_of(edge.exponents.begin(), edge.exponents.end(), [](auto e) { return e == 0; });
        }))
      continue;
    if (repeat % 3 == 0) {
      reading.monomers = "-2/3";
      for (std::size_t v = 0; v < graph.left; ++v) {
        if (!alone[v])
          graph.edges.push_back({v, v, mpq_class(-2, 3), std::vector<std::int64_t>(graph.letters.size(), 0)});
      }
    }
    const Terms expected = by_brute_force(graph);
    with_many_terms += expected.size() > 2 ? 1 : 0;
    without_matchings += expected.empty() ? 1 : 0;
    Options options;
    options.double_check = repeat % 8 == 0;
    ASSERT_EQ(terms_of(polynomial(Input(source, reading), options), graph.letters), expected)
        << reading.monomers << "\n"
        << graph.shown();
  }
  // Of a few graphs any may be missing.
  constexpr int many = 20;
  if (repeats < many) return;
  EXPECT_GT(with_many_terms, repeats / 4);
  EXPECT_GT(without_matchings, 0);
}

// Cycles of odd length cover the five vertices, so that half-integers are sums of the exponents; no matching
// does.
TEST(Polynomial, OfMonomersIsZeroWhereExponentsWouldBeHalfIntegers) {
  ReadOptions reading;
  reading.weights = true;
  reading.loops = LoopPolicy::monomer;
  const Source source = Source::from_bytes("e b 1\nb c 1\nd c 1\nb d 1\ne c x\nd a 1\n");
  EXPECT_TRUE(polynomial(Input(source, reading), Options()).terms.empty());
}

// The number of monomers is as odd as that of vertices: every other coefficient is 0, and not computed.
TEST(Polynomial, OfMonomersHasEveryOtherExponent) {
  ReadOptions reading;
  reading.weights = true;
  reading.loops = LoopPolicy::monomer;
  for (const char* text : {"a a t\nb b t\nc c t\nd d t\na b 1\nb c 1\nc d 1\n",
                           "a a t\nb b t\nc c t\nd d t\na b 1\nb c 1\nc d 1\na c 1\nb d 1\n"}) {
    const CountResult found = count(Input(Source::from_bytes(text), reading));
    EXPECT_NE(found.notes.back().find("t from the power 0 to 4 in steps of 2: 3 coefficients"),
              std::string::npos)
        << found.notes.back();
  }
}

TEST(Polynomial, MultipliesThePolynomialsOfComponents) {
  std::mt19937_64 random(7);
  for (int repeat = 0; repeat < 10; ++repeat) {
    TestGraph both = random_graph(GraphKind::undirected, 4, 2, true, random);
    const TestGraph other = random_graph(GraphKind::undirected, 6, 2, true, random);
    for (TestEdge edge : other.edges) {
      edge.from += 4;
      edge.to += 4;
      both.edges.push_back(std::move(edge));
    }
    both.left += 6;
    if (both.edges.empty()) continue;
    EXPECT_EQ(terms_of(polynomial(input_of(both)), both.letters), by_brute_force(both)) << both.shown();
  }
}

TEST(Polynomial, OfSquaresByDirectionOfAztecDiamondsAndOfHexagons) {
  const std::vector<std::string> six{"1", "30", "281", "1064", "1988", "1988", "1064", "281", "30", "1"};
  EXPECT_EQ(coefficients_of("square:6x6:weights=x,1"), six);
  const Polynomial squares = polynomial_of("square:8x8:weights=x,1");
  EXPECT_EQ(squares.terms.size(), 17U);
  EXPECT_EQ(squares.terms[8].exponents, std::vector<std::int64_t>{16});
  EXPECT_EQ(squares.terms[8].coefficient, 3179916);
  EXPECT_EQ(coefficients_of("aztec:4:weights=x,1"),
            (std::vector<std::string>{"1", "10", "45", "120", "210", "252", "210", "120", "45", "10", "1"}));
  // Every lozenge tiling has as many lozenges of each kind.
  const Polynomial hexagon = polynomial_of("hexagon:2x3x4:weights=x,y,1");
  ASSERT_EQ(hexagon.terms.size(), 1U);
  EXPECT_EQ(hexagon.terms[0].coefficient, 490);
}

TEST(Polynomial, OnlyExponentsThatCanOccurAreComputed) {
  const auto note = [](const std::string& lattice) {
    return count(Source::from_argument("lattice:" + lattice), {}, {}).notes.back();
  };
  EXPECT_NE(note("square:8x8:weights=x,1").find("x from the power 0 to 32 in steps of 2: 17 coefficients"),
            std::string::npos)
      << note("square:8x8:weights=x,1");
  // All exponents add up to the number of dominoes.
  EXPECT_NE(note("square:8x8:weights=x,y").find("y from the power 0 to 32 in steps of 2: 17 coefficients"),
            std::string::npos)
      << note("square:8x8:weights=x,y");
  EXPECT_NE(note("hexagon:3x3x3:weights=x,1,1").find("x to the power 9: 1 coefficient of"), std::string::npos)
      << note("hexagon:3x3x3:weights=x,1,1");
}

TEST(Polynomial, OfToriIsByDirectionTheCountAtPoints) {
  const Polynomial torus = polynomial_of("torus:4x6:weights=x,1");
  mpq_class at_half;
  for (const PolynomialTerm& term : torus.terms) {
    mpq_class power = term.coefficient;
    for (std::int64_t k = 0; k < term.exponents[0]; ++k) power /= 2;
    at_half += power;
  }
  ReadOptions half;
  half.at = {"x=1/2"};
  const CountResult at_point = count(Source::from_argument("lattice:torus:4x6:weights=x,1"), half, {});
  EXPECT_EQ(at_half.get_str(), at_point.count);
  EXPECT_FALSE(at_point.polynomial);
  const CountResult in_numbers = count(Source::from_argument("lattice:torus:4x6:weights=1/2,1"), {}, {});
  EXPECT_EQ(in_numbers.count, at_point.count);
}

TEST(Polynomial, OfEveryMethodIsTheSame) {
  const std::vector<std::string> expected{"1", "9", "16", "9", "1"};
  for (const char* method :
       {"planar", "condensation", "frontier", "ryser", "pruned", "grouped", "forbert-marx"}) {
    Options options;
    options.method = method;
    options.rules.enabled.fill(method == std::string("forbert-marx"));
    options.double_check = true;
    std::vector<std::string> found;
    const Input board = Source::from_argument("lattice:square:4x4:weights=x,1");
    for (const PolynomialTerm& term : polynomial(board, options).terms)
      found.push_back(term.coefficient.get_str());
    EXPECT_EQ(found, expected) << method;
  }
}

TEST(Polynomial, OfMaximumMatchings) {
  Options options;
  options.matchings = MatchingSize::maximum;
  const Source path = Source::from_bytes("a b x\nb c y\n");
  ReadOptions reading;
  reading.weights = true;
  const Polynomial found = polynomial(Input(path, reading), options);
  ASSERT_EQ(found.terms.size(), 2U);
  EXPECT_EQ(found.variables, "xy");
  EXPECT_EQ(found.terms[0].exponents, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(found.terms[1].exponents, (std::vector<std::int64_t>{1, 0}));
}

TEST(Polynomial, OfCancellingTermsIsZero) {
  const Source square = Source::from_bytes("a b x\nb c 1\nc d -x\nd a x^2\n");
  ReadOptions reading;
  reading.weights = true;
  const CountResult found = count(Input(square, reading));
  ASSERT_TRUE(found.polynomial);
  EXPECT_TRUE(found.polynomial->terms.empty());
  EXPECT_EQ(found.count, "0");
}

TEST(Polynomial, WeightsAreReadAndWritten) {
  for (const auto& [text, expected] :
       std::vector<std::pair<std::string, std::string>>{{"x", "x"},
                                                        {"-x", "-x"},
                                                        {"+y^2", "y^2"},
                                                        {"3*x*y^-1", "3*x*y^-1"},
                                                        {"2/4*z*a", "1/2*a*z"},
                                                        {"x*x**2", "x^3"},
                                                        {"x*x^-1", "1"},
                                                        {"-7*x^0*Y", "-7*Y"}}) {
    LetterTable table;
    const std::int64_t place = table.number_of(parse_weight_with_letters(text, "test", 1), "test", 1);
    const auto letters = table.finished();
    EXPECT_EQ(text_of(letters->weight[static_cast<std::size_t>(place)], letters->letters), expected) << text;
  }
  for (const char* text :
       {"x+1", "2x", "x y", "x^", "x^1.5", "x^9999999", "a*b*c*d", "x*", "*x", "x*2", "--x", "x/2"})
    EXPECT_THROW(parse_weight_with_letters(text, "test", 1), InputError) << text;
}

TEST(Polynomial, LettersThatCannotBeCountedAreRefused) {
  const Source edge = Source::from_bytes("a b x\n");
  ReadOptions reading;
  EXPECT_THROW(count(Input(edge, reading)), InputError);  // without weights
  reading.weights = true;
  EXPECT_EQ(polynomial(Input(edge, reading)).terms.size(), 1U);
  EXPECT_THROW(marginals(Input(edge, reading)), UsageError);
  EXPECT_THROW(permanent(Input(edge, reading)), UsageError);
  reading.at = {"y=2"};
  EXPECT_THROW(count(Input(edge, reading)), UsageError);
  reading.at = {"x=2,x=3"};
  EXPECT_THROW(count(Input(edge, reading)), UsageError);
  reading.at = {"x=0.25"};
  EXPECT_EQ(count(Input(edge, reading)).count, "0.25");
  reading.at = {"x=0"};
  EXPECT_EQ(count(Input(edge, reading)).count, "0");
  reading.at = {};
  reading.monomers = "t";
  EXPECT_THROW(count(Input(edge, reading)), UsageError);
  reading.monomers = "0.5";
  EXPECT_THROW(count(Input(edge, reading)), UsageError);
  reading.monomers = "";
  EXPECT_THROW(count(Input(Source::from_bytes("a b x\nb a 1\n"),
                           [&] {
                             ReadOptions sums = reading;
                             sums.multi = MultiPolicy::sum;
                             return sums;
                           }())),
               InputError);
  EXPECT_THROW(count(Input(Source::from_bytes("a b x\nc d 0.5\n"), reading)), InputError);
}

}  // namespace countpm::polynomial_test
