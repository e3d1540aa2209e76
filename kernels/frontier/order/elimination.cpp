#include "kernels/frontier/order/elimination.hpp"

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
