#include "kernels/frontier/order/elimination.hpp"

#include <algorithm>

#include "graph/stop_poll.hpp"

namespace countpm {

Elimination linear_elimination(const ClassGraph& graph, const std::vector<Index>& sequence) {
  Elimination elimination;
  elimination.steps.reserve(graph.classes() + std::size_t{1});
  elimination.steps.push_back({EliminationStep::Kind::push, no_index});
  std::vector<char> gone(graph.classes(), 0);
  std::vector<Index> open(graph.classes());
  for (Index v = 0; v < graph.classes(); ++v) open[v] = graph.open_ends(v);
  StopPoll poll;
  const auto for_neighbours = [&](Index v, const auto& visit) {
    for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::uint64_t{1}]; ++k)
      visit(graph.neighbour[k]);
  };
  const auto leave = [&](Index v) {
    poll.steps(graph.degree(v));
    gone[v] = 1;
    elimination.steps.push_back({EliminationStep::Kind::eliminate, v});
    for_neighbours(v, [&](Index u) { --open[u]; });
  };
  const auto eliminate = [&](Index v) {
    if (gone[v] != 0) return;
    leave(v);
    for_neighbours(v, [&](Index u) {
      if (gone[u] == 0 && open[u] == 0) leave(u);
    });
  };
  for (const Index v : sequence) eliminate(v);
  for (Index v = 0; v < graph.classes(); ++v) eliminate(v);
  return elimination;
}

std::optional<Elimination> from_other_end(const ClassGraph& graph, const Elimination& elimination) {
  const std::optional<std::vector<Index>> line = classes_in_line(elimination);
  if (!line) return std::nullopt;
  // In the order in which they come to the frontier: what is never in it before its own step before the
  // neighbours that it brings.
  std::vector<char> reached(graph.classes(), 0);
  std::vector<Index> sequence;
  const auto reach = [&](Index v) {
    if (reached[v] != 0) return;
    reached[v] = 1;
    sequence.push_back(v);
  };
  for (const Index v : *line) {
    reach(v);
    for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::uint64_t{1}]; ++k)
      reach(graph.neighbour[k]);
  }
  std::reverse(sequence.begin(), sequence.end());
  return linear_elimination(graph, sequence);
}

std::optional<std::vector<Index>> classes_in_line(const Elimination& elimination) {
  std::vector<Index> classes;
  bool pushed = false;
  for (const EliminationStep& step : elimination.steps) {
    if (step.kind == EliminationStep::Kind::join || (step.kind == EliminationStep::Kind::push && pushed))
      return std::nullopt;
    pushed = true;
    if (step.kind == EliminationStep::Kind::eliminate) classes.push_back(step.vertex);
  }
  return classes;
}

}  // namespace countpm
