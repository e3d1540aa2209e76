// Vertices that may stay alone: matching polynomials, sums with weights of monomers and loop hafnians,
// against brute force and published numbers.
#include "graph/kinds/monomers.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

#include "src/api/entries.hpp"
#include "src/library/countpm.hpp"
#include "tests/repeats.hpp"

namespace countpm::monomers_test {
namespace {

using Matrix = std::vector<std::vector<mpq_class>>;

/// Adds to sum[k] the weights of all matchings with k edges: the first free vertex stays alone, by its weight
/// on the diagonal, or takes a later one.
void add_matchings(const Matrix& weight, std::vector<bool>& used, std::size_t first, const mpq_class& product,
                   std::size_t edges, std::vector<mpq_class>& sum) {
  while (first < weight.size() && used[first]) ++first;
  if (first == weight.size()) {
    sum[edges] += product;
    return;
  }
  if (weight[first][first] != 0)
    add_matchings(weight, used, first + 1, product * weight[first][first], edges, sum);
  for (std::size_t other = first + 1; other < weight.size(); ++other) {
    if (used[other] || weight[first][other] == 0) continue;
    used[other] = true;
    add_matchings(weight, used, first + 1, product * weight[first][other], edges + 1, sum);
    used[other] = false;
  }
}

std::vector<mpq_class> by_brute_force(const Matrix& weight) {
  std::vector<mpq_class> sum(weight.size() / 2 + 1);
  std::vector<bool> used(weight.size(), false);
  add_matchings(weight, used, 0, 1, 0, sum);
  return sum;
}

mpq_class total(const std::vector<mpq_class>& terms) {
  mpq_class sum;
  for (const mpq_class& one : terms) sum += one;
  return sum;
}

Matrix with_diagonal(Matrix weight, const mpq_class& value) {
  for (std::size_t v = 0; v < weight.size(); ++v) weight[v][v] = value;
  return weight;
}

/// Its number of edges.
std::size_t largest_matching(Matrix weight) {
  for (std::vector<mpq_class>& row : weight) {
    for (mpq_class& entry : row) entry = entry != 0 ? 1 : 0;
  }
  std::vector<mpq_class> number = by_brute_force(with_diagonal(std::move(weight), 1));
  while (number.back() == 0) number.pop_back();
  return number.size() - 1;
}

mpq_class exact(const Value& value) {
  if (const auto* integer = std::get_if<mpz_class>(&value)) return mpq_class(*integer);
  return std::get<mpq_class>(value);
}

std::complex<double> rounded(const Value& value) {
  if (const auto* real = std::get_if<RealBall>(&value)) return real->middle;
  if (const auto* complex = std::get_if<ComplexBall>(&value)) return complex->middle;
  return exact(value).get_d();
}

enum class Kind { ones, integers, rationals };

mpq_class random_weight(Kind kind, std::mt19937_64& random) {
  if (kind == Kind::ones) return 1;
  const auto between = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  int numerator = between(-4, 5);
  if (numerator == 0) numerator = 7;
  mpq_class value(numerator, kind == Kind::integers ? 1 : between(1, 6));
  value.canonicalize();
  return value;
}

struct Case {
  Graph graph;
  Matrix weight;  // symmetric, the diagonal 0
};

/// Undirected, or with the first `left` vertices on one side. Isolated vertices and components come up by
/// themselves.
Case random_case(Index size, Index left, double density, Kind kind, std::mt19937_64& random) {
  std::bernoulli_distribution present(density);
  Case result;
  result.weight.assign(size, std::vector<mpq_class>(size));
  Graph& graph = result.graph;
  const bool bipartite = left > 0;
  graph.kind = bipartite ? GraphKind::bipartite : GraphKind::undirected;
  graph.left_labels = LabelTable::numbered(bipartite ? left : size, 0);
  if (bipartite) graph.right_labels = LabelTable::numbered(size - left, 0);
  graph.weight_kind = kind == Kind::ones       ? WeightKind::none
                      : kind == Kind::integers ? WeightKind::integer
                                               : WeightKind::rational;
  std::vector<mpq_class> values;
  for (Index u = 0; u < size; ++u) {
    for (Index v = u + 1; v < size; ++v) {
      if (!present(random) || (bipartite && (u >= left || v < left))) continue;
      values.push_back(random_weight(kind, random));
      result.weight[u][v] = result.weight[v][u] = values.back();
      graph.edges.push_back({u, bipartite ? v - left : v});
    }
  }
  if (kind != Kind::ones) graph.values = std::move(values);
  return result;
}

Options by(const std::string& method, OrderKind order = OrderKind::automatic) {
  Options options;
  options.method = method;
  options.order = order;
  options.threads = 1;
  return options;
}

TEST(Monomers, EveryWayOfCountingIsBruteForce) {
  std::mt19937_64 random(241);
  const std::vector<Options> ways{by("auto"), by("definition"), by("frontier"),
                                  by("frontier", OrderKind::tree)};
  for (int run = 0; run < testing::repeats(120) && !HasFailure(); ++run) {
    SCOPED_TRACE(run);
    const auto size = static_cast<Index>(run % 9);
    const Index left = run % 2 == 0 || size < 2 ? 0 : 1 + size / 3;
    const Case one = random_case(size, left, 0.15 + 0.12 * (run % 7), static_cast<Kind>(run % 3), random);
    const std::vector<mpq_class> coefficients = by_brute_force(with_diagonal(one.weight, 1));
    const Options& way = ways[static_cast<std::size_t>(run / 9) % ways.size()];

    std::vector<mpq_class> expected = coefficients;
    expected.resize(1 + largest_matching(one.weight));
    EXPECT_EQ(matching_polynomial(one.graph, way), expected);
    const CountResult polynomial = count(with_monomers(one.graph, "t"), way);
    EXPECT_EQ(exact(polynomial.value), total(coefficients)) << "the sum of the coefficients is the count";

    EXPECT_EQ(exact(count(with_monomers(one.graph), way).value), total(coefficients));
    for (const char* weight : {"-2", "3/4"}) {
      EXPECT_EQ(exact(count(with_monomers(one.graph, weight), way).value),
                total(by_brute_force(with_diagonal(one.weight, mpq_class(weight)))))
          << weight;
    }
    const std::vector<mpq_class> perfect = by_brute_force(one.weight);
    EXPECT_EQ(perfect.back(), exact(count(one.graph).value));
    if (size % 2 == 0) {
      EXPECT_EQ(coefficients.back(), perfect.back()) << "the last coefficient is the perfect matchings";
    }
  }
}

TEST(Monomers, LoopHafniansOfRandomMatrices) {
  std::mt19937_64 random(242);
  for (int run = 0; run < testing::repeats(90) && !HasFailure(); ++run) {
    SCOPED_TRACE(run);
    const auto size = static_cast<Index>(run % 8);
    const auto kind = static_cast<Kind>(run % 3);
    Case one = random_case(size, 0, 0.2 + 0.1 * (run % 7), kind, random);
    Graph matrix;  // of all entries, a loop at two of three vertices
    matrix.kind = GraphKind::directed;
    matrix.left_labels = LabelTable::numbered(size, 0);
    matrix.weight_kind = one.graph.weight_kind;
    std::vector<mpq_class> values;
    for (Index u = 0; u < size; ++u) {
      if (random() % 3 != 0) one.weight[u][u] = random_weight(kind, random);
      for (Index v = 0; v < size; ++v) {
        if (one.weight[u][v] == 0) continue;
        if (v < u && one.weight[v][u] == 0) continue;
        matrix.edges.push_back({u, v});
        values.push_back(one.weight[u][v]);
      }
    }
    if (kind != Kind::ones) matrix.values = std::move(values);
    const mpq_class expected = total(by_brute_force(one.weight));
    for (const char* method : {"auto", "frontier"})
      EXPECT_EQ(exact(loop_hafnian(matrix, by(method))), expected) << method;
  }
}

using ComplexMatrix = std::vector<std::vector<ComplexRational>>;

/// The loop hafnian of the vertices that are left: the first one stays alone or takes another.
ComplexRational loop_hafnian_of(const ComplexMatrix& weight, std::vector<Index> left) {
  if (left.empty()) return {1, 0};
  const Index first = left.front();
  left.erase(left.begin());
  ComplexRational sum;
  const auto add = [&](const ComplexRational& entry, const std::vector<Index>& rest) {
    if (entry == ComplexRational{}) return;
    const ComplexRational of_rest = loop_hafnian_of(weight, rest);
    sum.re += entry.re * of_rest.re - entry.im * of_rest.im;
    sum.im += entry.re * of_rest.im + entry.im * of_rest.re;
  };
  add(weight[first][first], left);
  for (std::size_t k = 0; k < left.size(); ++k) {
    std::vector<Index> rest = left;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    add(weight[first][left[k]], rest);
  }
  return sum;
}

std::string text_of(const ComplexRational& number) {
  if (number.im == 0) return number.re.get_str();
  return fmt::format("({},{})", number.re.get_str(), number.im.get_str());
}

TEST(Monomers, ExactSumsOfComplexWeights) {
  std::mt19937_64 random(243);
  for (int run = 0; run < testing::repeats(90) && !HasFailure(); ++run) {
    SCOPED_TRACE(run);
    const auto size = static_cast<Index>(1 + run % 7);
    const auto kind = run % 2 == 0 ? Kind::integers : Kind::rationals;
    Graph matrix;
    matrix.kind = GraphKind::directed;
    matrix.left_labels = LabelTable::numbered(size, 0);
    matrix.weight_kind = WeightKind::complex;
    ComplexMatrix weight(size, std::vector<ComplexRational>(size));
    std::vector<ComplexRational> values;
    std::vector<Index> all;
    for (Index u = 0; u < size; ++u) {
      all.push_back(u);
      for (Index v = 0; v < size; ++v) {
        if (v < u) weight[u][v] = weight[v][u];
        if (v >= u && random() % 4 != 0) {
          weight[u][v] = {random_weight(kind, random), random_weight(kind, random)};
          if (random() % 3 == 0) weight[u][v].re = 0;
        }
        if (weight[u][v] == ComplexRational{}) continue;
        matrix.edges.push_back({u, v});
        values.push_back(weight[u][v]);
      }
    }
    if (values.empty()) continue;
    matrix.values = std::move(values);
    const std::string expected = text_of(loop_hafnian_of(weight, all));
    for (const char* method : {"auto", "frontier", "hafnian"}) {
      const auto value = std::get<ComplexBall>(loop_hafnian(exactly(matrix), by(method)));
      EXPECT_EQ(value.digits, expected) << method;
      EXPECT_EQ(value.error, "0");
    }
  }
}

std::string sum_of(const std::string& lattice, const std::string& weight = "1") {
  return count(with_monomers(Source::from_argument("lattice:" + lattice), weight)).count;
}

std::vector<mpq_class> polynomial_of(const std::string& lattice) {
  return matching_polynomial(Source::from_argument("lattice:" + lattice));
}

std::vector<mpq_class> list_of(const std::string& numbers) {
  std::vector<mpq_class> list;
  std::string number;
  for (const char c : numbers + ",") {
    if (c != ',') {
      number += c;
    } else {
      list.emplace_back(number);
      number.clear();
    }
  }
  return list;
}

// All matchings of boards, cubes, complete graphs and triangles: OEIS A028420, A045310, A000085, A002720,
// A269869.
TEST(Monomers, PublishedNumbersOfMatchings) {
  EXPECT_EQ(sum_of("square:1x1"), "1");
  EXPECT_EQ(sum_of("square:2x2"), "7");
  EXPECT_EQ(sum_of("square:5x5"), "2810694");
  EXPECT_EQ(sum_of("square:8x8"), "179788343101980135");
  EXPECT_EQ(sum_of("hypercube:4"), "41025");
  EXPECT_EQ(sum_of("complete:9"), "2620");
  EXPECT_EQ(sum_of("complete-bipartite:6x6"), "13327");
  std::string triangle;  // of side 5
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; i + j < 4; ++j)
      triangle += fmt::format("v{0}{1} v{2}{1}\nv{0}{1} v{0}{3}\nv{2}{1} v{0}{3}\n", i, j, i + 1, j + 1);
  }
  EXPECT_EQ(count(with_monomers(Source::from_bytes(triangle))).count, "14278");
}

// Boards by number of dominoes: A242861; the fullerene C20: graph-theoretical tables of Hosoya indices.
TEST(Monomers, PublishedPolynomials) {
  EXPECT_EQ(polynomial_of("square:4x4"), list_of("1,24,224,1044,2593,3388,2150,552,36"));
  EXPECT_EQ(polynomial_of("fullerene:20:1,2,3,4,5,6,7,8,9,10,11,12"),
            list_of("1,30,375,2540,10155,24474,34805,27300,10260,1400,36"));
  EXPECT_EQ(polynomial_of("square:7x7").back(), 2200776) << "A137308: largest matchings";
  // Petersen's graph: W. W. Rouse Ball's drawing as two cycles and spokes.
  std::string petersen;
  for (int i = 0; i < 5; ++i) {
    const auto edge = [&](int a, int b) { petersen += fmt::format("v{} v{}\n", a, b); };
    edge(i, (i + 1) % 5);
    edge(i + 5, (i + 2) % 5 + 5);
    edge(i, i + 5);
  }
  EXPECT_EQ(matching_polynomial(Source::from_bytes(petersen)), list_of("1,15,75,145,90,6"));
}

// King's graphs are not planar: A243424.
TEST(Monomers, KingsOnABoard) {
  std::string edges;
  for (int i = 0; i < 16; ++i) {
    for (int j = i + 1; j < 16; ++j) {
      if (std::abs(i / 4 - j / 4) <= 1 && std::abs(i % 4 - j % 4) <= 1)
        edges += fmt::format("v{} v{}\n", i, j);
    }
  }
  EXPECT_EQ(matching_polynomial(Source::from_bytes(edges)),
            list_of("1,42,657,4890,18343,33792,27380,7416,280"));
}

TEST(Monomers, SeveralThreadsSecondCountsAndChecks) {
  Options options;
  options.double_check = true;
  const CountResult result = count(with_monomers(Source::from_argument("lattice:square:5x6"), "t"), options);
  EXPECT_EQ(total(result.coefficients), exact(result.value));
  EXPECT_EQ(result.problem, Problem::matchings);
  EXPECT_EQ(result.edges, 49U) << "loops are none";
  EXPECT_FALSE(result.entropy) << "it is of perfect matchings";
  std::vector<std::string> names;
  for (const Check& check : result.checks) {
    if (check.ran) names.push_back(check.name);
  }
  for (const char* name : {"upper bound", "small matchings", "largest matching", "double-check"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
}

// In floating point the error bound holds the exact number.
TEST(Monomers, DecimalAndComplexWeights) {
  const Source board = Source::from_argument("lattice:square:5x6");
  const mpq_class half = exact(count(with_monomers(board, "1/2")).value);
  const auto ball = std::get<RealBall>(count(with_monomers(board, "0.5"), by("frontier")).value);
  EXPECT_LE(std::abs(ball.middle - half.get_d()), ball.radius + 1e-15 * half.get_d());
  EXPECT_LT(ball.radius, 1e-9 * half.get_d());
  // i^30 at i: the sum of (-1)^(k + 15) m_k.
  mpz_class alternating;
  const std::vector<mpq_class> m = matching_polynomial(board);
  for (std::size_t k = 0; k < m.size(); ++k) alternating += (k % 2 == 0 ? -1 : 1) * m[k].get_num();
  const Value complex = count(with_monomers(board, "i")).value;
  const auto& found = std::get<ComplexBall>(complex);
  EXPECT_LE(std::abs(found.middle - std::complex<double>(alternating.get_d(), 0)), found.radius + 1e-3);
}

// In floating point a sum of nothing has an error that says nothing.
TEST(Monomers, WithoutAMatchingComplexSumsAreZero) {
  std::string text;
  for (int k = 0; k < 12; ++k)
    text += fmt::format("c a{0} (0.3,1.{0}7)\na{0} b{0} (1.1,0.{0}3)\na{0} d{0} (0.7,-0.{0}1)\n", k);
  for (int k = 0; k < 3; ++k) text += fmt::format("b{0} b{0} (1,0.5)\n", k);
  ReadOptions reading;
  reading.format = Format::edge_list;
  reading.kind = GraphKind::undirected;
  reading.weights = true;
  reading.loops = LoopPolicy::monomer;
  for (const char* const method : {"hafnian", "frontier"}) {
    const Value value = count(Input(Source::from_bytes(text), reading), by(method)).value;
    EXPECT_EQ(std::get<ComplexBall>(value).middle, std::complex<double>(0)) << method;
    EXPECT_EQ(std::get<ComplexBall>(value).radius, 0) << method;
  }
}

// Where the weights of the largest matchings cancel, their line is there all the same.
TEST(Monomers, CoefficientsThatCancel) {
  ReadOptions options;
  options.weights = true;
  options.monomers = "t";
  const Source file = Source::from_bytes("b e -3\nb h -3\nc g -1\nd g 1\n", "cancel.edges");
  EXPECT_EQ(count(Input(file, options)).coefficients, list_of("1,-6,0"));
}

// 1 is a weight of every type, beside weights of every type.
TEST(Monomers, OneIsOneInEveryType) {
  ReadOptions options;
  options.weights = true;
  for (const char* edge : {"1", "2", "1/2", "99999999999999999999", "0.5", "(2,0)"}) {
    options.monomers = "1";
    const Source file = Source::from_bytes(fmt::format("a b {}\n", edge), "one.edges");
    const std::complex<double> expected = rounded(count(Input(file, options)).value);
    for (const char* one : {"1.0", "1/1", "(1,0)", "1+0i"}) {
      options.monomers = one;
      const std::complex<double> found = rounded(count(Input(file, options)).value);
      EXPECT_LE(std::abs(found - expected), 1e-12 * std::abs(expected)) << edge << " and " << one;
    }
  }
}

TEST(Monomers, RefusalsSayWhy) {
  Graph arcs;
  arcs.kind = GraphKind::directed;
  arcs.left_labels = LabelTable::numbered(2, 0);
  arcs.edges = {{0, 1}, {1, 0}};
  EXPECT_THROW(with_monomers(arcs), UsageError);
  const Source board = Source::from_argument("lattice:square:2x2");
  for (const char* weight : {"0", "1/0", "s", "nan"})
    EXPECT_THROW(count(with_monomers(board, weight)), Error) << weight;
  EXPECT_THROW(count(with_monomers(Source::from_argument("lattice:square:2x2:weights=0.5,1"), "t")),
               UsageError);
  const Source wide =
      Source::from_argument("lattice:square:3x3");  // its centre is on no face with all others
  for (const char* method : {"planar", "ryser", "condensation"})
    EXPECT_THROW(count(with_monomers(wide), by(method)), UnableError) << method;
  for (const char* method : {"planar", "condensation"})
    EXPECT_EQ(count(with_monomers(board), by(method)).count, "7") << method;
  const Input monomers = with_monomers(board);
  EXPECT_EQ(estimate(monomers).exact_count, "7");
  EXPECT_THROW(ln_z(with_monomers(wide)), UnableError);
  EXPECT_THROW(sample(with_monomers(board, "-1"), 1), UnableError);
  EXPECT_THROW(count(with_monomers(Source::from_argument("lattice:square:2x5000"), "t")), UnableError)
      << "five thousand coefficients of thousands of bits";
}

TEST(Monomers, LogarithmsOnOneFace) {
  const Source ladder = Source::from_argument("lattice:square:2x12:weights=3,1/2");
  const LnZResult found = ln_z(with_monomers(ladder, "5/7"));
  const mpq_class exact_sum = exact(count(with_monomers(ladder, "5/7")).value);
  EXPECT_NEAR(found.ln_z, std::log(exact_sum.get_d()), 1e-10);
  EXPECT_LT(found.ln_z_error, 1e-9);
  EXPECT_EQ(found.problem, Problem::matchings);
  // Two leaves of one vertex that may not stay alone; and a vertex by itself.
  for (const char* text : {"a a 1\nb b 1\na b 1\nc d 1\nc e 1\nc f 1\nd d 1\n", "a a 1\nb b 0\n"}) {
    ReadOptions reading;
    reading.weights = true;
    reading.loops = LoopPolicy::monomer;
    const LnZResult none = ln_z(Input(Source::from_bytes(text), reading));
    EXPECT_TRUE(std::isinf(none.ln_z)) << text;
    EXPECT_FALSE(none.notes.empty()) << text;
  }
}

TEST(Monomers, ProbabilitiesListsAndSamples) {
  const Input monomers = with_monomers(Source::from_argument("lattice:square:2x2"));
  const ExactMarginals shares = exact_marginals(monomers);
  ASSERT_EQ(shares.edge.size(), 8U);
  for (std::size_t k = 0; k < 8; ++k) {
    const bool alone = shares.edge[k].from == shares.edge[k].to;
    EXPECT_EQ(shares.probability[k], alone ? mpq_class(3, 7) : mpq_class(2, 7));
  }
  EXPECT_EQ(list(monomers, [](const std::vector<Edge>&) { return true; }), 7U);
  EXPECT_EQ(sample(monomers, 5).size(), 5U);
}

// A letter that somebody put into a graph by hand must be large enough.
TEST(Monomers, LettersAreChecked) {
  ReadOptions options;
  options.monomers = "t";
  Graph graph = read_graph(Source::from_argument("lattice:square:3x3"), options).graph;
  EXPECT_EQ(count(graph).coefficients, polynomial_of("square:3x3"));
  Graph small = graph;
  small.letter_bits /= 2;
  EXPECT_THROW(count(small), InputError);
  Graph one_less = graph;
  one_less.edges.pop_back();
  std::get<std::vector<mpq_class>>(one_less.values).pop_back();
  EXPECT_THROW(count(one_less), InputError);
}

TEST(Monomers, LoopsOfFiles) {
  ReadOptions options;
  options.loops = LoopPolicy::monomer;
  options.weights = true;
  // 2 * 3 * 5 alone, ab 7 with c alone, bc 11 with a alone.
  const Source file = Source::from_bytes("a a 2\nb b 3\nc c 5\na b 7\nb c 11\n", "loops.edges");
  EXPECT_EQ(count(Input(file, options)).count, "87");
  options.monomers = "1";  // of vertices without a loop: here d
  const Source more = Source::from_bytes("a a 2\nb b 3\nc c 5\na b 7\nb c 11\nc d 1\n", "loops.edges");
  EXPECT_EQ(count(Input(more, options)).count, "100") << "87 with d alone, cd with 2 * 3 + 7";
  options.monomers = "t";
  EXPECT_THROW(count(Input(file, options)), UsageError);
  options.monomers.clear();
  options.kind = GraphKind::directed;
  EXPECT_THROW(count(Input(file, options)), UsageError);
}

}  // namespace
}  // namespace countpm::monomers_test
