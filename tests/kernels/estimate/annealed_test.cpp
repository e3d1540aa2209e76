// Annealed importance sampling: the chain's law against all matchings of small graphs, and samples that are
// unbiased however bad the activities are and however short the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/estimate/annealed/even_holes.hpp"
#include "kernels/estimate/annealed/walk.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm::annealed_test {
namespace {

using testing::repeats;

const StopSignal never;

struct Edge {
  std::uint32_t u;
  std::uint32_t v;
  double weight;
};

SampleGraph graph_of(std::uint32_t vertices, const std::vector<Edge>& edges,
                     const std::vector<double>& alone) {
  std::vector<std::vector<SampleGraph::Neighbour>> lists(vertices);
  for (const Edge& edge : edges) {
    const auto at_u = static_cast<std::uint32_t>(lists[edge.u].size());
    const auto at_v = static_cast<std::uint32_t>(lists[edge.v].size());
    lists[edge.u].push_back({edge.v, at_v, edge.weight});
    lists[edge.v].push_back({edge.u, at_u, edge.weight});
  }
  SampleGraph graph;
  graph.alone = alone;
  graph.first.push_back(0);
  for (const auto& list : lists) {
    graph.neighbours.insert(graph.neighbours.end(), list.begin(), list.end());
    graph.first.push_back(graph.neighbours.size());
  }
  return graph;
}

double random_between(oracle::Random& random, double low, double high) {
  return low + (high - low) * static_cast<double>(oracle::uniform(random, 0, 1000)) / 1000;
}

/// A ring through all vertices and some chords: odd cycles, and a perfect matching where there can be one.
SampleGraph random_graph(oracle::Random& random, std::uint32_t vertices, bool all_alone) {
  std::vector<Edge> edges;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    for (std::uint32_t u = 0; u < v; ++u) {
      const bool ring = v - u == 1 || v - u == vertices - 1;
      if (ring || oracle::uniform(random, 0, 2) == 0) edges.push_back({u, v, random_between(random, 0.2, 3)});
    }
  }
  std::vector<double> alone(vertices, 0.0);
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (all_alone || oracle::uniform(random, 0, 3) == 0) alone[v] = random_between(random, 0.3, 2);
  }
  return graph_of(vertices, edges, alone);
}

/// What every matching counts for, by its edges as a set of vertices' partners; vertex v alone for alone[v].
using Weights = std::map<std::vector<std::uint32_t>, double>;
void add_matchings(const SampleGraph& graph, const std::vector<double>& alone, std::uint32_t v,
                   std::vector<std::uint32_t>& partner, double weight, Weights& weights) {
  while (v < graph.vertices() && partner[v] != MatchingChain::nobody) ++v;
  if (v == graph.vertices()) {
    weights[partner] = weight;
    return;
  }
  if (alone[v] > 0) {
    // A vertex of its own stands for one alone.
    partner[v] = v;
    add_matchings(graph, alone, v + 1, partner, weight * alone[v], weights);
  }
  for (const auto* edge = graph.begin(v); edge != graph.end(v); ++edge) {
    if (partner[edge->vertex] != MatchingChain::nobody) continue;
    partner[v] = edge->vertex;
    partner[edge->vertex] = v;
    add_matchings(graph, alone, v + 1, partner, weight * edge->weight, weights);
    partner[edge->vertex] = MatchingChain::nobody;
  }
  partner[v] = MatchingChain::nobody;
}
Weights all_matchings(const SampleGraph& graph, const std::vector<double>& alone) {
  Weights weights;
  std::vector<std::uint32_t> partner(graph.vertices(), MatchingChain::nobody);
  add_matchings(graph, alone, 0, partner, 1, weights);
  return weights;
}
double total(const Weights& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0,
                         [](double sum, const auto& one) { return sum + one.second; });
}

std::vector<double> random_activities(oracle::Random& random, std::uint32_t vertices, double low,
                                      double high) {
  std::vector<double> activities(vertices);
  for (double& one : activities) one = random_between(random, low, high);
  return activities;
}

// Every matching is met as often as it weighs, also where activities have changed since the chain settled,
// and however often edges are separated.
TEST(MatchingChain, HasItsLaw) {
  oracle::Random random(5);
  for (std::uint64_t round = 0; round < 6; ++round) {
    const SampleGraph graph = random_graph(random, static_cast<std::uint32_t>(4 + round % 3), true);
    const std::uint32_t n = graph.vertices();
    const std::vector<double> settled = random_activities(random, n, -1, 1.5);
    const std::vector<double> factor = random_activities(random, n, 0.6, 1.6);
    std::vector<double> alone(n);
    for (std::uint32_t v = 0; v < n; ++v) alone[v] = std::exp(-settled[v]) * factor[v];
    const Weights weights = all_matchings(graph, alone);
    const double sum = total(weights);
    MatchingChain chain(graph);
    chain.settle(settled, round % 3 == 0 ? 0.1 : round % 3 == 1 ? 0.3 : 0.7);
    chain.shrink(factor);
    BulkRandom draws(11, 0, round);
    chain.run(2000, draws);
    constexpr int batches = 20;
    const int looks = std::max(repeats<int>(9000), 3000);  // with fewer the rare ones are hardly met
    std::map<std::vector<std::uint32_t>, std::vector<double>> met;
    std::vector<std::uint32_t> partner(n);
    for (int b = 0; b < batches; ++b) {
      for (int k = 0; k < looks; ++k) {
        chain.run(1, draws);
        for (std::uint32_t v = 0; v < n; ++v)
          partner[v] = chain.partner(v) == MatchingChain::nobody ? v : chain.partner(v);
        auto& counts = met[partner];
        counts.resize(batches);
        counts[b] += 1.0 / looks;
      }
    }
    for (const auto& [matching, weight] : weights) {
      auto& shares = met[matching];
      shares.resize(batches);
      const double mean = std::accumulate(shares.begin(), shares.end(), 0.0) / batches;
      double squares = 0;
      for (const double share : shares) squares += (share - mean) * (share - mean);
      const double error = std::sqrt(squares / (batches - 1) / batches);
      EXPECT_NEAR(mean, weight / sum, 5.5 * error + 1e-4) << "round " << round;
    }
    EXPECT_EQ(met.size(), weights.size());
  }
}

double mean_of(const SampleGraph& graph, const AnnealingSchedule& schedule, std::uint64_t samples,
               double& error) {
  const AnnealingStart start(graph, schedule.stages.front().log_activity);
  AnnealedWalk walk(graph, schedule, start);
  double sum = 0;
  double squares = 0;
  for (std::uint64_t k = 0; k < samples; ++k) {
    BulkRandom draws(3, 1, k);
    const Scaled sample = walk.draw(draws, never);
    const double value = sample.is_zero() ? 0 : std::exp2(sample.log2());
    sum += value;
    squares += value * value;
  }
  const auto count = static_cast<double>(samples);
  error = std::sqrt((squares / count - sum * sum / count / count) / count);
  return sum / count;
}

// Neither where activities lead nor how short the way is shows in the mean.
TEST(AnnealedWalk, UnbiasedWhateverTheSchedule) {
  oracle::Random random(8);
  for (std::uint64_t round = 0; round < repeats<std::uint64_t>(24); ++round) {
    const SampleGraph graph =
        random_graph(random, static_cast<std::uint32_t>(round % 3 == 0 ? 6 : 4 + round % 4), round % 4 == 1);
    const double exact = total(all_matchings(graph, graph.alone));
    AnnealingSchedule schedule;
    for (int k = 0; k < 4; ++k) {
      AnnealingSchedule::Stage stage;
      stage.share = 0.4 / (k + 1);
      stage.log_activity = random_activities(random, graph.vertices(), k * 0.5 - 1, k * 0.5 + 0.5);
      stage.moves = static_cast<std::uint64_t>(oracle::uniform(random, 1, 40));
      schedule.stages.push_back(stage);
    }
    double error = 0;
    const double mean = mean_of(graph, schedule, 8000, error);
    EXPECT_NEAR(mean, exact, 4.5 * error + 1e-9) << "round " << round;
  }
}

TEST(AnnealedWalk, LearnsAWayThatLeavesLittleSpread) {
  oracle::Random random(9);
  const SampleGraph graph = random_graph(random, 10, false);
  const double exact = total(all_matchings(graph, graph.alone));
  AnnealingSchedule schedule = learn_schedule(graph, 0.3, 1, 0);
  schedule.share_out(schedule.moves_for(0.3));
  constexpr std::uint64_t samples = 1000;
  double error = 0;
  const double mean = mean_of(graph, schedule, samples, error);
  EXPECT_NEAR(mean, exact, 4.5 * error);
  EXPECT_LT(error * std::sqrt(samples), 0.7 * mean);
}

// A long ring, on which belief propagation is all but exact.
TEST(EvenHoles, AreEvenOnARing) {
  constexpr std::uint32_t n = 12;
  std::vector<Edge> edges;
  for (std::uint32_t v = 0; v < n; ++v) edges.push_back({v, (v + 1) % n, 0.5 + v % 3});
  const SampleGraph ring = graph_of(n, edges, std::vector<double>(n, 0.0));
  EvenHoles even(ring);
  for (const double share : {0.8, 0.5}) {
    even.settle(share);
    std::vector<double> alone(n);
    for (std::size_t v = 0; v < n; ++v) alone[v] = std::exp(-even.log_activity()[v]);
    const Weights weights = all_matchings(ring, alone);
    for (std::uint32_t v = 0; v < n; ++v) {
      double holes = 0;
      for (const auto& [matching, weight] : weights) holes += matching[v] == v ? weight : 0;
      EXPECT_NEAR(holes / total(weights), share, 0.01) << v;
    }
  }
}

TEST(AnnealedSampler, NothingToDrawIsZeroAndStopsAreHeard) {
  SamplerOptions options;
  options.kind = SamplerKind::annealed;
  const AnyBlock lower =
      oracle::pattern_block(4, [](Index i, Index j) { return j < i || (i == 0 && j == 0); });
  EXPECT_EQ(BlockSampler(lower, options, 1, 0).run(0, 5, never).nonzero, 0U);
  const AnyBlock ones = oracle::pattern_block(12, [](Index, Index) { return true; });
  const BlockSampler sampler(ones, options, 1, 0);
  EXPECT_EQ(sampler.kind(), SamplerKind::annealed);
  EXPECT_NE(sampler.device_obstacle().find("no form for GPUs"), std::string::npos);
  StopSignal stop;
  stop.request();
  EXPECT_THROW(sampler.run(0, 1, stop), Stopped);
}

}  // namespace
}  // namespace countpm::annealed_test
