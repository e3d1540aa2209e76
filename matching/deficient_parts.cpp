#include "matching/deficient_parts.hpp"

#include <algorithm>

#include "graph/stop_poll.hpp"
#include "matching/alternating_forest.hpp"

namespace countpm {

SparsePattern both_sides(const SparsePattern& pattern) {
  SparsePattern graph;
  graph.rows = graph.columns = pattern.rows + pattern.columns;
  graph.row_start.reserve(graph.rows + std::uint64_t{1});
  graph.column.reserve(2 * pattern.entries());
  StopPoll poll;
  for (Index i = 0; i < pattern.rows; ++i) {
    poll.steps(pattern.row_degree(i));
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k)
      graph.column.push_back(pattern.rows + pattern.column[k]);
    graph.row_start.push_back(graph.column.size());
  }
  const SparsePattern columns = transpose(pattern);
  graph.column.insert(graph.column.end(), columns.column.begin(), columns.column.end());
  for (Index j = 0; j < columns.rows; ++j)
    graph.row_start.push_back(pattern.entries() + columns.row_start[j + std::uint64_t{1}]);
  return graph;
}

Deficiency deficiency(const SparsePattern& graph, std::vector<Index> mate) {
  std::vector<Index> roots;
  for (Index v = 0; v < graph.rows; ++v) {
    if (mate[v] == no_index) roots.push_back(v);
  }
  AlternatingForest forest(graph);
  forest.augment(roots, mate);  // grows to its end: outer vertices are D, inner ones A
  Deficiency result;
  result.part_of.assign(graph.rows, no_index);
  result.outer.assign(graph.rows, false);
  std::vector<Index> queue;
  StopPoll poll;
  for (const Index root : roots) {
    if (result.part_of[root] != no_index) continue;
    const auto number = static_cast<Index>(result.parts.size());
    DeficientPart& part = result.parts.emplace_back();
    result.part_of[root] = number;
    queue.assign(1, root);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Index v = queue[head];
      const bool outer = forest.is_outer(v);
      result.outer[v] = outer;
      if (outer) part.vertices.push_back(v);
      if (outer && mate[v] == no_index) ++part.free;
      poll.steps(graph.row_degree(v));
      for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + std::uint64_t{1}]; ++k) {
        const Index w = graph.column[k];
        // Of a vertex of A only edges to D count: no maximum matching has another.
        if (result.part_of[w] != no_index || (!outer && !forest.is_outer(w))) continue;
        result.part_of[w] = number;
        queue.push_back(w);
      }
    }
    std::sort(part.vertices.begin(), part.vertices.end());
  }
  return result;
}

}  // namespace countpm
