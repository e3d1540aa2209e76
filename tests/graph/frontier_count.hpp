#pragma once
// The graph tests' own count, for small or narrow graphs: vertices in order, each matched to a later one; a
// state is the set of later vertices that are matched already. Shares no code with the kernels.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "graph/graph.hpp"

namespace countpm {

/// The weighted number of perfect matchings; of a directed graph, of cycle covers.
inline mpq_class count_matchings(const Graph& graph) {
  // Undirected: the vertices as they are. Otherwise rows and columns in turns, rows first.
  const bool two_sides = graph.kind != GraphKind::undirected;
  const Index rows = graph.left_labels.size();
  const Index columns = graph.kind == GraphKind::bipartite ? graph.right_labels.size() : rows;
  if (two_sides && rows != columns) return 0;
  std::vector<std::vector<std::pair<Index, mpq_class>>> later(two_sides ? 2 * std::size_t{rows} : rows);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const Index a = two_sides ? 2 * graph.edges[e].from : graph.edges[e].from;
    const Index b = two_sides ? 2 * graph.edges[e].to + 1 : graph.edges[e].to;
    mpq_class weight = 1;
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&graph.values)) {
      weight = static_cast<long>((*integers)[e]);
    }
    if (const auto* rationals = std::get_if<std::vector<mpq_class>>(&graph.values)) weight = (*rationals)[e];
    later[std::min(a, b)].emplace_back(std::max(a, b), weight);
  }
  std::map<std::vector<Index>, mpq_class> states{{{}, 1}};
  for (Index v = 0; v < later.size(); ++v) {
    std::map<std::vector<Index>, mpq_class> next;
    for (const auto& [used, ways] : states) {
      if (!used.empty() && used.front() == v) {
        next[{used.begin() + 1, used.end()}] += ways;
        continue;
      }
      for (const auto& [mate, weight] : later[v]) {
        if (std::binary_search(used.begin(), used.end(), mate)) continue;
        std::vector<Index> with = used;
        with.insert(std::upper_bound(with.begin(), with.end(), mate), mate);
        next[with] += ways * weight;
      }
    }
    states = std::move(next);
  }
  const auto found = states.find({});
  return found == states.end() ? mpq_class(0) : found->second;
}

}  // namespace countpm
