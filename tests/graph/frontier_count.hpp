#pragma once
// The graph tests' own count, for small or narrow graphs: vertices in order, each matched to a later one; a
// state is the set of later vertices that are matched already. Shares no code with the kernels.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.hpp"

namespace countpm {

/// Of vertices with their later neighbours and the weights of these edges.
template <class Number>
Number count_by_states(const std::vector<std::vector<std::pair<Index, Number>>>& later) {
  using Vertices = std::u32string;  // has a hash
  std::unordered_map<Vertices, Number> states{{{}, 1}};
  for (Index v = 0; v < later.size(); ++v) {
    std::unordered_map<Vertices, Number> next;
    for (const auto& [used, ways] : states) {
      if (!used.empty() && used.front() == v) {
        next[used.substr(1)] += ways;
        continue;
      }
      for (const auto& [mate, weight] : later[v]) {
        if (std::binary_search(used.begin(), used.end(), mate)) continue;
        Vertices with = used;
        with.insert(std::upper_bound(with.begin(), with.end(), mate), mate);
        next[std::move(with)] += ways * weight;
      }
    }
    states = std::move(next);
  }
  const auto found = states.find({});
  return found == states.end() ? Number(0) : found->second;
}

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
  if (std::holds_alternative<std::vector<mpq_class>>(graph.values)) return count_by_states(later);
  // Integers by themselves: fractions take several times as long.
  std::vector<std::vector<std::pair<Index, mpz_class>>> integers(later.size());
  for (std::size_t v = 0; v < later.size(); ++v) {
    for (const auto& [mate, weight] : later[v]) integers[v].emplace_back(mate, weight.get_num());
  }
  return count_by_states(integers);
}

}  // namespace countpm
