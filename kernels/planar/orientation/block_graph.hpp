#pragma once
// A block as a plain graph: one vertex for every row and column (or for every row of a general block).
#include <cstdint>
#include <vector>

#include "matching/block.hpp"

namespace countpm::planar {

/// Bipartite: vertices 0 .. rows - 1 are the block's rows, rows .. 2 rows - 1 its columns, one for each of
/// the equal columns that a multiplicity stands for. General: the rows.
struct BlockGraph {
  /// Bipartite: a is a row and b a column; general: a < b. entry: the place of its value in matrix.value.
  struct Edge {
    Index a = 0;
    Index b = 0;
    std::uint64_t entry = 0;
  };
  bool bipartite = true;
  Index rows = 0;
  Index vertices = 0;
  std::vector<Edge> edges;

  bool is_row(Index v) const { return v < rows; }
};

/// Of vertices and edges together, at most, where METIS orders them: it counts vertices and directed edges in
/// 31 bits.
inline constexpr std::uint64_t most_ordered = std::uint64_t{1} << 29;

/// How many edges block_graph() would make: without making them. O(entries).
std::uint64_t edges_of(const AnyBlock& block);
/// How many vertices.
std::uint64_t vertices_of(const AnyBlock& block);

/// O(vertices + edges). Precondition: fewer than 2^31 vertices and edges.
BlockGraph block_graph(const AnyBlock& block);

/// Compressed adjacency lists: edge[k] leads from v to neighbour[k], start[v] <= k < start[v + 1].
struct Adjacency {
  std::vector<std::uint64_t> start;
  std::vector<Index> neighbour;
  std::vector<Index> edge;
};
Adjacency adjacency(const BlockGraph& graph);

}  // namespace countpm::planar
