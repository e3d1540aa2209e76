// Perfect matchings of graphs with odd cycles through the whole pipeline: against brute force, closed forms,
// and themselves under changes whose effect is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "src/api/entries.hpp"
#include "tests/matching/general_support.hpp"
#include "tests/pipeline/parse_decimal.hpp"

namespace countpm {
namespace {

using namespace testing_support;

struct WeightedGraph {
  Index vertices = 0;
  WeightKind kind = WeightKind::none;
  Edges edges;
  std::vector<ComplexRational> weight;  // beside the edges

  SparseMatrix<ComplexRational> matrix() const {
    SparseMatrix<ComplexRational> result;
    static_cast<SparsePattern&>(result) = graph_of(vertices, edges);
    for (Index v = 0; v < vertices; ++v) {
      for (std::uint64_t k = result.row_start[v]; k < result.row_start[v + 1]; ++k) {
        const auto ends = std::minmax(v, result.column[k]);
        const auto at = std::find_if(edges.begin(), edges.end(),
                                     [&](const auto& e) { return std::minmax(e.first, e.second) == ends; });
        result.value.push_back(weight[static_cast<std::size_t>(at - edges.begin())]);
      }
    }
    return result;
  }
  Graph graph() const {
    Graph result;
    result.kind = GraphKind::undirected;
    result.left_labels = LabelTable::numbered(vertices);
    result.weight_kind = kind;
    for (const auto& [a, b] : edges) result.edges.push_back({a, b});
    if (kind == WeightKind::integer) {
      std::vector<std::int64_t> values;
      for (const auto& w : weight) values.push_back(w.re.get_num().get_si());
      result.values = std::move(values);
    } else if (kind == WeightKind::complex) {
      result.values = weight;
    } else if (kind != WeightKind::none) {
      std::vector<mpq_class> values;
      for (const auto& w : weight) values.push_back(w.re);
      result.values = std::move(values);
    }
    return result;
  }
  std::string to_text() const {
    std::string text = std::to_string(vertices) + " vertices\n";
    for (std::size_t k = 0; k < edges.size(); ++k) {
      text += std::to_string(edges[k].first) + " " + std::to_string(edges[k].second) + " " +
              testing_support::text(weight[k]) + "\n";
    }
    return text;
  }
};

WeightedGraph weighted(const SparsePattern& pattern, WeightKind kind, bool negative, Random& random) {
  WeightedGraph result;
  result.vertices = pattern.rows;
  result.kind = kind;
  result.edges = edges_of(pattern);
  const auto part = [&]() -> mpq_class {
    mpq_class value = 1 + random.below(9);
    if (kind == WeightKind::rational) value /= 1 + random.below(7);
    if (kind >= WeightKind::real) value /= 1U << random.below(6);
    return negative && random.below(2) == 0 ? mpq_class(-value) : value;
  };
  for (std::size_t k = 0; k < result.edges.size(); ++k) {
    if (kind == WeightKind::none) {
      result.weight.push_back({1, 0});
    } else {
      const mpq_class re = part();
      result.weight.push_back({re, kind == WeightKind::complex ? part() : mpq_class(0)});
    }
  }
  return result;
}
WeightedGraph plain(const SparsePattern& pattern) {
  Random random(1);
  return weighted(pattern, WeightKind::none, false, random);
}
std::string count_of(const WeightedGraph& graph, const CountOptions& options = {}) {
  return count(graph.graph(), options).count;
}
std::string count_of(const SparsePattern& pattern) {
  return count_of(plain(pattern));
}

// Whether the printed value lies within its error of the truth.
bool agrees(const CountResult& result, const ComplexRational& truth) {
  if (result.exact && result.count.find('/') == std::string::npos)
    return testing::parse_decimal(result.count) == truth.re && truth.im == 0;
  if (result.exact) return result.count == truth.re.get_str() && truth.im == 0;
  std::string text = result.count;
  double im = 0;
  if (text.front() == '(') {
    im = std::stod(text.substr(text.find(',') + 1));
    text = text.substr(1);
  }
  const double size = std::abs(truth.re.get_d()) + std::abs(truth.im.get_d());
  return std::hypot(std::stod(text) - truth.re.get_d(), im - truth.im.get_d()) <=
         std::stod(result.error_bound) + 1e-13 * size;
}

TEST(GeneralCount, RandomGraphsOfEveryKindOfWeight) {
  int counted = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const Index n = 3 + random.below(seed % 16 == 0 ? 14 : 10);
    const SparsePattern pattern = random_graph(n, (1 + random.below(10)) / (1.0 + random.below(10)), random);
    const auto kind = static_cast<WeightKind>(random.below(5));
    const WeightedGraph graph = weighted(pattern, kind, random.below(2) == 0, random);
    CountOptions options;
    options.double_check = random.below(4) == 0;
    if (random.below(3) == 0) options.rules.drop(Rule::single);
    if (random.below(3) == 0) options.rules.drop(Rule::doubles);
    if (random.below(3) == 0) options.rules.drop(Rule::twins);
    const auto matrix = graph.matrix();
    const ComplexRational truth = hafnian(matrix);
    try {
      const CountResult result = count(graph.graph(), options);
      ASSERT_TRUE(agrees(result, truth))
          << "seed " << seed << ": " << result.count << " for " << text(truth) << "\n"
          << graph.to_text();
      ++counted;
    } catch (const UnableError& error) {
      // Sums that rounding cannot tell from 0 have no certain digit.
      ASSERT_TRUE(kind >= WeightKind::real) << "seed " << seed << error.what() << "\n" << graph.to_text();
    }
  }
  EXPECT_GT(counted, 250);
}

TEST(GeneralCount, NamedGraphs) {
  EXPECT_EQ(count_of(petersen()), "6");
  EXPECT_EQ(count_of(prism(3)), "4");
  EXPECT_EQ(count_of(prism(5)), "11");  // Lucas number L_5
  EXPECT_EQ(count_of(prism(7)), "29");  // L_7
  mpz_class expected = 1;
  for (Index n = 4; n <= 100; n += 2) {
    expected *= n - 1;
    if (n <= 14 || n % 20 == 0) {
      EXPECT_EQ(count_of(complete(n)), expected.get_str());
    }
  }
  // The hub takes one of n rim vertices, and the path that is left has one perfect matching.
  for (Index n = 3; n <= 21; n += 2) EXPECT_EQ(count_of(wheel(n)), std::to_string(n));
  for (Index n = 3; n <= 21; n += 2) EXPECT_EQ(count_of(cycle(n)), "0");
}

TEST(GeneralCount, TriangularLatticesAndMultipartiteGraphsAgainstBruteForce) {
  for (Index rows = 2; rows <= 4; ++rows) {
    for (Index columns = 2; columns <= 5; ++columns) {
      const SparsePattern lattice = triangular(rows, columns);
      EXPECT_EQ(count_of(lattice), hafnian(with_ones(lattice)).get_str()) << rows << " " << columns;
    }
  }
  for (const auto& parts :
       std::vector<std::vector<Index>>{{2, 2, 2}, {1, 3, 4}, {5, 2, 3}, {3, 3, 3, 3}, {1, 1, 6}}) {
    std::vector<Index> part_of;
    for (Index p = 0; p < parts.size(); ++p) part_of.insert(part_of.end(), parts[p], p);
    Edges edges;
    for (Index a = 0; a < part_of.size(); ++a) {
      for (Index b = a + 1; b < part_of.size(); ++b) {
        if (part_of[a] != part_of[b]) edges.emplace_back(a, b);
      }
    }
    const SparsePattern graph = graph_of(static_cast<Index>(part_of.size()), edges);
    EXPECT_EQ(count_of(graph), hafnian(with_ones(graph)).get_str());
  }
}

TEST(GeneralCount, TwoColourablePiecesGoToTheOtherMethods) {
  // Petersen beside a 4 x 4 board, and an edge between the two: 10 and 16 vertices, so that it is in no
  // perfect matching. ryser cannot count the one, nor be refused the other.
  Edges edges = edges_of(petersen());
  for (Index r = 0; r < 4; ++r) {
    for (Index c = 0; c < 4; ++c) {
      const Index v = 10 + 4 * r + c;
      if (c < 3) edges.emplace_back(v, v + 1);
      if (r < 3) edges.emplace_back(v, v + 4);
    }
  }
  edges.emplace_back(3, 12);
  const CountResult result = count(plain(graph_of(26, edges)).graph(), {});
  EXPECT_EQ(result.count, std::to_string(6 * 36));
  std::set<bool> kinds;
  for (const BlockReport& block : result.blocks) kinds.insert(block.general);
  EXPECT_EQ(kinds, (std::set<bool>{false, true}));
}

TEST(GeneralCount, DisjointUnionsMultiplyAndOddOnesAreZero) {
  const auto together = [](const SparsePattern& a, const SparsePattern& b) {
    Edges edges = edges_of(a);
    for (const auto& [v, w] : edges_of(b)) edges.emplace_back(v + a.rows, w + a.rows);
    return graph_of(a.rows + b.rows, edges);
  };
  EXPECT_EQ(count_of(together(petersen(), prism(3))), "24");
  EXPECT_EQ(count_of(together(complete(6), complete(8))), std::to_string(15 * 105));
  const CountResult odd = count(plain(together(cycle(5), cycle(7))).graph(), {});
  EXPECT_EQ(odd.count, "0");
  ASSERT_TRUE(odd.violator);
  EXPECT_TRUE(odd.violator->neighbours.empty());
  ASSERT_EQ(odd.violator->odd_components.size(), 1U);
  EXPECT_EQ(odd.violator->odd_components.front().size(), 5U);
}

TEST(GeneralCount, RenumberingAndScalingAndPendantPathsMoveTheCountAsTheyMust) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const WeightedGraph graph =
        weighted(random_graph(4 + 2 * random.below(5), 0.5, random), WeightKind::rational, true, random);
    const std::string first = count_of(graph);
    SCOPED_TRACE(graph.to_text());

    WeightedGraph renumbered = graph;
    std::vector<Index> label(graph.vertices);
    std::iota(label.begin(), label.end(), 0);
    std::shuffle(label.begin(), label.end(), random);
    for (auto& [a, b] : renumbered.edges) a = label[a], b = label[b];
    ASSERT_EQ(count_of(renumbered), first);

    WeightedGraph scaled = graph;  // all edges of vertex 0
    for (std::size_t k = 0; k < scaled.edges.size(); ++k) {
      if (scaled.edges[k].first == 0 || scaled.edges[k].second == 0) scaled.weight[k].re *= mpq_class(-3, 5);
    }
    ASSERT_EQ(count_of(scaled), mpq_class(mpq_class(first) * mpq_class(-3, 5)).get_str());

    WeightedGraph longer = graph;  // an edge ab becomes a path a c d b, of weights w, 1, 1: c and d are new
    if (longer.edges.empty()) continue;
    const auto [a, b] = longer.edges.front();
    const Index c = longer.vertices;
    longer.vertices += 2;
    longer.edges.front() = {a, c};
    longer.edges.emplace_back(c, c + 1);
    longer.edges.emplace_back(c + 1, b);
    longer.weight.insert(longer.weight.end(), 2, {1, 0});
    ASSERT_EQ(count_of(longer), first);
  }
}

TEST(GeneralCount, LargeCountsNeedSeveralPrimesAndAreProved) {
  // Twelve copies of K10 with weights of 40 bits: 945^12 times the products, in one number.
  WeightedGraph graph;
  graph.kind = WeightKind::integer;
  graph.vertices = 120;
  const mpz_class weight = (mpz_class(1) << 40) + 15;
  for (Index copy = 0; copy < 12; ++copy) {
    for (const auto& [a, b] : edges_of(complete(10))) graph.edges.emplace_back(a + 10 * copy, b + 10 * copy);
  }
  graph.weight.assign(graph.edges.size(), {mpq_class(weight), 0});
  mpz_class expected;
  mpz_class power;
  mpz_ui_pow_ui(expected.get_mpz_t(), 945, 12);
  mpz_pow_ui(power.get_mpz_t(), weight.get_mpz_t(), 60);
  expected *= power;
  const CountResult result = count(graph.graph(), {});
  EXPECT_EQ(result.count, expected.get_str());
  EXPECT_TRUE(result.proved);
}

TEST(GeneralCount, TheDoubleCheckRenumbers) {
  CountOptions options;
  options.double_check = true;
  const CountResult result = count(plain(triangular(4, 5)).graph(), options);
  const auto check = std::find_if(result.checks.begin(), result.checks.end(),
                                  [](const Check& one) { return one.name == "double-check"; });
  ASSERT_NE(check, result.checks.end());
  EXPECT_TRUE(check->ran);
  EXPECT_NE(check->detail.find("renumbered"), std::string::npos) << check->detail;
}

// Lists all matchings as sets of pairs of vertices, in the order in which they come.
std::vector<std::vector<std::pair<Index, Index>>> listed(const SparsePattern& pattern,
                                                         std::uint64_t first = 1) {
  std::string text;
  for (Index v = 0; v < pattern.rows; ++v) text += "#! vertex " + std::to_string(v) + "\n";
  for (const auto& [a, b] : edges_of(pattern)) text += std::to_string(a) + " " + std::to_string(b) + "\n";
  ListOptions options;
  options.first = first;
  std::vector<std::vector<std::pair<Index, Index>>> result;
  list_matchings(Source::from_bytes(text), {}, options, [&](const auto& pairs) {
    auto& one = result.emplace_back();
    for (const auto& [a, b] : pairs)
      one.emplace_back(static_cast<Index>(std::stoul(a)), static_cast<Index>(std::stoul(b)));
    return true;
  });
  return result;
}

TEST(GeneralList, EveryMatchingOnceInOrder) {
  int graphs = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Random random(seed);
    const SparsePattern graph = random_graph(4 + 2 * random.below(4), 0.3 + 0.1 * random.below(5), random);
    const mpq_class expected = hafnian(with_ones(graph));
    if (expected > 3000 || graph.column.empty()) continue;
    const auto all = listed(graph);
    ASSERT_EQ(mpq_class(static_cast<unsigned long>(all.size())), expected) << "seed " << seed << show(graph);
    for (std::size_t m = 0; m < all.size(); ++m) {
      std::vector<bool> covered(graph.rows, false);
      for (const auto& [a, b] : all[m]) {
        const auto row = graph.column.begin();
        ASSERT_TRUE(std::binary_search(row + static_cast<std::ptrdiff_t>(graph.row_start[a]),
                                       row + static_cast<std::ptrdiff_t>(graph.row_start[a + 1]), b));
        ASSERT_FALSE(covered[a] || covered[b]);
        covered[a] = covered[b] = true;
      }
      if (m > 0) {
        ASSERT_LT(all[m - 1], all[m]) << "seed " << seed;
      }
    }
    if (!all.empty()) {
      ++graphs;
      const std::uint64_t first = 1 + random.below(static_cast<Index>(all.size()));
      const auto rest = listed(graph, first);
      ASSERT_EQ(rest.size(), all.size() - first + 1);
      ASSERT_EQ(rest.front(), all[first - 1]);
    }
  }
  EXPECT_GT(graphs, 60);
}

// A hub of more edges than a thread's stack holds calls: Boost's planarity test recursed down its list.
TEST(GeneralCount, OfALargeWheelHasAsManyAsItsRimVertices) {
  constexpr Index rim = 20001;
  Graph wheel;
  wheel.left_labels = LabelTable::numbered(rim + 1);
  for (Index k = 0; k < rim; ++k) {
    wheel.edges.push_back({k, (k + 1) % rim});
    wheel.edges.push_back({k, rim});
  }
  CountOptions options;
  options.method = "planar";
  EXPECT_EQ(count(wheel, options).count, std::to_string(rim));
}

}  // namespace
}  // namespace countpm
