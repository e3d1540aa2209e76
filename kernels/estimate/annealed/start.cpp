#include "kernels/estimate/annealed/start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/estimate/annealed/even_holes.hpp"
#include "kernels/estimate/walks/pilot_spread.hpp"
#include "kernels/estimate/walks/walk_random.hpp"

namespace countpm {
namespace {

constexpr double first_shares[] = {0.15, 0.25, 0.4, 0.6, 0.8};
constexpr double steady_start = 0.5;

SampleGraph with_activities(const SampleGraph& whole, const std::vector<double>& log_activity) {
  SampleGraph graph = whole;
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    for (std::uint64_t k = graph.first[v]; k < graph.first[v + std::size_t{1}]; ++k) {
      SampleGraph::Neighbour& edge = graph.neighbours[k];
      edge.weight = std::exp(std::log(edge.weight) + (log_activity[v] + log_activity[edge.vertex]));
    }
  }
  std::fill(graph.alone.begin(), graph.alone.end(), 1.0);
  return graph;
}

}  // namespace

AnnealingStart::AnnealingStart(const SampleGraph& whole, const std::vector<double>& log_activity)
    : graph(with_activities(whole, log_activity)),
      messages(graph),
      log_factor(-std::accumulate(log_activity.begin(), log_activity.end(), 0.0)) {}

double first_share_of_holes(const SampleGraph& graph, std::uint64_t seed, std::uint64_t stream) {
  EvenHoles even(graph);
  for (const double share : first_shares) {
    even.settle(share);
    const AnnealingStart start(graph, even.log_activity());
    GeneralBetheWalk walk(start.graph, start.messages);
    const double spread =
        pilot_spread<WalkRandom>(seed, stream, [&](WalkRandom& random) { return walk.draw(random); });
    if (spread <= steady_start) return share;
  }
  return *std::rbegin(first_shares);
}

}  // namespace countpm
