#include "kernels/planar/orientation/given_embedding.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"

namespace countpm::planar {

Embedding given_embedding(const BlockGraph& graph, const Rotations& rotations) {
  const auto refuse = [] { throw CheckError("planar: the rotations given are not those of the graph"); };
  const Adjacency adjacent = adjacency(graph);
  if (rotations.start != adjacent.start) refuse();
  Embedding result{adjacent.start, {}};
  result.around.reserve(adjacent.edge.size());
  constexpr std::uint8_t unknown = 2;
  result.twisted.assign(graph.edges.size(), unknown);
  std::vector<Index> listed_by(graph.edges.size(), graph.vertices);
  std::vector<std::pair<Index, Index>> edge_to;
  StopPoll poll;
  for (Index v = 0; v < graph.vertices; ++v) {
    const std::uint64_t begin = adjacent.start[v];
    const std::uint64_t end = adjacent.start[v + std::size_t{1}];
    poll.steps(end - begin);
    edge_to.clear();
    for (std::uint64_t k = begin; k < end; ++k) edge_to.emplace_back(adjacent.neighbour[k], adjacent.edge[k]);
    std::sort(edge_to.begin(), edge_to.end());
    for (std::uint64_t k = begin; k < end; ++k) {
      const Index w = rotations.neighbour[k];
      const auto at = std::lower_bound(edge_to.begin(), edge_to.end(), std::pair(w, Index{0}));
      if (at == edge_to.end() || at->first != w) refuse();
      const Index e = at->second;
      if (listed_by[e] == v) refuse();
      listed_by[e] = v;
      if (result.twisted[e] != unknown && result.twisted[e] != rotations.twisted[k]) refuse();
      result.twisted[e] = rotations.twisted[k];
      result.around.push_back(e);
    }
  }
  return result;
}

}  // namespace countpm::planar
