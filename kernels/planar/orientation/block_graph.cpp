#include "kernels/planar/orientation/block_graph.hpp"

#include <numeric>

#include "graph/stop_poll.hpp"

namespace countpm::planar {

std::uint64_t edges_of(const AnyBlock& any_block) {
  return std::visit(
      [](const auto& block) -> std::uint64_t {
        if (block.general) return block.matrix.entries() / 2;
        if (block.multiplicity.empty()) return block.matrix.entries();
        std::uint64_t edges = 0;
        for (const Index j : block.matrix.column) edges += block.multiplicity[j];
        return edges;
      },
      any_block);
}

std::uint64_t vertices_of(const AnyBlock& any_block) {
  return std::visit([](const auto& block) { return std::uint64_t{block.size()} * (block.general ? 1 : 2); },
                    any_block);
}

BlockGraph block_graph(const AnyBlock& any_block) {
  BlockGraph graph;
  std::visit(
      [&](const auto& block) {
        const auto& matrix = block.matrix;
        graph.bipartite = !block.general;
        graph.rows = matrix.rows;
        graph.vertices = block.general ? matrix.rows : 2 * matrix.rows;
        graph.edges.reserve(edges_of(any_block));
        std::vector<Index> first(matrix.columns + std::size_t{1}, matrix.rows);
        for (Index j = 0; j < matrix.columns; ++j) first[j + 1] = first[j] + block.multiplicity_of(j);
        StopPoll poll;
        for (Index i = 0; i < matrix.rows; ++i) {
          poll.steps(matrix.row_degree(i));
          for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
            const Index j = matrix.column[k];
            if (block.general) {
              if (i < j) graph.edges.push_back({i, j, k});
              continue;
            }
            for (Index b = first[j]; b < first[j + 1]; ++b) graph.edges.push_back({i, b, k});
          }
        }
      },
      any_block);
  return graph;
}

Adjacency adjacency(const BlockGraph& graph) {
  Adjacency result;
  result.start.assign(graph.vertices + std::size_t{1}, 0);
  for (const BlockGraph::Edge& edge : graph.edges) {
    ++result.start[edge.a + std::size_t{1}];
    ++result.start[edge.b + std::size_t{1}];
  }
  std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
  result.neighbour.resize(2 * graph.edges.size());
  result.edge.resize(2 * graph.edges.size());
  std::vector<std::uint64_t> next(result.start.begin(), result.start.end() - 1);
  const auto put = [&](Index from, Index to, Index edge) {
    const std::uint64_t at = next[from]++;
    result.neighbour[at] = to;
    result.edge[at] = edge;
  };
  for (Index e = 0; e < graph.edges.size(); ++e) {
    put(graph.edges[e].a, graph.edges[e].b, e);
    put(graph.edges[e].b, graph.edges[e].a, e);
  }
  return result;
}

}  // namespace countpm::planar
