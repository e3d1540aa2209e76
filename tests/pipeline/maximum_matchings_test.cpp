// Maximum matchings and the permanents of rectangular matrices through the whole pipeline: against a search
// through all matchings, closed forms, published values, and themselves under changes whose effect is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <numeric>
#include <random>
#include <sstream>

#include "src/api/entries.hpp"
#include "src/count/bounds.hpp"
#include "src/count/ln_z.hpp"
#include "src/estimate/estimate.hpp"
#include "src/input/report.hpp"
#include "src/library/countpm.hpp"
#include "tests/repeats.hpp"

namespace countpm::maximum_matchings_test {
namespace {

using testing::repeats;

/// Vertices of both sides have numbers of their own in `edges`: left from 0, right from `left` on.
struct TestGraph {
  Index left = 0;  // of an undirected graph all
  Index right = 0;
  bool bipartite = false;
  WeightKind kind = WeightKind::none;
  std::vector<Edge> edges;
  std::vector<ComplexRational> weight;

  Index vertices() const { return left + right; }

  Graph graph() const {
    Graph result;
    result.kind = bipartite ? GraphKind::bipartite : GraphKind::undirected;
    result.left_labels = LabelTable::numbered(left);
    if (bipartite) result.right_labels = LabelTable::numbered(right);
    result.weight_kind = kind;
    for (const Edge& e : edges) result.edges.push_back({e.from, bipartite ? e.to - left : e.to});
    if (kind == WeightKind::integer) {
      std::vector<std::int64_t> values;
      for (const ComplexRational& w : weight) values.push_back(w.re.get_num().get_si());
      result.values = std::move(values);
    } else if (kind == WeightKind::complex) {
      result.values = weight;
    } else if (kind != WeightKind::none) {
      std::vector<mpq_class> values;
      for (const ComplexRational& w : weight) values.push_back(w.re);
      result.values = std::move(values);
    }
    return result;
  }

  std::string text() const {
    std::ostringstream out;
    out << left << " + " << right << " vertices\n";
    for (std::size_t k = 0; k < edges.size(); ++k)
      out << edges[k].from << ' ' << edges[k].to << ' ' << weight[k].re << " + i " << weight[k].im << '\n';
    return out.str();
  }
};

ComplexRational product(const ComplexRational& a, const ComplexRational& b) {
  return {mpq_class(a.re * b.re - a.im * b.im), mpq_class(a.re * b.im + a.im * b.re)};
}

/// The sums over all matchings, by their numbers of edges: of the first vertices on, each left free or
/// matched to a later one.
using Sums = std::map<std::size_t, ComplexRational>;
void add_matchings(const TestGraph& graph, Index vertex, std::vector<bool>& used, std::size_t size,
                   const ComplexRational& so_far, Sums& sums) {
  while (vertex < graph.vertices() && used[vertex]) ++vertex;
  if (vertex == graph.vertices()) {
    ComplexRational& sum = sums[size];
    sum.re += so_far.re;
    sum.im += so_far.im;
    return;
  }
  used[vertex] = true;
  add_matchings(graph, vertex + 1, used, size, so_far, sums);
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const Edge& e = graph.edges[k];
    const Index other = e.from == vertex ? e.to : e.from;
    if ((e.from != vertex && e.to != vertex) || used[other]) continue;
    used[other] = true;
    add_matchings(graph, vertex + 1, used, size + 1, product(so_far, graph.weight[k]), sums);
    used[other] = false;
  }
  used[vertex] = false;
}
Sums all_matchings(const TestGraph& graph) {
  Sums sums;
  std::vector<bool> used(graph.vertices(), false);
  add_matchings(graph, 0, used, 0, {1, 0}, sums);
  return sums;
}

Index below(Index end, std::mt19937_64& random) {
  return static_cast<Index>(random() % end);
}

ComplexRational random_weight(WeightKind kind, bool negative, std::mt19937_64& random) {
  const auto part = [&]() -> mpq_class {
    if (kind == WeightKind::none) return 1;
    mpq_class value(1 + static_cast<long>(random() % 9));
    if (kind == WeightKind::rational) value /= 1 + static_cast<long>(random() % 7);
    if (kind >= WeightKind::real) value /= 1L << (random() % 6);
    return negative && random() % 2 == 0 ? mpq_class(-value) : value;
  };
  const mpq_class re = part();
  return {re, kind == WeightKind::complex ? part() : mpq_class(0)};
}

TestGraph random_graph(Index left, Index right, bool bipartite, WeightKind kind, bool negative,
                       std::mt19937_64& random) {
  TestGraph graph;
  graph.left = left;
  graph.right = bipartite ? right : 0;
  graph.bipartite = bipartite;
  graph.kind = kind;
  const double density = std::uniform_real_distribution<double>(0.1, 0.9)(random);
  for (Index a = 0; a < graph.vertices(); ++a) {
    for (Index b = a + 1; b < graph.vertices(); ++b) {
      if (bipartite && (a >= left || b < left)) continue;
      if (!std::bernoulli_distribution(density)(random)) continue;
      graph.edges.push_back({a, b});
      graph.weight.push_back(random_weight(kind, negative, random));
    }
  }
  return graph;
}

/// Another graph's vertices and edges beside these.
void append(TestGraph& graph, const TestGraph& other) {
  ASSERT_FALSE(graph.bipartite || other.bipartite);
  for (std::size_t k = 0; k < other.edges.size(); ++k) {
    graph.edges.push_back({other.edges[k].from + graph.left, other.edges[k].to + graph.left});
    graph.weight.push_back(other.weight[k]);
  }
  graph.left += other.left;
}

CountOptions maximum() {
  CountOptions options;
  options.matchings = MatchingSize::maximum;
  return options;
}

/// Whether an answer is the truth, or a ball around it.
bool is(const Value& value, const ComplexRational& truth) {
  if (const auto* integer = std::get_if<mpz_class>(&value)) return truth.im == 0 && truth.re == *integer;
  if (const auto* fraction = std::get_if<mpq_class>(&value)) return truth.im == 0 && truth.re == *fraction;
  const double size = std::abs(truth.re.get_d()) + std::abs(truth.im.get_d());
  if (const auto* real = std::get_if<RealBall>(&value))
    return truth.im == 0 && std::abs(real->middle - truth.re.get_d()) <= real->radius + 1e-13 * size;
  const auto& ball = std::get<ComplexBall>(value);
  return std::abs(ball.middle - std::complex<double>(truth.re.get_d(), truth.im.get_d())) <=
         ball.radius + 1e-13 * size;
}

void expect_brute_force(const TestGraph& graph, const CountOptions& options) {
  const Sums sums = all_matchings(graph);
  const auto& [size, truth] = *sums.rbegin();
  try {
    const CountResult result = count(graph.graph(), options);
    ASSERT_TRUE(is(result.value, truth)) << result.count << " for " << truth.re << " + i " << truth.im << "\n"
                                         << graph.text();
    ASSERT_TRUE(result.matched);
    EXPECT_EQ(result.matched->size, size) << graph.text();
    EXPECT_EQ(result.matched->free, graph.vertices() - 2 * size) << graph.text();
    EXPECT_FALSE(result.violator);
    if (result.matched->free > 0) {
      EXPECT_FALSE(result.entropy);
    }
  } catch (const UnableError& error) {
    // Sums that rounding cannot tell from 0 have no certain digit.
    ASSERT_GE(graph.kind, WeightKind::real) << error.what() << "\n" << graph.text();
  }
}

CountOptions random_options(std::mt19937_64& random) {
  CountOptions options = maximum();
  options.double_check = random() % 4 == 0;
  if (random() % 3 == 0) options.rules.drop(Rule::single);
  if (random() % 3 == 0) options.rules.drop(Rule::doubles);
  if (random() % 3 == 0) options.rules.drop(Rule::twins);
  return options;
}

TEST(MaximumMatchings, OfRandomBipartiteGraphsAreThoseOfASearch) {
  std::mt19937_64 random(1);
  for (int run = 0; run < repeats(240); ++run) {
    const auto kind = static_cast<WeightKind>(random() % 5);
    const Index left = below(6, random);
    const Index right = below(7, random);
    const TestGraph graph = random_graph(left, right, true, kind, run % 2 == 0, random);
    expect_brute_force(graph, random_options(random));
  }
}

TEST(MaximumMatchings, OfRandomGraphsAreThoseOfASearch) {
  std::mt19937_64 random(2);
  for (int run = 0; run < repeats(240); ++run) {
    const auto kind = static_cast<WeightKind>(random() % 5);
    const Index first = below(9, random);
    TestGraph graph = random_graph(first, 0, false, kind, run % 2 == 0, random);
    if (run % 3 == 0) {
      const Index second = below(5, random);
      append(graph, random_graph(second, 0, false, kind, run % 2 == 0, random));
    }
    expect_brute_force(graph, random_options(random));
  }
}

/// A forest, every vertex joined to one of the `reach` before it, with edges more. In a graph with two sides
/// the vertices go left or right as the forest has it.
TestGraph random_near_forest(Index vertices, Index reach, Index more, bool bipartite, WeightKind kind,
                             bool negative, std::mt19937_64& random) {
  TestGraph graph;
  graph.bipartite = bipartite;
  graph.kind = kind;
  std::vector<bool> right(vertices, false);
  std::map<std::pair<Index, Index>, bool> edges;
  for (Index v = 1; v < vertices; ++v) {
    if (random() % 8 == 0) {
      right[v] = random() % 2 == 0;
      continue;
    }
    const Index parent = v - 1 - below(std::min(v, reach), random);
    right[v] = !right[parent];
    edges[{parent, v}] = true;
  }
  for (Index k = 0; k < more && vertices > 1; ++k) {
    const Index a = below(vertices, random);
    const Index b = below(vertices, random);
    if (a != b && (!bipartite || right[a] != right[b])) edges[{std::min(a, b), std::max(a, b)}] = true;
  }
  std::vector<Index> number(vertices);
  graph.left = vertices;
  if (bipartite) graph.left = static_cast<Index>(std::count(right.begin(), right.end(), false));
  graph.right = vertices - graph.left;
  Index left = 0;
  Index next = graph.left;
  for (Index v = 0; v < vertices; ++v) number[v] = !bipartite ? v : right[v] ? next++ : left++;
  for (const auto& [edge, listed] : edges) {
    const auto [a, b] = std::minmax(number[edge.first], number[edge.second]);
    graph.edges.push_back({a, b});
    graph.weight.push_back(random_weight(kind, negative, random));
  }
  return graph;
}

void expect_near_forests(Index most_more, int runs, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int run = 0; run < repeats(runs); ++run) {
    const auto kind = static_cast<WeightKind>(random() % 5);
    const Index vertices = 1 + below(17, random);
    const Index reach = 1 + below(run % 2 == 0 ? 3 : vertices, random);
    const Index more = most_more == 0 ? 0 : below(most_more, random);
    const TestGraph graph =
        random_near_forest(vertices, reach, more, run % 3 == 0, kind, run % 2 == 0, random);
    ASSERT_NO_FATAL_FAILURE(expect_brute_force(graph, random_options(random)));
  }
}

TEST(MaximumMatchings, OfRandomForestsAreThoseOfASearch) {
  expect_near_forests(0, 300, 4);
}

// Cycles with trees on them, odd ones too: some are summed up whole, and some lose their trees alone.
TEST(MaximumMatchings, OfRandomNearForestsAreThoseOfASearch) {
  expect_near_forests(7, 600, 5);
  expect_near_forests(24, 300, 6);
}

std::string count_of(const std::string& input, const CountOptions& options = maximum()) {
  return count(Source::from_argument(input), {}, options).count;
}

Graph unweighted(Index vertices, std::vector<Edge> edges) {
  Graph graph;
  graph.left_labels = LabelTable::numbered(vertices);
  graph.edges = std::move(edges);
  return graph;
}

/// Several stars: their leaves' numbers multiplied, and a star of 5,000 would have 25 million entries added.
TEST(MaximumMatchings, OfLargeStars) {
  EXPECT_EQ(count_of("lattice:complete-bipartite:1x300000"), "300000");
  std::vector<Edge> edges;
  for (Index k = 0; k < 3 * 6000; ++k) edges.push_back({k % 3, 3 + k});
  // A path through the centres, which no maximum matching uses, and between two leaves an edge that all do.
  edges.insert(edges.end(), {{0, 1}, {1, 2}, {3, 6}});
  const CountResult result = count(unweighted(3 + 3 * 6000, edges), maximum());
  EXPECT_EQ(result.count, mpz_class(mpz_class(5998) * 6000 * 6000).get_str());
  EXPECT_EQ(result.matched->size, 4U);
}

/// Legs on every other vertex of a path: vertex k of the n with a leg may take it, or the path's vertex in
/// front or behind; a(n) = 3 a(n-1) - a(n-2), every other Fibonacci number.
Graph comb(Index legs, bool closed) {
  std::vector<Edge> edges;
  for (Index k = 0; k < legs; ++k) {
    edges.push_back({2 * k, 2 * k + 1});
    edges.push_back({2 * k + 1, closed && k + 1 == legs ? 0 : 2 * k + 2});
    edges.push_back({2 * k + 1, 2 * legs + 1 + k});
  }
  return unweighted(3 * legs + 1, edges);
}
mpz_class fibonacci(unsigned long n) {
  mpz_class result;
  mpz_fib_ui(result.get_mpz_t(), n);
  return result;
}
TEST(MaximumMatchings, OfLongCombs) {
  for (const Index legs : {1U, 2U, 3U, 10U, 3000U, 20000U}) {
    EXPECT_EQ(count(comb(legs, false), maximum()).count, fibonacci(2 * std::uint64_t{legs} + 2).get_str())
        << legs;
  }
  // Closed to a cycle, with a vertex by itself: Lucas numbers, L(2 n) - 2, and 2 in which all go one way
  // round.
  for (const Index legs : {2U, 3U, 10U, 6000U}) {
    const std::uint64_t n = 2 * std::uint64_t{legs};
    EXPECT_EQ(count(comb(legs, true), maximum()).count,
              mpz_class(fibonacci(n - 1) + fibonacci(n + 1)).get_str())
        << legs;
  }
}

/// Two triangles and a path of three: 9 maximum matchings of the triangles, 2 of the path.
TEST(MaximumMatchings, OfSeveralComponentsMultiply) {
  Graph graph;
  graph.left_labels = LabelTable::numbered(10);  // the last is isolated
  graph.edges = {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {6, 7}, {7, 8}};
  const CountResult result = count(graph, maximum());
  EXPECT_EQ(result.count, "18");
  EXPECT_EQ(result.matched->size, 3U);
  EXPECT_EQ(result.matched->free, 4U);
}

// OEIS A137308.
TEST(MaximumMatchings, OfSquareBoards) {
  const std::vector<std::string> known{"1", "2", "18", "36", "2180", "6728", "2200776"};
  for (std::size_t n = 1; n <= known.size(); ++n) {
    const std::string board = "lattice:square:" + std::to_string(n) + "x" + std::to_string(n);
    EXPECT_EQ(count_of(board), known[n - 1]) << board;
  }
}

TEST(MaximumMatchings, OfCompleteGraphs) {
  EXPECT_EQ(count_of("lattice:complete:9"), "945");                  // 9 * 7 * 5 * 3
  EXPECT_EQ(count_of("lattice:complete:31"), "191898783962510625");  // 31!!
  EXPECT_EQ(count_of("lattice:complete-bipartite:3x40"), "59280");   // 40 * 39 * 38
  EXPECT_EQ(count_of("lattice:complete-bipartite:20x5"), "1860480");
  EXPECT_EQ(count_of("lattice:complete-bipartite:1x300"), "300");
}

Graph rectangle(Index rows, Index columns, const std::vector<std::int64_t>& values) {
  Graph graph;
  graph.kind = GraphKind::bipartite;
  graph.weight_kind = WeightKind::integer;
  graph.left_labels = LabelTable::numbered(rows);
  graph.right_labels = LabelTable::numbered(columns);
  std::vector<std::int64_t> kept;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      if (values[i * columns + j] == 0) continue;
      graph.edges.push_back({i, j});
      kept.push_back(values[i * columns + j]);
    }
  }
  graph.values = std::move(kept);
  return graph;
}

TEST(RectangularPermanents, OfSmallMatrices) {
  const auto per = [](Index rows, Index columns, const std::vector<std::int64_t>& values) {
    return std::get<mpz_class>(permanent(rectangle(rows, columns, values)));
  };
  EXPECT_EQ(per(2, 4, {1, 2, 3, 4, 5, 6, 7, 8}), 190);
  EXPECT_EQ(per(3, 1, {1, 5, 7}), 13);  // SymPy's example
  EXPECT_EQ(per(1, 3, {2, -3, 1}), 0);
  EXPECT_EQ(per(0, 3, {}), 1);
  EXPECT_EQ(per(3, 0, {}), 1);
  EXPECT_EQ(per(2, 3, {1, 0, 0, 1, 0, 0}), 0);  // both rows need the first column
  EXPECT_EQ(per(2, 2, {1, 2, 3, 4}), 10);
}

// What covers the smaller side is missing for a reason on that side.
TEST(RectangularPermanents, ThatAreZeroHaveAViolatorOfTheSmallerSide) {
  CountOptions options;
  options.matchings = MatchingSize::smaller_side;
  const CountResult tall = count(rectangle(4, 2, {1, 1, 0, 0, 0, 0, 0, 0}), options);
  EXPECT_EQ(tall.count, "0");
  ASSERT_TRUE(tall.violator);
  EXPECT_EQ(tall.violator->side, "right");
  EXPECT_EQ(tall.violator->vertices.size(), tall.violator->neighbours.size() + 1);
  EXPECT_FALSE(tall.matched);
  const CountResult wide = count(rectangle(2, 4, {1, 0, 0, 0, 1, 0, 0, 0}), options);
  ASSERT_TRUE(wide.violator);
  EXPECT_EQ(wide.violator->side, "left");
}

/// 9 x 13, by every method that can, and by inclusion-exclusion over permanents: the sum over the columns'
/// subsets of 9 of the square permanents.
TEST(RectangularPermanents, AreTheSameByEveryMethod) {
  std::mt19937_64 random(3);
  std::vector<std::int64_t> values;
  values.reserve(9 * 13);
  for (int k = 0; k < 9 * 13; ++k) values.push_back(static_cast<std::int64_t>(random() % 3));
  const Graph matrix = rectangle(9, 13, values);
  mpz_class expected = 0;
  for (std::uint32_t set = 0; set < 1U << 13U; ++set) {
    if (__builtin_popcount(set) != 9) continue;
    std::vector<std::int64_t> square;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if ((set >> k % 13 & 1U) != 0) square.push_back(values[k]);
    }
    expected += std::get<mpz_class>(permanent(rectangle(9, 9, square)));
  }
  for (const char* method : {"auto", "ryser", "grouped", "pruned", "frontier", "rook"}) {
    CountOptions options = maximum();
    options.method = method;
    EXPECT_EQ(count(matrix, options).count, expected.get_str()) << method;
  }
}

// Parallel questions that take other matchings too.
TEST(MaximumMatchings, AreExplainedBoundedAndEstimated) {
  const Source board = Source::from_argument("lattice:square:7x7");
  const Explanation explanation = explain(board, {}, maximum());
  EXPECT_EQ(explanation.matching_size, 24U);
  ASSERT_TRUE(explanation.matched);
  EXPECT_EQ(explanation.matched->free, 1U);
  EXPECT_EQ(explanation.rows, 25U);
  EXPECT_FALSE(explanation.violator);
  const CertainBounds certain = bounds(board, {}, maximum());
  const double log10 = std::log10(2200776);
  EXPECT_LE(certain.log10_lower, log10);
  EXPECT_GE(certain.log10_upper, log10);
  CountOptions options = maximum();
  EstimateOptions sampling;
  sampling.samples = 2000;
  sampling.exact_below_seconds = 0;
  const EstimateResult estimated = estimate(board, {}, options, sampling);
  ASSERT_TRUE(estimated.estimate);
  EXPECT_NEAR(estimated.estimate->log10, log10, 0.2);
}

TEST(MaximumMatchings, AreRefusedWhereTheyMeanNothing) {
  Graph digraph;
  digraph.kind = GraphKind::directed;
  digraph.left_labels = LabelTable::numbered(2);
  digraph.edges = {{0, 1}};
  EXPECT_THROW(count(digraph, maximum()), UsageError);
  const Source board = Source::from_argument("lattice:square:3x3");
  EXPECT_THROW(ln_z(board, {}, maximum()), UsageError);
  EXPECT_THROW(marginals(ReadResult(in_memory(digraph)), maximum()), UsageError);
  CountOptions smaller;
  smaller.matchings = MatchingSize::smaller_side;
  EXPECT_THROW(count(board, {}, smaller), UsageError);
  // Of equal sides only perfect matchings cover one.
  EXPECT_EQ(marginals(ReadResult(in_memory(rectangle(1, 1, {3}))), smaller).probability.size(), 1U);
  smaller.matchings = static_cast<MatchingSize>(7);
  EXPECT_THROW(count(board, {}, smaller), UsageError);
  // 29,970 vertices would be joined to each of 30,000.
  EXPECT_THROW(count_of("lattice:complete-bipartite:30x30000"), UnableError);
}

TEST(MaximumMatchings, ARectangleSaysHowToCountIt) {
  const std::string text = "1 1 0\n0 1 1\n";
  ReadOptions reading;
  reading.format = Format::dense;
  const CountResult perfect = count(Source::from_bytes(text), reading, {});
  EXPECT_EQ(perfect.count, "0");
  ASSERT_EQ(perfect.notes.size(), 1U);
  EXPECT_NE(perfect.notes[0].find("--maximum"), std::string::npos);
  const CountResult most = count(Source::from_bytes(text), reading, maximum());
  EXPECT_EQ(most.count, "3");
  EXPECT_TRUE(most.notes.empty());
  const CountResult fewer = count(Source::from_bytes("1 0 0\n1 0 0\n"), reading, maximum());
  EXPECT_EQ(fewer.count, "2");
  ASSERT_EQ(fewer.notes.size(), 1U);
  EXPECT_NE(fewer.notes[0].find("permanent is 0"), std::string::npos);
}

}  // namespace
}  // namespace countpm::maximum_matchings_test
