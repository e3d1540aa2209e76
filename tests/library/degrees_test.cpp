// Factors: sets of edges that meet every vertex a given number of times, against brute force and known
// numbers.
#include "graph/kinds/degrees.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "src/api/entries.hpp"
#include "src/library/countpm.hpp"
#include "tests/repeats.hpp"

namespace countpm::degrees_test {
namespace {

std::string factors_of(const std::string& lattice, Index degree) {
  return count(with_degree(Input(Source::from_argument(lattice)), degree)).count;
}

// OEIS A003693 (P_4 x P_n), and values of design papers that an independent program computed.
TEST(Degrees, OfKnownGraphs) {
  EXPECT_EQ(factors_of("lattice:square:4x3", 2), "3");
  EXPECT_EQ(factors_of("lattice:square:4x4", 2), "18");
  EXPECT_EQ(factors_of("lattice:square:4x7", 2), "779");
  EXPECT_EQ(factors_of("lattice:square:6x6", 2), "13903");
  EXPECT_EQ(factors_of("lattice:complete:6", 2), "70");
  EXPECT_EQ(factors_of("lattice:complete-bipartite:4x4", 2), "90");
  EXPECT_EQ(factors_of("lattice:hypercube:3", 2), "9");
  EXPECT_EQ(factors_of("lattice:hypercube:4", 2), "2970");
  // Of a cubic graph what a 2-factor leaves is a perfect matching.
  EXPECT_EQ(factors_of("lattice:fullerene:60:1,7,9,11,13,15,18,20,22,24,26,32", 2), "12500");
}

struct Case {
  Graph graph;
  std::vector<mpz_class> weight;
};

Case random_case(std::mt19937_64& random) {
  const auto between = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  Case made;
  Graph& graph = made.graph;
  const bool bipartite = between(0, 1) == 1;
  // Mostly with sides of one size, so that there are factors.
  const auto left = static_cast<Index>(bipartite ? between(2, 4) : between(3, 6));
  const Index right = !bipartite ? 0 : between(0, 4) > 0 ? left : static_cast<Index>(between(1, 3));
  graph.kind = bipartite ? GraphKind::bipartite : GraphKind::undirected;
  graph.left_labels = LabelTable::numbered(left, 0);
  graph.right_labels = LabelTable::numbered(right, 0);
  std::vector<std::int64_t> values;
  for (Index u = 0; u < left; ++u) {
    for (Index v = bipartite ? 0 : u + 1; v < (bipartite ? right : left); ++v) {
      if (between(0, 7) == 0) continue;
      graph.edges.push_back({u, v});
      const int weight = between(-3, 4);
      values.push_back(weight == 0 ? 5 : weight);
    }
  }
  if (between(0, 1) == 1) {
    made.weight.assign(values.begin(), values.end());
    graph.values = values;
    graph.weight_kind = WeightKind::integer;
  } else {
    made.weight.assign(values.size(), 1);
  }
  return made;
}

/// Every subset of the edges.
mpz_class by_brute_force(const Case& made, Index degree) {
  const Graph& graph = made.graph;
  const Index left = graph.left_labels.size();
  mpz_class sum = 0;
  for (std::uint64_t subset = 0; subset < std::uint64_t{1} << graph.edges.size(); ++subset) {
    std::vector<Index> met(left + std::size_t{graph.right_labels.size()}, 0);
    mpz_class product = 1;
    for (std::size_t k = 0; k < graph.edges.size(); ++k) {
      if ((subset >> k & 1U) == 0) continue;
      ++met[graph.edges[k].from];
      ++met[graph.edges[k].to + (graph.kind == GraphKind::bipartite ? left : 0)];
      product *= made.weight[k];
    }
    if (std::all_of(met.begin(), met.end(), [&](Index one) { return one == degree; })) sum += product;
  }
  return sum;
}

TEST(Degrees, AreThoseOfBruteForce) {
  std::mt19937_64 random(11);
  int positive = 0;
  for (int k = 0; k < testing::repeats(90) && !HasFailure(); ++k) {
    const Case made = random_case(random);
    const auto degree = static_cast<Index>(k % 4);
    const mpz_class expected = by_brute_force(made, degree);
    const CountResult result = count(with_degree(Input(made.graph), degree));
    EXPECT_EQ(result.count, expected.get_str()) << "degree " << degree << ", case " << k;
    EXPECT_EQ(result.edges, made.graph.edges.size());
    if (expected != 0 && degree > 1) ++positive;
  }
  EXPECT_GE(positive, testing::fewest(12));
}

TEST(Degrees, OfSingleVertices) {
  // A square with a diagonal from a to c.
  const std::string text = "#! vertex a degree 2\n#! vertex c degree 2\na b\nb c\nc d\nd a\na c\n";
  const Input file(Source::from_bytes(text));
  EXPECT_EQ(count(with_degree(file, 1)).count, "2");
  EXPECT_EQ(count(with_degree(file, 1, {{false, "c", 3}, {false, "b", 2}, {false, "d", 1}})).count, "1");
  EXPECT_EQ(count(file).count, "2");
  ReadOptions bipartite;
  bipartite.kind = GraphKind::bipartite;
  const Input sides(Source::from_bytes("#! left x degree 2\n#! right x degree 0\nx y\nx z\nx x\n"),
                    bipartite);
  EXPECT_EQ(count(with_degree(sides, 1)).count, "1");
  for (const char* bad :
       {"#! vertex a degree\n", "#! vertex a degree x\n", "#! vertex a degree -1\n",
        "#! vertex a degree 2 3\n", "#! vertex a degrees 2\n", "#! vertex a degree 1000001\n"})
    EXPECT_THROW(count(Input(Source::from_bytes(bad))), InputError) << bad;
}

TEST(Degrees, RefuseWhatTheyAreNot) {
  const Input board(Source::from_argument("lattice:square:4x4"));
  const Input factors = with_degree(board, 2);
  Options maximum;
  maximum.matchings = MatchingSize::maximum;
  EXPECT_THROW(count(factors, maximum), UsageError);
  EXPECT_THROW(count(with_monomers(factors)), UsageError);
  ReadOptions directed;
  directed.kind = GraphKind::directed;
  EXPECT_THROW(count(with_degree(Input(Source::from_bytes("a b\nb a\n"), directed), 1)), UsageError);
}

}  // namespace
}  // namespace countpm::degrees_test
