#include "kernels/estimate/annealed/even_holes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

constexpr int most_message_sweeps = 400;
constexpr double settled_change = 1e-3;

}  // namespace

EvenHoles::EvenHoles(const SampleGraph& graph)
    : graph_(graph),
      most_(graph.vertices(), std::numeric_limits<double>::infinity()),
      reverse_(graph.neighbours.size()),
      log_weight_(graph.neighbours.size()),
      message_(graph.neighbours.size(), 0.0),
      log_activity_(graph.vertices(), 0.0) {
  std::uint32_t most_degree = 0;
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    if (graph.alone[v] > 0) most_[v] = -std::log(graph.alone[v]);
    most_degree = std::max(most_degree, graph.degree(v));
    for (std::uint64_t k = graph.first[v]; k < graph.first[v + std::size_t{1}]; ++k) {
      reverse_[k] = graph.first[graph.neighbours[k].vertex] + graph.neighbours[k].back;
      log_weight_[k] = std::log(graph.neighbours[k].weight);
    }
  }
  odds_.resize(most_degree);
  // As if neighbours sent what makes both ends alike.
  for (std::size_t k = 0; k < message_.size(); ++k) message_[k] = -0.5 * log_weight_[k];
}

void EvenHoles::settle(double share) {
  for (int k = 0; k < most_message_sweeps; ++k) {
    if (sweep(share) < settled_change) break;
  }
}

double EvenHoles::sweep(double share) {
  StopPoll poll;
  double change = 0;
  for (std::uint32_t v = 0; v < graph_.vertices(); ++v) {
    const std::uint64_t first = graph_.first[v];
    const std::uint32_t degree = graph_.degree(v);
    if (degree == 0) {
      log_activity_[v] = std::min(0.0, most_[v]);
      continue;
    }
    poll.steps(degree);
    double largest = -HUGE_VAL;
    for (std::uint32_t k = 0; k < degree; ++k) {
      odds_[k] = log_weight_[first + k] + message_[reverse_[first + k]];
      largest = std::max(largest, odds_[k]);
    }
    double sum = 0;
    for (std::uint32_t k = 0; k < degree; ++k) sum += odds_[k] = std::exp(odds_[k] - largest);
    // cppcheck-suppress invalidFunctionArg ; there is a neighbour: the sum is 1 at least
    const double wanted = std::log((1 - share) / share) - (largest + std::log(sum));
    const double now = std::min(wanted, most_[v]);
    change = std::max(change, std::abs(now - log_activity_[v]));
    log_activity_[v] = now;
    // Of being matched with any, over being a hole.
    const double matched = std::exp(now + largest) * sum;
    for (std::uint32_t k = 0; k < degree; ++k) {
      const double others = std::max(matched * (1 - odds_[k] / sum), 0.0);
      message_[first + k] = now - std::log1p(others);
    }
  }
  return change;
}

}  // namespace countpm
