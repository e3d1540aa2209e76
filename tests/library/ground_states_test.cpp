// Ground states: the least and the largest weight of a perfect matching or cycle cover, and how many there
// are, against brute force over all of them.
#include "graph/kinds/ground_states.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "graph/kinds/weighted_matching.hpp"
#include "src/api/entries.hpp"
#include "src/library/countpm.hpp"
#include "tests/repeats.hpp"

namespace countpm::ground_states_test {
namespace {

/// How many perfect matchings (cycle covers) have which weight.
using Spectrum = std::map<mpq_class, unsigned>;

struct WeightedEdge {
  Index from;
  Index to;
  mpq_class weight;
};

struct Case {
  GraphKind kind = GraphKind::undirected;
  Index left = 0;
  Index right = 0;  // of a bipartite graph
  std::vector<WeightedEdge> edges;

  std::string text() const {
    std::string lines;
    for (Index v = 0; v < left; ++v)
      lines += fmt::format("#! {} l{}\n", kind == GraphKind::bipartite ? "left" : "vertex", v);
    for (Index v = 0; v < right; ++v) lines += fmt::format("#! right r{}\n", v);
    for (const WeightedEdge& edge : edges)
      lines += fmt::format("l{} {}{} {}\n", edge.from, kind == GraphKind::bipartite ? 'r' : 'l', edge.to,
                           edge.weight.get_str());
    return lines;
  }
};

/// Vertices that are left: bits of both sides, the right (the heads) from bit 32 on.
void add_matchings(const Case& given, std::uint64_t left, const mpq_class& weight, Spectrum& spectrum) {
  if (left == 0) {
    ++spectrum[weight];
    return;
  }
  const std::uint64_t first = left & -left;
  const auto bit = [](Index v, unsigned shift) { return std::uint64_t{1} << (v + shift); };
  const unsigned shift = given.kind == GraphKind::undirected ? 0 : 32;
  for (const WeightedEdge& edge : given.edges) {
    const std::uint64_t ends = bit(edge.from, 0) | bit(edge.to, shift);
    if ((ends & first) != 0 && (ends & left) == ends)
      add_matchings(given, left & ~ends, weight + edge.weight, spectrum);
  }
}

Spectrum spectrum_of(const Case& given) {
  const auto low = [](Index n) { return (std::uint64_t{1} << n) - 1; };
  const Index heads = given.kind == GraphKind::bipartite  ? given.right
                      : given.kind == GraphKind::directed ? given.left
                                                          : 0;
  Spectrum spectrum;
  add_matchings(given, low(given.left) | (low(heads) << 32U), 0, spectrum);
  return spectrum;
}

mpq_class random_weight(int form, std::mt19937_64& random) {
  const auto between = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  if (form == 0) return between(0, 1) * 2 - 1;  // ties
  if (form == 1) return between(-3, 3);         // zeros
  if (form == 2) return between(-1000, 1000);
  mpq_class value(between(-20, 20), between(1, 7));
  value.canonicalize();
  if (form == 4) value *= mpz_class("100000000000000000000000000000");  // beyond 64 bits
  return value;
}

Case random_case(GraphKind kind, std::mt19937_64& random) {
  const auto between = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  Case given;
  given.kind = kind;
  given.left = static_cast<Index>(kind == GraphKind::undirected ? between(1, 5) * 2 : between(1, 5));
  if (kind == GraphKind::bipartite) given.right = given.left;
  std::bernoulli_distribution present(std::uniform_real_distribution<double>(0.3, 1)(random));
  const int form = between(0, 4);
  for (Index u = 0; u < given.left; ++u) {
    for (Index v = kind == GraphKind::undirected ? u + 1 : 0; v < given.left; ++v)
      if (present(random)) given.edges.push_back({u, v, random_weight(form, random)});
  }
  return given;
}

Input input_of(const Case& given) {
  ReadOptions reading;
  reading.kind = given.kind;
  reading.weights = true;
  return Input(Source::from_bytes(given.text()), reading);
}

void expect_ground_states(const Case& given, Extremum which) {
  SCOPED_TRACE(fmt::format("{} {}\n{}", name_of(given.kind), name_of(which), given.text()));
  const Spectrum spectrum = spectrum_of(given);
  const CountResult result = count(ground_states(input_of(given), which));
  ASSERT_TRUE(result.input.ground_states);
  if (spectrum.empty()) {
    EXPECT_FALSE(result.input.ground_states->weight);
    EXPECT_EQ(result.count, "0");
    return;
  }
  const auto& [weight, number] = which == Extremum::minimum ? *spectrum.begin() : *spectrum.rbegin();
  ASSERT_TRUE(result.input.ground_states->weight);
  EXPECT_EQ(*result.input.ground_states->weight, weight);
  EXPECT_EQ(result.count, std::to_string(number));
  EXPECT_TRUE(result.exact);
  EXPECT_FALSE(result.weighted);
  EXPECT_EQ(result.edges, given.edges.size());
}

TEST(GroundStates, AreThoseOfBruteForce) {
  std::mt19937_64 random(20261125);
  for (const GraphKind kind : {GraphKind::bipartite, GraphKind::directed, GraphKind::undirected}) {
    for (int k = 0; k < testing::repeats(150); ++k) {
      const Case given = random_case(kind, random);
      expect_ground_states(given, k % 2 == 0 ? Extremum::minimum : Extremum::maximum);
      if (HasFailure()) return;
    }
  }
}

/// Four triangles or single vertices, joined by costly edges: their odd sets, nested ones too.
Case cliques_far_apart(std::mt19937_64& random) {
  const auto between = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  Case given;
  std::vector<int> clique_of;
  for (int clique = 0; clique < 4; ++clique)
    clique_of.insert(clique_of.end(), static_cast<std::size_t>(between(0, 2) > 0 ? 3 : 1), clique);
  given.left = static_cast<Index>(clique_of.size());
  for (Index u = 0; u < given.left; ++u) {
    for (Index v = u + 1; v < given.left; ++v) {
      const bool near = clique_of[u] == clique_of[v];
      if (near || between(0, 3) == 0)
        given.edges.push_back(
            {u, v, near ? between(1, 2) : between(8, 9) * (clique_of[u] / 2 == clique_of[v] / 2 ? 1 : 9)});
    }
  }
  return given;
}

TEST(GroundStates, LeaveOddSetsByOneEdge) {
  std::mt19937_64 random(4);
  int with_odd_sets = 0;
  for (int k = 0; k < testing::repeats(150); ++k) {
    const Case given = cliques_far_apart(random);
    expect_ground_states(given, Extremum::minimum);
    if (HasFailure()) return;
    const CountResult result = count(ground_states(input_of(given), Extremum::minimum));
    if (result.input.ground_states->odd_sets > 0) ++with_odd_sets;
  }
  EXPECT_GT(with_odd_sets, 5);
}

TEST(GroundStates, OfEqualWeightsAreAllMatchings) {
  for (const char* lattice : {"lattice:square:6x6", "lattice:triangular:4x4", "lattice:torus:4x6"}) {
    const Input plain(Source::from_argument(lattice));
    const CountResult result = count(ground_states(plain, Extremum::maximum));
    EXPECT_EQ(result.count, count(plain).count) << lattice;
    EXPECT_EQ(*result.input.ground_states->weight, result.vertices / 2);
  }
}

// K(n,n) with weight 1 on the diagonal and 0 elsewhere: derangements have the least weight.
TEST(GroundStates, ZerosAreWeights) {
  std::string text;
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) text += fmt::format("a{} b{} {}\n", i, j, i == j ? 1 : 0);
  }
  ReadOptions reading;
  reading.kind = GraphKind::bipartite;
  const Input input(Source::from_bytes(text), reading);
  const CountResult least = count(ground_states(input, Extremum::minimum));
  EXPECT_EQ(*least.input.ground_states->weight, 0);
  EXPECT_EQ(least.count, "1854");
  const CountResult largest = count(ground_states(input, Extremum::maximum));
  EXPECT_EQ(*largest.input.ground_states->weight, 7);
  EXPECT_EQ(largest.count, "1");
  // Of a matrix 0 is no entry.
  ReadOptions dense;
  dense.format = Format::dense;
  EXPECT_EQ(count(ground_states(Input(Source::from_bytes("0 2\n3 0\n"), dense), Extremum::minimum)).count,
            "1");
  const CountResult lattice =
      count(ground_states(Input(Source::from_argument("lattice:square:4x4:weights=0,1")), Extremum::minimum));
  EXPECT_EQ(*lattice.input.ground_states->weight, 0);
  EXPECT_EQ(lattice.count, "1");
}

TEST(GroundStates, AnswerAllQuestionsOfBipartiteGraphs) {
  // A hexagon with a chord; two of its three perfect matchings weigh 3.
  const std::string text = "a b 1\nb c 1\nc d 1\nd e 1\ne f 1\nf a 1\na d 2\n";
  ReadOptions reading;
  reading.weights = true;
  const Input states = ground_states(Input(Source::from_bytes(text), reading), Extremum::minimum);
  EXPECT_EQ(count(states).count, "2");
  std::uint64_t listed = 0;
  list(states, [&](const std::vector<Edge>&) { return ++listed > 0; });
  EXPECT_EQ(listed, 2U);
  EXPECT_EQ(sample(states, 3).size(), 3U);
  for (const double share : marginals(states).probability) EXPECT_EQ(share, 0.5);
  EXPECT_EQ(explain(states).input.ground_states->edges_dropped, 1U);
}

TEST(GroundStates, RefuseWhatTheyAreNot) {
  ReadOptions reading;
  reading.weights = true;
  reading.kind = GraphKind::bipartite;
  const auto of = [&](const char* text) { return Input(Source::from_bytes(text), reading); };
  EXPECT_THROW(count(ground_states(of("a b 1+2i\n"), Extremum::minimum)), UnableError);
  Options maximum;
  maximum.matchings = MatchingSize::maximum;
  EXPECT_THROW(count(ground_states(of("a b 1\na c 2\n"), Extremum::minimum), maximum), UsageError);
  EXPECT_THROW(count(with_monomers(ground_states(of("a b 1\n"), Extremum::minimum))), UsageError);
  EXPECT_THROW(count(with_degree(ground_states(of("a b 1\n"), Extremum::minimum), 2)), UsageError);
  reading.multi = MultiPolicy::sum;
  EXPECT_THROW(count(ground_states(of("a b 1\na b 2\n"), Extremum::minimum)), UsageError);
}

}  // namespace
}  // namespace countpm::ground_states_test
