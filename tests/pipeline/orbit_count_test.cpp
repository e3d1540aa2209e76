// Matchings up to symmetry against listing: two matchings are of one orbit where a permutation of the
// vertices that keeps the edges, found by trying all of them, takes one to the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/automorphisms.hpp"
#include "graph/errors.hpp"
#include "src/count/orbit_count.hpp"
#include "src/input/report.hpp"
#include "src/matchings/list_orbits.hpp"
#include "tests/repeats.hpp"

namespace countpm::orbit_count_test {
namespace {

using testing::repeats;
using Random = std::mt19937_64;
using Ends = std::pair<Index, Index>;
using Matching = std::set<Ends>;

/// A small graph with symmetries: a random one, made to have some permutation among them.
Graph random_symmetric_graph(GraphKind kind, bool weighted, Random& random) {
  const auto n = static_cast<Index>(4 + random() % 3 + (kind == GraphKind::directed ? 0 : random() % 2));
  const Index left = kind == GraphKind::bipartite ? n / 2 + 1 : n;
  const Index right = kind == GraphKind::bipartite ? left : 0;
  Automorphism g(left + right);
  std::iota(g.begin(), g.end(), Index{0});
  std::shuffle(g.begin(), g.begin() + left, random);
  std::shuffle(g.begin() + left, g.end(), random);
  std::map<Ends, long> weight;
  for (int draws = 0; draws < 6; ++draws) {
    Index from = static_cast<Index>(random() % left);
    Index to = static_cast<Index>(right == 0 ? random() % left : left + random() % right);
    if (kind == GraphKind::undirected && from == to) continue;
    const long value = weighted ? 1 + static_cast<long>(random() % 3) : 1;
    for (int step = 0; step < 60; ++step) {
      Ends ends{from, to};
      if (kind == GraphKind::undirected && to < from) ends = {to, from};
      weight[ends] = value;
      from = g[from];
      to = g[to];
    }
  }
  Graph graph;
  graph.kind = kind;
  graph.left_labels = LabelTable::numbered(left);
  if (right > 0) graph.right_labels = LabelTable::numbered(right);
  std::vector<std::int64_t> values;
  for (const auto& [ends, value] : weight) {
    graph.edges.push_back({ends.first, ends.second - (right > 0 ? left : 0)});
    values.push_back(value);
  }
  if (weighted) {
    graph.weight_kind = WeightKind::integer;
    graph.values = std::move(values);
  }
  return graph;
}

struct BruteForce {
  std::uint64_t symmetries = 0;
  std::uint64_t orbits = 0;
  long sum = 0;
};

class Trial {
 public:
  explicit Trial(const Graph& graph) : graph_(graph) {
    left_ = graph.left_labels.size();
    vertices_ = left_ + graph.right_labels.size();
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const Index to = graph.edges[e].to + (graph.kind == GraphKind::bipartite ? left_ : 0);
      weight_[ordered(graph.edges[e].from, to)] =
          graph.weight_kind == WeightKind::none ? 1 : std::get<std::vector<std::int64_t>>(graph.values)[e];
    }
  }

  BruteForce run() {
    find(Matching(), std::set<Index>(), std::set<Index>());
    BruteForce result;
    Automorphism g(vertices_);
    std::iota(g.begin(), g.end(), Index{0});
    std::map<Matching, Matching> least;
    for (const Matching& matching : matchings_) least[matching] = matching;
    do {
      if (!is_symmetry(g)) continue;
      ++result.symmetries;
      for (auto& [matching, first] : least) first = std::min(first, image(matching, g));
    } while (std::next_permutation(g.begin(), g.end()));
    std::set<Matching> orbits;
    for (const auto& [matching, first] : least) orbits.insert(first);
    result.orbits = orbits.size();
    for (const Matching& matching : orbits) {
      long product = 1;
      for (const Ends& ends : matching) product *= weight_.at(ends);
      result.sum += product;
    }
    return result;
  }

 private:
  Ends ordered(Index from, Index to) const {
    return graph_.kind == GraphKind::undirected && to < from ? Ends{to, from} : Ends{from, to};
  }
  bool is_symmetry(const Automorphism& g) const {
    for (Index v = 0; v < vertices_; ++v)
      if ((v < left_) != (g[v] < left_)) return false;
    return std::all_of(weight_.begin(), weight_.end(), [&](const auto& edge) {
      const auto at = weight_.find(ordered(g[edge.first.first], g[edge.first.second]));
      return at != weight_.end() && at->second == edge.second;
    });
  }
  Matching image(const Matching& matching, const Automorphism& g) const {
    Matching result;
    for (const auto& [from, to] : matching) result.insert(ordered(g[from], g[to]));
    return result;
  }
  // Tails and heads of a directed graph are covered once each; elsewhere all vertices.
  void find(const Matching& matching, const std::set<Index>& tails, const std::set<Index>& heads) {
    const bool directed = graph_.kind == GraphKind::directed;
    Index v = 0;
    while (v < vertices_ && tails.count(v) + (directed ? 0 : heads.count(v)) > 0) ++v;
    if (v == vertices_) {
      matchings_.insert(matching);
      return;
    }
    for (const auto& [ends, weight] : weight_) {
      const auto [from, to] = ends;
      if (directed ? from != v || heads.count(to) > 0
                   : (from != v && to != v) || tails.count(from) + tails.count(to) > 0)
        continue;
      Matching more = matching;
      more.insert(ends);
      std::set<Index> more_tails = tails;
      std::set<Index> more_heads = heads;
      more_tails.insert(from);
      (directed ? more_heads : more_tails).insert(to);
      find(more, more_tails, more_heads);
    }
  }

  const Graph& graph_;
  Index left_ = 0;
  Index vertices_ = 0;
  std::map<Ends, long> weight_;
  std::set<Matching> matchings_;
};

TEST(OrbitCount, IsThatOfListing) {
  Random random(1);
  std::uint64_t most = 0;
  for (int run = 0; run < repeats(90); ++run) {
    const GraphKind kind = std::array{GraphKind::undirected, GraphKind::bipartite,
                                      GraphKind::directed}[static_cast<std::size_t>(run) % 3];
    const bool weighted = run % 2 == 1;
    const Graph graph = random_symmetric_graph(kind, weighted, random);
    const BruteForce expected = Trial(graph).run();
    const OrbitCount found = count_orbits(in_memory(graph), {});
    EXPECT_EQ(found.symmetries, expected.symmetries) << run;
    EXPECT_EQ(found.count, std::to_string(weighted ? expected.sum : static_cast<long>(expected.orbits)))
        << run;
    most = std::max(most, expected.orbits);
    if (weighted) continue;
    std::uint64_t listed = 0;
    EXPECT_EQ(list_orbits(in_memory(graph), {}, [&](const std::vector<Edge>&) { return ++listed > 0; }),
              expected.orbits)
        << run;
    EXPECT_EQ(listed, expected.orbits);
  }
  EXPECT_GE(most, testing::fewest(12U));
}

OrbitCount orbits_of(const std::string& lattice) {
  return count_orbits(Source::from_argument(lattice), {}, {});
}

// C60: D. Vukicevic, H. W. Kroto, M. Randic, Atlas of Kekule valence structures of buckminsterfullerene,
// Croat. Chem. Acta 78 (2005) 223.
TEST(OrbitCount, OfBuckminsterfullerene) {
  const OrbitCount c60 = orbits_of("lattice:fullerene:60:1,7,9,11,13,15,18,20,22,24,26,32");
  EXPECT_EQ(c60.matchings, "12500");
  EXPECT_EQ(c60.symmetries, 120U);
  EXPECT_EQ(c60.count, "158");
  EXPECT_LE(c60.counts, 10U);
}

TEST(OrbitCount, OfKnownGraphs) {
  // All matchings of a complete graph are alike, and a ring has two, which a turn exchanges.
  EXPECT_EQ(orbits_of("lattice:complete:8").count, "1");
  EXPECT_EQ(orbits_of("lattice:complete-bipartite:4x4").count, "1");
  EXPECT_EQ(orbits_of("lattice:square:1x2").count, "1");
  // Domino tilings of the 4 x 4 board.
  EXPECT_EQ(orbits_of("lattice:square:4x4").symmetries, 8U);
  EXPECT_EQ(orbits_of("lattice:square:4x4").count, "9");
  EXPECT_EQ(orbits_of("lattice:square:3x3").count, "0");
  // P. R. J. Ostergard, V. H. Pettersson, Enumerating perfect matchings in n-cubes, Order 30 (2013) 821.
  EXPECT_EQ(orbits_of("lattice:hypercube:4").count, "8");
  if (!testing::sanitized) {
    EXPECT_EQ(orbits_of("lattice:hypercube:5").count, "336");
  }
}

TEST(OrbitCount, WhatHasTooManySymmetriesIsRefused) {
  EXPECT_THROW(orbits_of("lattice:complete:10"), UnableError);
  EXPECT_THROW(
      automorphisms(random_symmetric_graph(GraphKind::undirected, false, *std::make_unique<Random>(2)), 0),
      UnableError);
  CountOptions maximum;
  maximum.matchings = MatchingSize::maximum;
  EXPECT_THROW(count_orbits(Source::from_argument("lattice:square:3x3"), {}, maximum), UsageError);
}

}  // namespace
}  // namespace countpm::orbit_count_test
