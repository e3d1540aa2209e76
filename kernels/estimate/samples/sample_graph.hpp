#pragma once
// A block made ready for drawing as a graph: of any kind, with odd cycles and vertices that may stay alone.
#include <cstdint>
#include <vector>

#include "matching/block.hpp"

namespace countpm {

/// What the block counts is 2^exponent times the sum over the graph's matchings that leave alone only
/// vertices v with alone[v] > 0, each counting by the weights of its edges and of the vertices that it leaves
/// alone. A bipartite block's rows come first, then its columns. Weights are rounded to doubles: a relative
/// error of the sum below 2^-53 for every vertex, far below any sampling error.
struct SampleGraph {
  struct Neighbour {
    std::uint32_t vertex;
    std::uint32_t back;  // the place of the same edge in the neighbour's list, counted from begin(vertex)
    double weight;       // above 0
  };
  std::vector<std::uint64_t> first;  // of every vertex in `neighbours`; one more
  std::vector<Neighbour> neighbours;
  std::vector<double> alone;
  std::int64_t exponent = 0;

  std::uint32_t vertices() const { return static_cast<std::uint32_t>(alone.size()); }
  std::uint64_t edges() const { return neighbours.size() / 2; }
  std::uint32_t degree(std::uint32_t v) const {
    return static_cast<std::uint32_t>(first[v + std::uint64_t{1}] - first[v]);
  }
  const Neighbour* begin(std::uint32_t v) const { return neighbours.data() + first[v]; }
  const Neighbour* end(std::uint32_t v) const { return neighbours.data() + first[v + std::uint64_t{1}]; }
};

/// Throws UnableError for tiles, for negative and complex weights, and where weights of edges, or squares of
/// weights of vertices, differ by a factor beyond 2^300. O(entries).
SampleGraph make_sample_graph(const AnyBlock& block);

}  // namespace countpm
