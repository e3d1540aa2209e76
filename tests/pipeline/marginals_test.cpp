// Edge probabilities and samples through the public interface, against enumeration and known bond orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "graph/lattices/lattice.hpp"
#include "src/api/entries.hpp"
#include "src/matchings/edge_pairs.hpp"
#include "src/text/format_probability.hpp"
#include "test_paths.hpp"
#include "tests/pipeline/random_instances.hpp"

namespace countpm {
namespace {

using testing::Entry;
using testing::TestMatrix;

std::vector<EdgeProbability> exact_marginals(Graph graph, const CountOptions& options = {}) {
  MarginalOptions exact;
  exact.exact = true;
  std::vector<EdgeProbability> edges;
  marginals(std::move(graph), options, exact, [&](const EdgeProbability& edge) {
    edges.push_back(edge);
    return true;
  });
  return edges;
}

using Sample = std::vector<std::pair<std::string, std::string>>;

std::vector<Sample> samples(Graph graph, std::uint64_t count, const CountOptions& options = {}) {
  SampleOptions sample_options;
  sample_options.count = count;
  std::vector<Sample> found;
  sample_matchings(std::move(graph), options, sample_options, [&](const Sample& sample) {
    found.push_back(sample);
    return true;
  });
  return found;
}

// The matrix without the entry's row and column.
TestMatrix minor_of(const TestMatrix& matrix, const Entry& entry) {
  TestMatrix result;
  result.n = matrix.n - 1;
  result.kind = matrix.kind;
  for (const Entry& e : matrix.entries) {
    if (e.row == entry.row || e.column == entry.column) continue;
    result.entries.push_back(
        {e.row - (e.row > entry.row ? 1 : 0), e.column - (e.column > entry.column ? 1 : 0), e.value});
  }
  return result;
}

TEST(Marginals, AreTheShareOfTheMinorsOnRandomMatrices) {
  constexpr std::uint64_t seed = 4711;
  std::mt19937_64 random(seed);
  int told = 0;
  for (int round = 0; round < testing::repeats(250); ++round) {
    testing::MatrixShape shape;
    shape.n = static_cast<Index>(1 + random() % 6);
    shape.density = 0.3 + 0.1 * static_cast<double>(random() % 7);
    shape.kind = std::array{WeightKind::none, WeightKind::integer, WeightKind::rational,
                            WeightKind::real}[static_cast<std::size_t>(round % 4)];
    shape.negative = round % 5 == 0 && shape.kind != WeightKind::none;
    const TestMatrix matrix = testing::random_matrix(shape, random);
    const mpq_class total = testing::permanent(matrix).re;
    Graph graph = to_graph(matrix);
    if (round % 3 == 0) {
      graph.kind = GraphKind::directed;
      graph.right_labels = {};
    }
    if (total == 0) continue;
    ++told;
    const auto edges = exact_marginals(std::move(graph));
    ASSERT_EQ(edges.size(), matrix.entries.size());
    for (std::size_t k = 0; k < edges.size(); ++k) {
      const Entry& entry = matrix.entries[k];
      const mpq_class expected = entry.value.re * testing::permanent(minor_of(matrix, entry)).re / total;
      ASSERT_EQ(edges[k].probability, expected.get_str())
          << "seed " << seed << " round " << round << " edge " << k << "\n"
          << matrix.to_text();
      ASSERT_EQ(edges[k].from, std::to_string(entry.row + 1));
      ASSERT_EQ(edges[k].to, std::to_string(entry.column + 1));
    }
  }
  EXPECT_GE(told, testing::fewest(100));
}

Graph undirected(Index vertices, std::vector<Edge> edges) {
  Graph graph;
  graph.left_labels = LabelTable::numbered(vertices, 0);
  graph.edges = std::move(edges);
  return graph;
}

// Perfect matchings with the lowest free vertex first, as sets of edge numbers.
void enumerate(const Graph& graph, std::vector<bool>& used, std::set<std::size_t>& taken,
               std::set<std::set<std::size_t>>& found) {
  const auto lowest = static_cast<Index>(std::find(used.begin(), used.end(), false) - used.begin());
  if (lowest == used.size()) {
    found.insert(taken);
    return;
  }
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto [a, b] = graph.edges[e];
    if ((a != lowest && b != lowest) || used[a] || used[b]) continue;
    used[a] = used[b] = true;
    taken.insert(e);
    enumerate(graph, used, taken, found);
    taken.erase(e);
    used[a] = used[b] = false;
  }
}

TEST(Marginals, EqualEnumerationOnRandomUndirectedGraphs) {
  constexpr std::uint64_t seed = 4712;
  std::mt19937_64 random(seed);
  int told = 0;
  for (int round = 0; round < testing::repeats(200); ++round) {
    const auto vertices = static_cast<Index>(2 + 2 * (random() % 5));
    std::vector<Edge> edges;
    for (Index a = 0; a < vertices; ++a) {
      for (Index b = a + 1; b < vertices; ++b) {
        // Either way round: labels come back as written.
        if (random() % vertices < 3) edges.push_back(random() % 2 == 0 ? Edge{a, b} : Edge{b, a});
      }
    }
    std::shuffle(edges.begin(), edges.end(), random);
    const Graph graph = undirected(vertices, edges);
    std::set<std::set<std::size_t>> found;
    std::set<std::size_t> taken;
    std::vector<bool> used(vertices, false);
    enumerate(graph, used, taken, found);
    const auto told_edges = exact_marginals(graph);
    if (found.empty()) {
      ASSERT_TRUE(told_edges.empty()) << "seed " << seed << " round " << round;
      continue;
    }
    ++told;
    ASSERT_EQ(told_edges.size(), edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto with =
          std::count_if(found.begin(), found.end(), [&](const auto& m) { return m.count(e) > 0; });
      mpq_class expected(static_cast<unsigned long>(with), static_cast<unsigned long>(found.size()));
      expected.canonicalize();
      ASSERT_EQ(told_edges[e].probability, expected.get_str()) << "seed " << seed << " round " << round;
      ASSERT_EQ(told_edges[e].from, std::to_string(edges[e].from));
      ASSERT_EQ(told_edges[e].to, std::to_string(edges[e].to));
    }
  }
  EXPECT_GT(told, testing::repeats(60));
}

void expect_sums_of_one(const std::vector<EdgeProbability>& edges, std::size_t vertices) {
  std::map<std::string, mpq_class> sum;
  for (const EdgeProbability& edge : edges) {
    sum[edge.from] += mpq_class(edge.probability);
    sum[edge.to] += mpq_class(edge.probability);
  }
  EXPECT_EQ(sum.size(), vertices);
  for (const auto& [vertex, total] : sum) EXPECT_EQ(total, 1) << vertex;
}

TEST(Marginals, OfEveryVertexAddUpToOne) {
  expect_sums_of_one(exact_marginals(lattice_graph("square:8x8")), 64);
  expect_sums_of_one(exact_marginals(lattice_graph("honeycomb:4x4")), 48);
  Graph weighted = lattice_graph("square:6x6");
  std::mt19937_64 random(4713);
  std::vector<mpq_class> values;
  for (std::size_t e = 0; e < weighted.edges.size(); ++e)
    values.emplace_back(1 + static_cast<long>(random() % 9), 1 + static_cast<long>(random() % 9));
  for (mpq_class& value : values) value.canonicalize();
  weighted.values = values;
  weighted.weight_kind = WeightKind::rational;
  expect_sums_of_one(exact_marginals(weighted), 36);
}

std::map<std::string, int> bond_orders(const std::string& molecule) {
  MarginalOptions exact;
  exact.exact = true;
  std::map<std::string, int> bonds;
  marginals(Source::from_argument(COUNTPM_SOURCE_DIR "/data/molecules/" + molecule + ".edgelist"), {}, {},
            exact, [&](const EdgeProbability& edge) {
              ++bonds[edge.probability];
              return true;
            });
  return bonds;
}

// Pauling's bond orders: the share of the Kekule structures in which the bond is double.
TEST(Marginals, ArePaulingsBondOrders) {
  using Bonds = std::map<std::string, int>;
  EXPECT_EQ(bond_orders("benzene"), (Bonds{{"1/2", 6}}));
  EXPECT_EQ(bond_orders("naphthalene"), (Bonds{{"1/3", 7}, {"2/3", 4}}));
  EXPECT_EQ(bond_orders("anthracene"), (Bonds{{"1/4", 8}, {"1/2", 4}, {"3/4", 4}}));
  // Of 12500 structures 5500 have a given bond between two hexagons double, 3500 one of a pentagon.
  EXPECT_EQ(bond_orders("C60"), (Bonds{{"11/25", 30}, {"7/25", 60}}));
}

TEST(Marginals, OfForcedAndForbiddenEdges) {
  // A path of four, and a square with a tail of two.
  const auto edges = exact_marginals(
      undirected(10, {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {7, 8}, {8, 9}}));
  const std::vector<std::string> expected{"1", "0", "1", "1/2", "1/2", "1/2", "1/2", "0", "1"};
  ASSERT_EQ(edges.size(), expected.size());
  for (std::size_t e = 0; e < edges.size(); ++e) EXPECT_EQ(edges[e].probability, expected[e]) << e;
}

TEST(Marginals, RefusesWhatHasNone) {
  TestMatrix cancelling;
  cancelling.n = 2;
  cancelling.kind = WeightKind::integer;
  cancelling.entries = {{0, 0, {1, 0}}, {0, 1, {1, 0}}, {1, 0, {-1, 0}}, {1, 1, {1, 0}}};
  EXPECT_THROW(exact_marginals(to_graph(cancelling)), UnableError);
  EXPECT_THROW(samples(to_graph(cancelling), 1), UnableError);
  TestMatrix complex = cancelling;
  complex.kind = WeightKind::complex;
  EXPECT_THROW(exact_marginals(to_graph(complex)), UnableError);
  MarginalOptions none;
  none.digits = 0;
  EXPECT_THROW(marginals(to_graph(cancelling), {}, none, [](const auto&) { return true; }), UsageError);
}

TEST(Marginals, StopAndKeepToTheMemoryLimit) {
  CountOptions options;
  options.interrupted = [] { return true; };
  EXPECT_THROW(exact_marginals(lattice_graph("square:150x150"), options), InterruptedError);
  CountOptions tight;
  tight.memory_limit_bytes = 20000;
  try {
    exact_marginals(lattice_graph("cubic:2x6x8"), tight);
    ADD_FAILURE() << "20 kB were enough";
  } catch (const UnableError& error) {
    EXPECT_NE(std::string(error.what()).find("the limit is 19.5 KiB"), std::string::npos) << error.what();
  }
  // Hopeless ones are refused before anything is tried: three random permutations, a frontier of 160.
  TestMatrix sparse;
  sparse.n = 600;
  std::mt19937_64 random(4715);
  std::set<std::pair<Index, Index>> places;
  for (int permutation = 0; permutation < 3; ++permutation) {
    std::vector<Index> column(sparse.n);
    for (Index i = 0; i < sparse.n; ++i) column[i] = i;
    std::shuffle(column.begin(), column.end(), random);
    for (Index i = 0; i < sparse.n; ++i) places.emplace(i, column[i]);
  }
  for (const auto& [i, j] : places) sparse.entries.push_back({i, j, {1, 0}});
  EXPECT_THROW(exact_marginals(to_graph(sparse)), UnableError);
  // Less than all layers take, but enough for the largest ones.
  CountOptions some;
  some.memory_limit_bytes = 300'000;
  EXPECT_EQ(exact_marginals(lattice_graph("cubic:2x6x8"), some).size(), 212U);
}

// Which method it is does not show: a torus by its determinants, too wide for the frontier in that time.
TEST(Marginals, OfToriInNoTime) {
  for (const auto& [spec, share] :
       {std::pair{"torus:20x20", "1/4"}, std::pair{"honeycomb-torus:16x16", "1/3"}}) {
    for (const EdgeProbability& edge : exact_marginals(lattice_graph(spec)))
      ASSERT_EQ(edge.probability, share) << spec;
  }
}

/// monomers: some vertices may stay alone, by loops.
void expect_pairs_as_enumerated(bool monomers) {
  std::mt19937_64 random(4717);
  int compared = 0;
  for (int round = 0; round < testing::repeats(60); ++round) {
    const auto n = static_cast<Index>(monomers ? 1 + random() % 7 : 2 * (1 + random() % 4));
    Graph graph = undirected(n, {});
    std::vector<std::int64_t> values;
    for (Index a = 0; a < n; ++a) {
      for (Index b = a + 1; b < n; ++b) {
        if (random() % 10 >= 6) continue;
        graph.edges.push_back({a, b});
        values.push_back(static_cast<std::int64_t>(1 + random() % 4));
      }
    }
    graph.monomers = monomers;
    for (Index v = 0; monomers && v < n; ++v) {
      if (random() % 4 == 0) continue;
      graph.edges.push_back({v, v});
      values.push_back(static_cast<std::int64_t>(1 + random() % 4));
    }
    if (round % 2 == 0) {
      graph.values = values;
      graph.weight_kind = WeightKind::integer;
    } else {
      values.assign(values.size(), 1);
    }
    std::vector<bool> used(n, false);
    std::set<std::size_t> taken;
    std::set<std::set<std::size_t>> found;
    enumerate(graph, used, taken, found);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      for (std::size_t f = 0; f < graph.edges.size(); ++f) pairs.emplace_back(e, f);
    }
    mpz_class total = 0;
    std::map<std::pair<std::uint64_t, std::uint64_t>, mpz_class> weight;
    for (const std::set<std::size_t>& matching : found) {
      mpz_class product = 1;
      for (const std::size_t e : matching) product *= static_cast<long>(values[e]);
      total += product;
      for (const std::size_t e : matching) {
        for (const std::size_t f : matching) weight[{e, f}] += product;
      }
    }
    if (monomers && total == 0) {  // there is not even the empty matching
      EXPECT_THROW(pair_marginals({graph, {}}, pairs, {}), UnableError);
      continue;
    }
    const std::vector<mpq_class> joint = pair_marginals({graph, {}}, pairs, {});
    ASSERT_EQ(joint.size(), pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const mpq_class expected = total == 0 ? mpq_class(0) : mpq_class(weight[pairs[k]]) / total;
      ASSERT_EQ(joint[k], expected) << "round " << round << " pair " << k;
    }
    compared += total == 0 ? 0 : 1;
  }
  EXPECT_GT(compared, testing::repeats(20));
}

TEST(Pairs, EqualEnumerationOnRandomUndirectedGraphs) {
  expect_pairs_as_enumerated(false);
}
TEST(Pairs, EqualEnumerationWithMonomers) {
  expect_pairs_as_enumerated(true);
}

TEST(Pairs, ArcsTakeATailAndAHead) {
  // Cycle covers of the complete digraph with loops on three vertices are the permutations.
  Graph graph = undirected(3, {});
  graph.kind = GraphKind::directed;
  for (Index a = 0; a < 3; ++a) {
    for (Index b = 0; b < 3; ++b) graph.edges.push_back({a, b});
  }
  // (0,0) with (1,1), with (1,0), with (1,2), with itself.
  const std::vector<mpq_class> joint = pair_marginals({graph, {}}, {{0, 4}, {0, 3}, {0, 5}, {0, 0}}, {});
  EXPECT_EQ(joint, (std::vector<mpq_class>{mpq_class(1, 6), 0, mpq_class(1, 6), mpq_class(1, 3)}));
  EXPECT_THROW(pair_marginals({graph, {}}, {{0, 9}}, {}), UsageError);
}

// 1 * 1 - 1 * 1 = 0 for what is left of the first edge, 1 for the whole.
TEST(Pairs, OfAFirstEdgeThatCancels) {
  TestMatrix matrix;
  matrix.n = 3;
  matrix.kind = WeightKind::integer;
  matrix.entries = {{0, 0, {1, 0}},  {0, 1, {1, 0}}, {1, 0, {1, 0}}, {1, 1, {1, 0}},
                    {1, 2, {-1, 0}}, {2, 1, {1, 0}}, {2, 2, {1, 0}}};
  EXPECT_THROW(pair_marginals({to_graph(matrix), {}}, {{0, 3}}, {}), UnableError);
  // a b: 0 over the whole, 1.
  EXPECT_EQ(pair_marginals({to_graph(matrix), {}}, {{3, 0}}, {}).front(), 1);
}

TEST(Samples, AreTheSameForAnyThreadsAndBeginTheSame) {
  CountOptions options;
  options.seed = 99;
  options.threads = 1;
  const auto expected = samples(lattice_graph("square:10x10"), 300, options);
  ASSERT_EQ(expected.size(), 300U);
  EXPECT_GT(std::set<Sample>(expected.begin(), expected.end()).size(), 290U);
  for (int threads = 2; threads <= 8; ++threads) {
    options.threads = threads;
    ASSERT_EQ(samples(lattice_graph("square:10x10"), 300, options), expected) << threads;
  }
  auto fewer = samples(lattice_graph("square:10x10"), 7, options);
  EXPECT_TRUE(std::equal(fewer.begin(), fewer.end(), expected.begin()));
  options.seed = 100;
  EXPECT_NE(samples(lattice_graph("square:10x10"), 300, options), expected);
}

// K_8 and K_40: all edges alike, one class of adjacent twins.
TEST(Marginals, OfCompleteGraphsAreAlike) {
  for (const Index n : {8U, 40U}) {
    std::vector<Edge> pairs;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < i; ++j) pairs.push_back({i, j});
    }
    const std::vector<EdgeProbability> edges = exact_marginals(undirected(n, pairs));
    ASSERT_EQ(edges.size(), pairs.size());
    for (const EdgeProbability& edge : edges) EXPECT_EQ(edge.probability, "1/" + std::to_string(n - 1));
    const std::vector<Sample> drawn = samples(undirected(n, pairs), 50);
    ASSERT_EQ(drawn.size(), 50U);
    for (const Sample& sample : drawn) {
      std::set<std::string> matched;
      for (const auto& [a, b] : sample) matched.insert({a, b});
      ASSERT_EQ(matched.size(), n);
    }
  }
}

// Two squares and a path with weights: eight matchings. 20000 draws of a fixed seed.
TEST(Samples, OfSeveralPiecesFollowTheWeights) {
  Graph graph =
      undirected(10, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 4}, {6, 7}, {5, 7}, {8, 9}});
  graph.values = std::vector<std::int64_t>{2, 1, 3, 1, 1, 1, 1, 5, 1, 7};
  graph.weight_kind = WeightKind::integer;
  // The square: {01, 23} weighs 6, {12, 30} 1. The other piece, of odd cycles: {45, 67} 5, {46, 57} 1.
  constexpr int draws = 20000;
  std::map<std::pair<bool, bool>, double> seen;
  for (const Sample& sample : samples(graph, draws)) {
    const std::set<std::pair<std::string, std::string>> pairs(sample.begin(), sample.end());
    const auto has = [&](const char* a, const char* b) {
      return pairs.count({a, b}) + pairs.count({b, a}) > 0;
    };
    ASSERT_EQ(sample.size(), 5U);
    ASSERT_TRUE(has("8", "9"));
    ASSERT_TRUE(has("0", "1") ? has("2", "3") : has("1", "2") && has("0", "3"));
    ASSERT_TRUE(has("4", "5") ? has("6", "7") : has("4", "6") && has("5", "7"));
    seen[{has("0", "1"), has("4", "5")}] += 1;
  }
  double chi_square = 0;
  for (const auto& [square, other] : {std::pair{true, true}, {true, false}, {false, true}, {false, false}}) {
    const double expected = draws * (square ? 6 : 1) / 7.0 * (other ? 5 : 1) / 6.0;
    chi_square += (seen[{square, other}] - expected) * (seen[{square, other}] - expected) / expected;
  }
  EXPECT_LT(chi_square, 22);  // three degrees of freedom: one seed in 15000 is beyond
}

TEST(FormatFraction, RoundsTheExactValue) {
  EXPECT_EQ(format_fraction(0, 7, 12), "0");
  EXPECT_EQ(format_fraction(1, 1, 12), "1");
  EXPECT_EQ(format_fraction(1, 3, 12), "0.333333333333");
  EXPECT_EQ(format_fraction(2, 3, 3), "0.667");
  EXPECT_EQ(format_fraction(-3, 2, 12), "-1.5");
  EXPECT_EQ(format_fraction(3, -2, 1), "-2");  // half to even
  EXPECT_EQ(format_fraction(5, 2, 1), "2");
  EXPECT_EQ(format_fraction(999'999, 1'000'000, 3), "1");
  EXPECT_EQ(format_fraction(1, 100'000, 3), "0.00001");
  EXPECT_EQ(format_fraction(1, 8'000'000, 5), "1.25e-07");
  EXPECT_EQ(format_fraction(1234, 1, 3), "1.23e+03");
  EXPECT_EQ(format_fraction(120, 1, 3), "120");
  EXPECT_EQ(format_fraction(9'999, 10, 3), "1e+03");
}

TEST(FormatFraction, IsWithinHalfAUnitOnRandomFractions) {
  constexpr std::uint64_t seed = 4714;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 3000; ++round) {
    const mpz_class numerator = 1 + static_cast<unsigned long>(random() >> random() % 64);
    const mpz_class denominator = 1 + static_cast<unsigned long>(random() >> random() % 64);
    const auto digits = static_cast<unsigned>(1 + random() % 20);
    const std::string text = format_fraction(numerator, denominator, digits);
    // mantissa * 10^exponent, as integers
    std::string mantissa = text.substr(0, text.find('e'));
    long exponent = text.find('e') == std::string::npos ? 0 : std::stol(text.substr(text.find('e') + 1));
    if (const std::size_t point = mantissa.find('.'); point != std::string::npos) {
      exponent -= static_cast<long>(mantissa.size() - point - 1);
      mantissa.erase(point, 1);
    }
    mpz_class power;
    mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::labs(exponent)));
    mpq_class value{mpz_class(mantissa, 10)};
    value = exponent >= 0 ? mpq_class(value * power) : mpq_class(value / power);
    mpq_class exact(numerator, denominator);
    exact.canonicalize();
    const mpq_class error = abs(value - exact) / exact;
    mpz_class scale;
    mpz_ui_pow_ui(scale.get_mpz_t(), 10, digits - 1);
    ASSERT_LE(mpq_class(error * scale * 2), 1)
        << seed << " " << numerator << "/" << denominator << " " << text;
  }
}

}  // namespace
}  // namespace countpm
