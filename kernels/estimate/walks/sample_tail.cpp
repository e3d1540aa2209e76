#include "kernels/estimate/walks/sample_tail.hpp"

#include <cmath>
#include <limits>

namespace countpm {
namespace {

// A choice by belief propagation takes as long as some dozens of other steps.
constexpr std::uint32_t steps_a_choice = 16;

}  // namespace

// Weights have grown together in contractions: rows are scaled to a largest weight in [1, 2).
bool SampleTail::operator()(const BetheGraph& graph, Scaled& rest) {
  const std::uint32_t left = graph.left();
  if (!due(left, steps_a_choice)) return false;
  int least = 0;
  std::int64_t exponent = 0;
  tail_.begin(left);
  for (BetheGraph::Vertex i = 0; i < size_; ++i) {
    if (!graph.is_left(i)) continue;
    int most = std::numeric_limits<int>::min();
    for (const BetheGraph::EdgeNumber e : graph.edges(i))
      most = std::max(most, std::ilogb(graph.edge(e).weight));
    exponent += most;
    for (const BetheGraph::EdgeNumber e : graph.edges(i)) {
      const BetheGraph::Edge& edge = graph.edge(e);
      least = std::min(least, std::ilogb(edge.weight) - most);
      tail_.add_entry(edge.end[1] - size_, std::ldexp(edge.weight, -most));
    }
    tail_.end_row();
  }
  const bool in_range = least * static_cast<int>(left) >= ExactTail::least_product_log2;
  const bool success = counted(left, in_range && tail_.finish(rest));
  rest.exponent += exponent;
  return success;
}

}  // namespace countpm
