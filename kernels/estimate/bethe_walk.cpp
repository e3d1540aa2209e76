#include "kernels/estimate/bethe_walk.hpp"

#include <algorithm>
#include <cmath>

#include "matching/maximum_matching.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t start_passes = 400;
constexpr std::uint64_t fewest_sent = 60;
// Contracting beyond that would make messages dear and graphs dense.
constexpr std::uint32_t most_contracted_degree = 12;
// No allowed edge has a smaller share of its vertex: no factor of a sample is then larger than 2^40 and the
// number of edges.
constexpr double least_share = 0x1p-40;

std::vector<BetheGraph::Vertex> perfect_matching(const SampleMatrix& matrix) {
  const Matching matching = maximum_matching(matrix.rows);
  const std::uint32_t n = matrix.rows.rows;
  std::vector<BetheGraph::Vertex> mate;
  if (matching.size != n) return mate;
  mate.reserve(2 * std::size_t{n});
  for (const Index column : matching.row_mate) mate.push_back(n + column);
  mate.insert(mate.end(), matching.column_mate.begin(), matching.column_mate.end());
  return mate;
}

}  // namespace

BetheStart::BetheStart(const SampleMatrix& matrix) : graph(matrix), mate(perfect_matching(matrix)) {
  if (mate.empty()) return;
  const std::uint32_t vertices = 2 * graph.size();
  BetheMessages messages(graph.size());
  for (BetheGraph::Vertex v = 0; v < vertices; ++v) messages.changed(graph, v, 1);
  messages.pass(graph, start_passes * vertices);
  messages.forget(graph);
}

BetheWalk::BetheWalk(const BetheStart& start)
    : start_(start),
      most_sent_(std::max<std::uint64_t>(fewest_sent,
                                         static_cast<std::uint64_t>(2 * std::sqrt(start.graph.size())))),
      graph_(start.graph),
      messages_(start.graph.size()) {}

bool BetheWalk::reduce(Scaled& sample) {
  const std::vector<Vertex>& least = graph_.of_least_degree();
  const Vertex v = least.back();
  const std::uint32_t degree = graph_.degree(v);
  if (degree == 1) {
    take(graph_.edges(v).front(), sample);
    return true;
  }
  if (degree != 2) return false;
  const BetheGraph::Contraction contraction = graph_.contraction(v);
  if (!graph_.fits(contraction, most_contracted_degree)) return false;
  sample.multiply(contraction.factor);
  matching_.contract(v, contraction.kept, contraction.other);
  messages_.changed(graph_, contraction.kept, 1);
  graph_.contract(v, contraction, [this](Vertex neighbour) { messages_.changed(graph_, neighbour, 1); });
  return true;
}

void BetheWalk::take(EdgeNumber edge, Scaled& sample) {
  const BetheGraph::Edge taken = graph_.edge(edge);
  if (!matching_.take(graph_, taken.end[0], taken.end[1])) {
    sample = {0, 0};
    return;
  }
  sample.multiply(taken.weight);
  for (const Vertex v : taken.end) {
    // Without the edge a neighbour receives less, by odds times what is left.
    graph_.remove(v, [this](const BetheGraph::Edge& lost, Vertex neighbour) {
      messages_.changed(graph_, neighbour, lost.odds());
    });
  }
}

double BetheWalk::find_candidates(Vertex v) {
  const unsigned s = graph_.side(v);
  candidates_.clear();
  double total = 0;
  for (const EdgeNumber e : graph_.edges(v)) {
    const BetheGraph::Edge& edge = graph_.edge(e);
    if (!matching_.may_take(graph_, edge.end[0], edge.end[1])) continue;
    candidates_.push_back({e, edge.brought_to(s)});
    total += candidates_.back().share;
  }
  double sum = 0;
  for (Candidate& candidate : candidates_) {
    candidate.share = std::max(candidate.share / total, least_share);
    sum += candidate.share;
  }
  return sum;
}

}  // namespace countpm
