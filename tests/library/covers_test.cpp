// Exact covers: rings of graphs, Clar covering polynomials and sets of any size, against brute force and
// published numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <set>

#include "graph/kinds/cover_bound.hpp"
#include "graph/kinds/rings.hpp"
#include "graph/kinds/tiles.hpp"
#include "src/api/entries.hpp"
#include "src/library/countpm.hpp"
#include "test_paths.hpp"
#include "tests/repeats.hpp"

namespace countpm::covers_test {
namespace {

using testing::repeats;

/// A set that covers vertices together; of a ring the power of x is 1.
struct Piece {
  std::vector<Index> vertices;
  mpq_class weight = 1;
  bool ring = false;
};

/// Adds to sum[k] the products of all exact covers with k rings: the first vertex that is open takes a piece.
void add_covers(const std::vector<Piece>& pieces, std::vector<bool>& covered, const mpq_class& product,
                std::size_t rings, std::vector<mpq_class>& sum) {
  const auto open = std::find(covered.begin(), covered.end(), false);
  if (open == covered.end()) {
    sum[rings] += product;
    return;
  }
  const auto first = static_cast<Index>(open - covered.begin());
  for (const Piece& piece : pieces) {
    const bool here = std::find(piece.vertices.begin(), piece.vertices.end(), first) != piece.vertices.end();
    const bool fits =
        std::none_of(piece.vertices.begin(), piece.vertices.end(), [&](Index v) { return bool{covered[v]}; });
    if (!here || !fits) continue;
    for (const Index v : piece.vertices) covered[v] = true;
    add_covers(pieces, covered, product * piece.weight, rings + (piece.ring ? 1 : 0), sum);
    for (const Index v : piece.vertices) covered[v] = false;
  }
}

std::vector<mpq_class> by_brute_force(Index vertices, const std::vector<Piece>& pieces) {
  std::vector<mpq_class> sum(vertices + std::size_t{1});
  std::vector<bool> covered(vertices, false);
  add_covers(pieces, covered, 1, 0, sum);
  while (sum.size() > 1 && sum.back() == 0) sum.pop_back();
  return sum;
}

mpq_class total(const std::vector<mpq_class>& terms) {
  mpq_class sum;
  for (const mpq_class& one : terms) sum += one;
  return sum;
}

mpq_class exact(const Value& value) {
  if (const auto* integer = std::get_if<mpz_class>(&value)) return mpq_class(*integer);
  return std::get<mpq_class>(value);
}

mpq_class random_weight(bool rational, std::mt19937_64& random) {
  const auto between = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  int numerator = between(-4, 5);
  if (numerator == 0) numerator = 7;
  mpq_class value(numerator, rational ? between(1, 6) : 1);
  value.canonicalize();
  return value;
}

Graph graph_of(Index vertices, const std::vector<Piece>& edges) {
  std::vector<std::vector<Index>> sets;
  std::vector<mpq_class> weights;
  for (const Piece& edge : edges) {
    sets.push_back(edge.vertices);
    weights.push_back(edge.weight);
  }
  Graph graph = cover_graph(vertices, sets, weights);
  graph.covers = graph.monomers = false;
  return graph;
}

/// All vertex sets that induce a cycle of this length: two neighbours each, and connected.
std::set<std::vector<Index>> induced_cycles(Index vertices, const std::vector<Piece>& edges,
                                            unsigned length) {
  std::vector<unsigned> near(vertices, 0);
  for (const Piece& edge : edges) {
    near[edge.vertices[0]] |= 1U << edge.vertices[1];
    near[edge.vertices[1]] |= 1U << edge.vertices[0];
  }
  std::set<std::vector<Index>> result;
  for (unsigned set = 0; set < 1U << vertices; ++set) {
    if (static_cast<unsigned>(__builtin_popcount(set)) != length) continue;
    bool cycle = true;
    std::vector<Index> members;
    for (Index v = 0; v < vertices; ++v) {
      if ((set >> v & 1U) == 0) continue;
      members.push_back(v);
      cycle = cycle && __builtin_popcount(near[v] & set) == 2;
    }
    unsigned reached = 1U << members.front();
    for (unsigned step = 0; step < length; ++step) {
      for (const Index v : members) {
        if ((reached >> v & 1U) != 0) reached |= near[v] & set;
      }
    }
    if (cycle && reached == set) result.insert(members);
  }
  return result;
}

std::vector<Piece> random_edges(Index vertices, double density, int weights, std::mt19937_64& random) {
  std::bernoulli_distribution present(density);
  std::vector<Piece> edges;
  for (Index u = 0; u < vertices; ++u) {
    for (Index v = u + 1; v < vertices; ++v) {
      if (!present(random)) continue;
      edges.push_back({{u, v}, 1, false});
      if (weights != 0) edges.back().weight = random_weight(weights == 2, random);
    }
  }
  return edges;
}

std::vector<mpq_class> list(std::initializer_list<long> values) {
  return {values.begin(), values.end()};
}

std::vector<mpq_class> clar_of(const std::string& source) {
  return clar_covering_polynomial(Source::from_argument(source));
}

TEST(Covers, RingsAreTheInducedCycles) {
  std::mt19937_64 random(1);
  for (int repeat = 0; repeat < repeats(60); ++repeat) {
    const Index vertices = 3 + static_cast<Index>(random() % 8);
    const std::vector<Piece> edges =
        random_edges(vertices, 0.2 + 0.1 * static_cast<double>(repeat % 5), 0, random);
    const Graph graph = graph_of(vertices, edges);
    for (unsigned length = 3; length <= vertices; ++length) {
      const std::vector<std::vector<Index>> rings = rings_of(graph, {length});
      const std::set<std::vector<Index>> different(rings.begin(), rings.end());
      EXPECT_EQ(rings.size(), different.size());
      EXPECT_EQ(different, induced_cycles(vertices, edges, length)) << "length " << length;
    }
  }
}

TEST(Covers, PolynomialsOfRandomGraphs) {
  std::mt19937_64 random(2);
  for (int repeat = 0; repeat < repeats(120); ++repeat) {
    const Index vertices = 2 + static_cast<Index>(random() % 9);
    const std::vector<Piece> edges =
        random_edges(vertices, 0.25 + 0.1 * static_cast<double>(repeat % 5), repeat % 3, random);
    const Graph graph = graph_of(vertices, edges);
    const std::vector<std::uint32_t> lengths =
        repeat % 2 == 0 ? std::vector<std::uint32_t>{3 + repeat % 4U} : std::vector<std::uint32_t>{3, 4, 6};
    std::vector<Piece> pieces = edges;
    for (const std::vector<Index>& ring : rings_of(graph, lengths)) pieces.push_back({ring, 1, true});
    const std::vector<mpq_class> expected = by_brute_force(vertices, pieces);
    Options options;
    options.double_check = repeat % 4 == 0;
    const CountResult result = count(with_rings(graph, lengths), options);
    EXPECT_EQ(result.coefficients, expected) << "repeat " << repeat;
    EXPECT_EQ(exact(result.value), total(expected));

    // At a point, by both methods that can.
    mpq_class at_point;
    mpq_class power = 1;
    for (const mpq_class& one : expected) {
      at_point += one * power;
      power *= mpq_class(-2, 3);
    }
    for (const char* method : {"frontier", "definition"}) {
      Options by_method;
      by_method.method = method;
      EXPECT_EQ(exact(count(with_rings(graph, lengths, "-2/3"), by_method).value), at_point) << method;
    }
  }
}

TEST(Covers, RandomSets) {
  std::mt19937_64 random(3);
  for (int repeat = 0; repeat < repeats(150); ++repeat) {
    const Index vertices = 1 + static_cast<Index>(random() % 10);
    std::vector<Piece> pieces;
    std::vector<std::vector<Index>> sets;
    std::vector<mpq_class> weights;
    const std::size_t number = random() % 16;
    for (std::size_t k = 0; k < number; ++k) {
      std::vector<Index> all(vertices);
      for (Index v = 0; v < vertices; ++v) all[v] = v;
      std::shuffle(all.begin(), all.end(), random);
      all.resize(1 + random() % std::min<std::size_t>(5, vertices));
      pieces.push_back({all, repeat % 3 == 0 ? mpq_class(1) : random_weight(repeat % 3 == 2, random), false});
      sets.push_back(all);
      weights.push_back(pieces.back().weight);
    }
    const mpq_class expected = total(by_brute_force(vertices, pieces));
    EXPECT_EQ(exact(exact_covers(vertices, sets, weights).value), expected) << "repeat " << repeat;
    for (const char* method : {"frontier", "definition"}) {
      Options options;
      options.method = method;
      options.double_check = repeat % 5 == 0;
      EXPECT_EQ(exact(exact_covers(vertices, sets, weights, options).value), expected) << method;
    }
  }
}

/// Weights so long that a count takes several residues, in graphs small enough for brute force: each piece's
/// denominator is in it once.
TEST(Covers, FractionsOfManyDigits) {
  std::mt19937_64 random(6);
  const std::vector<mpz_class> denominators{mpz_class("100000000000000000000"), 1,
                                            mpz_class("1000000007") * 998244353, mpz_class(1) << 70U, 12};
  const auto weight = [&](int repeat) {
    mpq_class value(mpz_class(static_cast<long>(random() % 2000001) - 1000000),
                    denominators[random() % (repeat % 2 == 0 ? 2 : denominators.size())]);
    value.canonicalize();
    return value == 0 ? mpq_class(1, 3) : value;
  };
  for (int repeat = 0; repeat < repeats(12); ++repeat) {
    SCOPED_TRACE(repeat);
    const Index vertices = 6 + static_cast<Index>(random() % 4);
    std::vector<Piece> edges = random_edges(vertices, 0.5, 0, random);
    for (Piece& edge : edges) edge.weight = weight(repeat);
    const Graph graph = graph_of(vertices, edges);
    const mpq_class of_ring = weight(repeat);
    std::vector<Piece> pieces = edges;
    for (const std::vector<Index>& ring : rings_of(graph, {3, 4, 5})) pieces.push_back({ring, 1, true});
    const std::vector<mpq_class> by_rings = by_brute_force(vertices, pieces);
    mpq_class expected;
    for (std::size_t k = by_rings.size(); k-- > 0;) expected = expected * of_ring + by_rings[k];
    for (const char* method : {"auto", "frontier", "definition"}) {
      for (const bool twice : {false, true}) {
        Options options;
        options.method = method;
        options.double_check = twice;
        EXPECT_EQ(exact(count(with_rings(graph, {3, 4, 5}, of_ring.get_str()), options).value), expected)
            << method;
        EXPECT_EQ(count(with_rings(graph, {3, 4, 5}), options).coefficients, by_rings) << method;
      }
    }
  }
}

TEST(Covers, FractionsOfLattices) {
  const auto at = [](const std::string& lattice, const mpq_class& x) {
    const std::vector<mpq_class> polynomial =
        count(with_rings(Source::from_argument(lattice), {4})).coefficients;
    mpq_class sum;
    for (std::size_t k = polynomial.size(); k-- > 0;) sum = sum * x + polynomial[k];
    return sum;
  };
  for (const char* const x : {"1/1000", "-5/23", "1/22"}) {
    for (const char* const lattice : {"lattice:square:6x6", "lattice:square:4x7", "lattice:cylinder:6x6"}) {
      EXPECT_EQ(exact(count(with_rings(Source::from_argument(lattice), {4}, x)).value),
                at(lattice, mpq_class(x)))
          << lattice << " at " << x;
    }
  }
}

TEST(Covers, BoundsAreBounds) {
  std::mt19937_64 random(4);
  for (int repeat = 0; repeat < repeats(80); ++repeat) {
    const Index vertices = 1 + static_cast<Index>(random() % 9);
    std::vector<Piece> pieces;
    std::vector<CoverPiece> for_bound;
    for (std::size_t k = 0; k < 2 + random() % 18; ++k) {
      std::vector<Index> all(vertices);
      for (Index v = 0; v < vertices; ++v) all[v] = v;
      std::shuffle(all.begin(), all.end(), random);
      all.resize(1 + random() % std::min<std::size_t>(6, vertices));
      const long weight = 1L << random() % 40;
      pieces.push_back({all, mpq_class(weight), false});
      for_bound.push_back({*std::min_element(all.begin(), all.end()), static_cast<Index>(all.size()),
                           std::log2(static_cast<double>(weight))});
    }
    const mpq_class sum = total(by_brute_force(vertices, pieces));
    if (sum == 0) continue;
    EXPECT_GE(log2_cover_bound(vertices, for_bound), std::log2(sum.get_d()) - 1e-9);
  }
  // Dominoes and squares of four on a long board of two rows: the bound may not be far above.
  EXPECT_LE(log2_cover_bound(2, {{0, 2, 1000.0}}), 1000.001);
}

// Of benzene and C60 the published outputs of ZZPolyCalc; the others agree with another program.
TEST(Covers, PublishedPolynomials) {
  const std::string molecules = std::string(COUNTPM_SOURCE_DIR "/data") + "/molecules/";
  EXPECT_EQ(clar_of(molecules + "benzene.edgelist"), list({2, 1}));
  EXPECT_EQ(clar_of(molecules + "naphthalene.edgelist"), list({3, 2}));
  EXPECT_EQ(clar_of(molecules + "anthracene.edgelist"), list({4, 3}));
  EXPECT_EQ(clar_of(molecules + "phenanthrene.edgelist"), list({5, 5, 1}));
  EXPECT_EQ(clar_of(molecules + "pyrene.edgelist"), list({6, 6, 1}));
  EXPECT_EQ(clar_of(molecules + "coronene.edgelist"), list({20, 32, 15, 2}));
  EXPECT_EQ(clar_of(molecules + "ovalene.edgelist"), list({50, 100, 66, 16, 1}));
  EXPECT_EQ(clar_of(molecules + "circumcoronene.edgelist"), list({980, 3308, 4458, 3065, 1140, 225, 22, 1}));
  EXPECT_EQ(clar_of("lattice:fullerene:24:1,2,3,4,5,7,8,10,11,12,13,14"), list({54, 8, 2}));
  EXPECT_EQ(clar_of(molecules + "C60.edgelist"),
            list({12500, 41580, 67650, 66900, 42000, 16352, 3620, 360, 5}));
  EXPECT_EQ(clar_of(molecules + "C70.edgelist"),
            list({52168, 194980, 335385, 345490, 233215, 106065, 31970, 5965, 600, 25}));
}

/// Dominoes and straight trominoes on a board.
std::vector<std::vector<Index>> straight_tiles(Index rows, Index columns) {
  std::vector<std::vector<Index>> tiles;
  for (Index length = 2; length <= 3; ++length) {
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < columns; ++c) {
        std::vector<Index> across;
        std::vector<Index> down;
        for (Index k = 0; k < length; ++k) {
          across.push_back(r * columns + c + k);
          down.push_back((r + k) * columns + c);
        }
        if (c + length <= columns) tiles.push_back(across);
        if (r + length <= rows) tiles.push_back(down);
      }
    }
  }
  return tiles;
}

TEST(Covers, DominoesAndTrominoes) {  // oeis.org/A219871
  const std::vector<long> published{1, 4, 123, 5233, 161800};
  for (Index n = 0; n < published.size(); ++n)
    EXPECT_EQ(exact(exact_covers(8 * n, straight_tiles(n, 8)).value), published[n]) << n;
}

TEST(Covers, ComponentsMultiply) {
  // Three times naphthalene: (3 + 2x)^3.
  Input one =
      Source::from_argument(std::string(COUNTPM_SOURCE_DIR "/data") + "/molecules/naphthalene.edgelist");
  const Graph graph = read_input(one).graph;
  Graph three;
  const Index size = graph.left_labels.size();
  three.left_labels = LabelTable::numbered(3 * size, 0);
  for (Index copy = 0; copy < 3; ++copy) {
    for (const Edge& edge : graph.edges)
      three.edges.push_back({edge.from + copy * size, edge.to + copy * size});
  }
  EXPECT_EQ(clar_covering_polynomial(three), list({27, 54, 36, 8}));
  // With a vertex that nothing covers there is no cover.
  three.left_labels = LabelTable::numbered(3 * size + 1, 0);
  EXPECT_EQ(clar_covering_polynomial(three), list({0}));
}

TEST(Covers, SmallAndEmpty) {
  EXPECT_EQ(exact(exact_covers(0, {}).value), 1);
  EXPECT_EQ(exact(exact_covers(2, {{0}}).value), 0);
  EXPECT_EQ(exact(exact_covers(2, {{0}, {0}, {1}}).value), 2);
  EXPECT_EQ(exact(exact_covers(3, {{0, 1, 2}, {2, 1, 0}}, {2, mpq_class(1, 3)}).value), mpq_class(7, 3));
  EXPECT_EQ(exact(exact_covers(3, {{0, 1, 2}, {2, 1, 0}}, {2, -2}).value), 0);
  EXPECT_THROW(exact_covers(2, {{}}), InputError);
  EXPECT_THROW(exact_covers(2, {{0, 2}}), InputError);
  EXPECT_THROW(exact_covers(2, {{0, 0}}), InputError);
  EXPECT_THROW(exact_covers(2, {{0, 1}}, {1, 2}), InputError);
  Graph odd;  // a triangle: no edge is left for a vertex, but the ring covers all three
  odd.left_labels = LabelTable::numbered(3, 0);
  odd.edges = {{0, 1}, {1, 2}, {0, 2}};
  EXPECT_EQ(count(with_rings(odd, {3})).coefficients, list({0, 1}));
  EXPECT_EQ(count(with_rings(odd, {6})).coefficients, list({0}));
  EXPECT_THROW(with_rings(odd, {2}), UsageError);
  EXPECT_THROW(with_rings(odd, {3}, "0"), UsageError);
}

TEST(Covers, FloatingPointIsWithinItsError) {
  const Input coronene =
      Source::from_argument(std::string(COUNTPM_SOURCE_DIR "/data") + "/molecules/coronene.edgelist");
  const Value value = count(with_rings(coronene, {6}, "0.1+2i")).value;
  const auto* ball = std::get_if<ComplexBall>(&value);
  ASSERT_NE(ball, nullptr);
  const std::complex<double> x(0.1, 2);
  const std::complex<double> expected = 20.0 + 32.0 * x + 15.0 * x * x + 2.0 * x * x * x;
  EXPECT_LE(std::abs(ball->middle - expected), ball->radius + 1e-9);
}

TEST(Covers, LittleMemoryBranches) {
  std::mt19937_64 random(3);
  const Input wide = with_rings(graph_of(26, random_edges(26, 0.3, 1, random)), {3, 4}, "2");
  Options options;
  options.method = "frontier";
  const CountResult whole = count(wide, options);
  options.memory_limit_bytes = std::uint64_t{3} << 19;
  const Explanation plan = explain(wide, options);
  ASSERT_EQ(plan.blocks.size(), 1U);
  EXPECT_NE(plan.blocks[0].methods.front().plan.find("branches"), std::string::npos)
      << plan.blocks[0].methods.front().plan;
  EXPECT_EQ(count(wide, options).count, whole.count);
}

TEST(Covers, TellsWhatItCounts) {
  const Input coronene =
      Source::from_argument(std::string(COUNTPM_SOURCE_DIR "/data") + "/molecules/coronene.edgelist");
  const CountResult result = count(with_rings(coronene));
  EXPECT_EQ(result.problem, Problem::exact_covers);
  EXPECT_EQ(result.vertices, 24U);
  EXPECT_EQ(result.edges, 30U);
  EXPECT_EQ(result.sets, 7U);
  EXPECT_TRUE(std::any_of(result.checks.begin(), result.checks.end(), [](const Check& check) {
    return check.name == "covers without rings" && check.ran && check.ok;
  }));
}

}  // namespace
}  // namespace countpm::covers_test
