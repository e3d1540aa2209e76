#include "kernels/estimate/bethe_messages.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace countpm {
namespace {

// Errors of a walk's choices add up as the square root of their number.
constexpr double kappa_of_one_row = 0.3;
constexpr double least_change_of_one_row = 0.125;
constexpr double most_change = 8;
constexpr int most_change_exponent = 3;
// Messages stay within these, so that products of a weight and two messages, and sums of them, stay finite.
constexpr double least_message = 0x1p-300;
constexpr double most_message = 0x1p+300;

/// Of a positive normal number: std::ilogb without a call.
int exponent_of(double value) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52) - 1023;
}

}  // namespace

BetheMessages::BetheMessages(std::uint32_t rows)
    : kappa_(kappa_of_one_row / std::sqrt(std::max(rows, 1U))),
      least_change_(least_change_of_one_row / std::sqrt(std::max(rows, 1U))) {}

void BetheMessages::begin() {
  for (std::vector<BetheGraph::Vertex>& waiting : waiting_) waiting.clear();
  first_ = levels;
}

void BetheMessages::forget(BetheGraph& graph) {
  begin();
  for (BetheGraph::Vertex v = 0; v < 2 * graph.size(); ++v) {
    graph.due(v) = 0;
    graph.level(v) = BetheGraph::nowhere;
  }
}

void BetheMessages::changed(BetheGraph& graph, BetheGraph::Vertex v, double share) {
  double& due = graph.due(v);
  due += std::min(share, most_change);
  if (due < least_change_) return;
  const int below = most_change_exponent - exponent_of(due);
  const auto level = static_cast<std::uint16_t>(std::clamp(below, 0, levels - 1));
  if (level >= graph.level(v)) return;
  graph.level(v) = level;
  waiting_[level].push_back(v);
  first_ = std::min(first_, level);
}

void BetheMessages::send(BetheGraph& graph, BetheGraph::Vertex v) {
  const unsigned s = graph.side(v);
  const std::span<const BetheGraph::EdgeNumber> edges = graph.edges(v);
  const std::size_t degree = edges.size();
  brought_.resize(degree);
  beyond_.resize(degree + 1);
  for (std::size_t k = 0; k < degree; ++k) brought_[k] = graph.edge(edges[k]).brought_to(s);
  // Sums over the other edges, from both ends: a difference would lose what is small.
  beyond_[degree] = 0;
  for (std::size_t k = degree; k > 0; --k) beyond_[k - 1] = beyond_[k] + brought_[k - 1];
  double before = 0;
  for (std::size_t k = 0; k < degree; ++k) {
    BetheGraph::Edge& edge = graph.edge(edges[k]);
    const double message =
        std::clamp(1 / (before + beyond_[k + 1] + kappa_ * brought_[k]), least_message, most_message);
    before += brought_[k];
    const double old = edge.message[s];
    edge.message[s] = message;
    if (message == old) continue;
    const double change = message > old ? (message - old) / old : (old - message) / message;
    const double odds = edge.odds();
    changed(graph, edge.end[1 - s], std::min(change, most_change) * (odds / (1 + odds)));
  }
}

void BetheMessages::take_batch(BetheGraph& graph) {
  batch_.clear();
  std::vector<BetheGraph::Vertex>& waiting = waiting_[first_];
  while (batch_.size() < vertices_a_batch && !waiting.empty()) {
    const BetheGraph::Vertex v = waiting.back();
    waiting.pop_back();
    if (graph.level(v) != first_) continue;
    graph.level(v) = BetheGraph::nowhere;
    graph.due(v) = 0;
    if (graph.is_left(v)) batch_.push_back(v);
  }
  for (const BetheGraph::Vertex v : batch_) {
    for (const BetheGraph::EdgeNumber e : graph.edges(v)) __builtin_prefetch(&graph.edge(e));
  }
  for (const BetheGraph::Vertex v : batch_) {
    for (const BetheGraph::EdgeNumber e : graph.edges(v))
      __builtin_prefetch(&graph.due(graph.neighbour(v, e)));
  }
}

void BetheMessages::pass(BetheGraph& graph, std::uint64_t most_vertices) {
  for (std::uint64_t sent = 0; sent < most_vertices && first_ < levels;) {
    if (waiting_[first_].empty()) {
      ++first_;
      continue;
    }
    take_batch(graph);
    for (const BetheGraph::Vertex v : batch_) send(graph, v);
    sent += batch_.size();
  }
}

}  // namespace countpm
