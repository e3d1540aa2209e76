// Matchings with monomers, and maximum ones: listed, weighed and drawn, against all that there are.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "graph/errors.hpp"
#include "src/api/entries.hpp"
#include "src/library/countpm.hpp"
#include "tests/repeats.hpp"

namespace countpm::monomer_matchings_test {
namespace {

using Pairs = std::vector<std::pair<Index, Index>>;

struct Weighed {
  Pairs edges;  // by the first vertex
  std::vector<Index> alone;
  mpq_class weight;
};

mpq_class weight_at(const Graph& graph, std::size_t k) {
  if (const auto* rational = std::get_if<std::vector<mpq_class>>(&graph.values)) return (*rational)[k];
  return 1;
}

/// All matchings; those that leave vertices without a loop alone too where `any`.
void extend(const Graph& graph, Index v, std::vector<bool>& used, Weighed& now, bool any,
            std::vector<Weighed>& all) {
  const Index n = graph.left_labels.size();
  while (v < n && used[v]) ++v;
  if (v == n) {
    all.push_back(now);
    return;
  }
  const mpq_class before = now.weight;
  bool loop = false;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const Edge& edge = graph.edges[k];
    if (edge.from != v && edge.to != v) continue;
    const Index u = edge.from == v ? edge.to : edge.from;
    now.weight = before * weight_at(graph, k);
    if (u == v) {
      loop = true;
      now.alone.push_back(v);
      used[v] = true;
      extend(graph, v + 1, used, now, any, all);
      used[v] = false;
      now.alone.pop_back();
    } else if (!used[u]) {
      used[v] = used[u] = true;
      now.edges.emplace_back(v, u);
      extend(graph, v + 1, used, now, any, all);
      now.edges.pop_back();
      used[v] = used[u] = false;
    }
  }
  now.weight = before;
  if (any && !loop) {
    now.alone.push_back(v);
    used[v] = true;
    extend(graph, v + 1, used, now, any, all);
    used[v] = false;
    now.alone.pop_back();
  }
}

std::vector<Weighed> all_of(const Graph& graph, bool any = false) {
  std::vector<Weighed> all;
  std::vector<bool> used(graph.left_labels.size());
  Weighed start;
  start.weight = 1;
  extend(graph, 0, used, start, any, all);
  return all;
}

template <class Random>
Graph random_graph(Random& random, bool loops) {
  Graph graph;
  graph.kind = GraphKind::undirected;
  graph.weight_kind = WeightKind::rational;
  const auto n = static_cast<Index>(random() % 8);
  for (Index v = 0; v < n; ++v) graph.left_labels.append("v" + std::to_string(v));
  std::vector<mpq_class> values;
  const auto add = [&](Index u, Index v) {
    graph.edges.push_back({u, v});
    mpq_class value(static_cast<long>(1 + random() % 6), static_cast<unsigned long>(1 + random() % 3));
    value.canonicalize();
    values.push_back(value);
  };
  for (Index u = 0; u < n; ++u) {
    for (Index v = u + 1; v < n; ++v) {
      if (random() % 5 < 2) add(u, v);
    }
    if (loops && random() % 4 != 0) add(u, u);
  }
  graph.values = std::move(values);
  graph.monomers = loops;
  return graph;
}

ReadResult known(const Graph& graph) {
  ReadResult read;
  read.graph = graph;
  read.info.path = "<graph>";
  read.info.memory = true;
  return read;
}

Pairs pairs_of(const std::vector<Edge>& matching) {
  Pairs pairs;
  for (const Edge& edge : matching)
    pairs.emplace_back(std::min(edge.from, edge.to), std::max(edge.from, edge.to));
  return pairs;
}

/// Of every edge: the share of the weights of the matchings that have it.
std::vector<mpq_class> shares(const Graph& graph, const std::vector<Weighed>& all) {
  mpq_class total;
  for (const Weighed& one : all) total += one.weight;
  std::vector<mpq_class> share(graph.edges.size());
  for (const Weighed& one : all) {
    for (std::size_t k = 0; k < graph.edges.size(); ++k) {
      const auto& [u, v] = graph.edges[k];
      const bool has = u == v ? std::count(one.alone.begin(), one.alone.end(), u) != 0
                              : std::count(one.edges.begin(), one.edges.end(),
                                           std::pair(std::min(u, v), std::max(u, v))) != 0;
      if (has) share[k] += one.weight / total;
    }
  }
  return share;
}

TEST(MonomerMatchings, AreListedOnceInOrder) {
  std::mt19937_64 random(71);
  for (int round = 0; round < testing::repeats(300) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const Graph graph = random_graph(random, true);
    std::vector<Pairs> listed;
    ListOptions options;
    list_matchings(known(graph), options, [&](const std::vector<Edge>& matching) {
      listed.push_back(pairs_of(matching));
      return true;
    });
    // Partners first, by number, and alone at the end.
    const auto places = [&](const Pairs& pairs) {
      std::vector<Index> partner(graph.left_labels.size(), no_index);
      for (const auto& [u, v] : pairs) partner[u] = v, partner[v] = u;
      return partner;
    };
    std::vector<Pairs> expected;
    for (const Weighed& one : all_of(graph)) expected.push_back(one.edges);
    std::sort(expected.begin(), expected.end(),
              [&](const Pairs& a, const Pairs& b) { return places(a) < places(b); });
    ASSERT_EQ(listed, expected);
    if (expected.size() < 3) continue;
    options.first = 2;
    options.last = 3;
    std::vector<Pairs> some;
    list_matchings(known(graph), options, [&](const std::vector<Edge>& matching) {
      some.push_back(pairs_of(matching));
      return true;
    });
    ASSERT_EQ(some, std::vector<Pairs>(expected.begin() + 1, expected.begin() + 3));
  }
}

TEST(MonomerMatchings, ProbabilitiesOfEdgesAndOfVerticesAlone) {
  std::mt19937_64 random(72);
  for (int round = 0; round < testing::repeats(240) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const Graph graph = random_graph(random, true);
    const std::vector<Weighed> all = all_of(graph);
    if (all.empty()) {
      EXPECT_THROW(exact_marginals(known(graph), {}), UnableError);
      SampleOptions once;
      EXPECT_THROW(sample_matchings(known(graph), {}, once, [](const std::vector<Edge>&) { return true; }),
                   UnableError);
      continue;
    }
    const ExactMarginals found = exact_marginals(known(graph), {});
    ASSERT_EQ(found.edge.size(), graph.edges.size());
    ASSERT_EQ(found.probability, shares(graph, all));
  }
}

TEST(MonomerMatchings, ProbabilitiesInMaximumMatchings) {
  std::mt19937_64 random(73);
  CountOptions options;
  options.matchings = MatchingSize::maximum;
  for (int round = 0; round < testing::repeats(240) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const Graph graph = random_graph(random, false);
    std::vector<Weighed> all = all_of(graph, true);
    std::size_t most = 0;
    for (const Weighed& one : all) most = std::max(most, one.edges.size());
    std::erase_if(all, [&](const Weighed& one) { return one.edges.size() < most; });
    ASSERT_EQ(exact_marginals(known(graph), options).probability, shares(graph, all));
    std::set<Pairs> largest;
    for (const Weighed& one : all) largest.insert(one.edges);
    SampleOptions some;
    some.count = 5;
    const std::uint64_t drawn =
        sample_matchings(known(graph), options, some, [&](const std::vector<Edge>& matching) {
          Pairs pairs = pairs_of(matching);
          std::sort(pairs.begin(), pairs.end());
          EXPECT_TRUE(largest.contains(pairs));
          return true;
        });
    ASSERT_EQ(drawn, 5U);
  }
}

// Every matching by its share of 4000 draws: off by six standard deviations at most.
TEST(MonomerMatchings, DrawsByWeight) {
  std::mt19937_64 random(74);
  for (int round = 0; round < 6; ++round) {
    Graph graph = random_graph(random, true);
    if (round % 2 == 1) graph = random_graph(random, false);
    CountOptions options;
    if (!graph.monomers) options.matchings = MatchingSize::maximum;
    std::vector<Weighed> all = all_of(graph, !graph.monomers);
    std::size_t most = 0;
    for (const Weighed& one : all) most = std::max(most, one.edges.size());
    if (!graph.monomers) std::erase_if(all, [&](const Weighed& one) { return one.edges.size() < most; });
    if (all.empty()) continue;
    mpq_class total;
    for (const Weighed& one : all) total += one.weight;
    std::map<Pairs, int> times;
    SampleOptions many;
    many.count = 4000;
    sample_matchings(known(graph), options, many, [&](const std::vector<Edge>& matching) {
      Pairs pairs = pairs_of(matching);
      std::sort(pairs.begin(), pairs.end());
      ++times[pairs];
      return true;
    });
    int found = 0;
    for (const Weighed& one : all) {
      const double share = mpq_class(one.weight / total).get_d();
      const double expected = 4000 * share;
      EXPECT_LE(std::abs(times[one.edges] - expected), 6 * std::sqrt(expected * (1 - share)) + 1) << round;
      found += times[one.edges];
    }
    EXPECT_EQ(found, 4000);
  }
}

TEST(MonomerMatchings, RefusalsSayWhy) {
  const Input board = with_monomers(Input(Source::from_argument("lattice:square:3x3")), "1");
  const Input letter = with_monomers(Input(Source::from_argument("lattice:square:3x3")), "t");
  EXPECT_NO_THROW(marginals(board, Options()));
  EXPECT_THROW(marginals(letter, Options()), UsageError);
  Options maximum;
  maximum.matchings = MatchingSize::maximum;
  EXPECT_THROW(marginals(board, maximum), UsageError);
}

}  // namespace
}  // namespace countpm::monomer_matchings_test
