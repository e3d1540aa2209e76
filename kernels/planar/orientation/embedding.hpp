#pragma once
// Planarity: a rotation system of the graph, if there is one.
// J. M. Boyer, W. J. Myrvold, On the cutting edge: simplified O(n) planarity by edge addition, J. Graph Alg.
// Appl. 8 (2004); the implementation is Boost's. Lattices come first, by their short cycles
// (short_cycle_embedding.hpp). What either says is not trusted: kasteleyn.hpp checks Euler's formula on the
// rotation system.
#include <cstdint>
#include <vector>

#include "kernels/planar/orientation/block_graph.hpp"

namespace countpm::planar {

/// around[start[v]] .. around[start[v + 1] - 1] are the edges at v in their cyclic order.
struct Embedding {
  std::vector<std::uint64_t> start;
  std::vector<Index> around;
  /// Of each edge, whether the senses of rotation at its ends disagree along it; empty: nowhere.
  std::vector<std::uint8_t> twisted = {};
};

struct Planarity {
  bool planar = false;
  Embedding embedding;  // where planar
};

/// Whether so many edges are too many for a planar simple graph: more than 3 vertices - 6, or 2 vertices - 4
/// where bipartite.
bool too_many_edges(std::uint64_t vertices, std::uint64_t edges, bool bipartite);

/// O(vertices + edges).
Planarity test_planarity(const BlockGraph& graph);

}  // namespace countpm::planar
