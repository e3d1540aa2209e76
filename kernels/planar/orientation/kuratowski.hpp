#pragma once
// What shows that a graph is not planar.
#include <vector>

#include "kernels/planar/orientation/block_graph.hpp"

namespace countpm::planar {

/// The edges of a subdivision of K5 or K3,3 in a graph that is not planar; empty where finding one would take
/// more than `most_tests` planarity tests. Edges are taken away, halves, quarters, ... at a time, as long as
/// what is left is not planar; a path of vertices of degree 2 goes as one. K. Kuratowski, Sur le probleme des
/// courbes gauches en topologie, Fund. Math. 15 (1930) 271.
std::vector<Index> kuratowski_subgraph(const BlockGraph& graph, unsigned most_tests = 400);

/// The same as paths between its ends, in vertices: every two of the five ends of K5 are joined by one, or
/// each of the first three ends of K3,3 and each of the last three. Precondition: `edges` is such a
/// subdivision.
struct KuratowskiPaths {
  std::vector<Index> ends;
  std::vector<std::vector<Index>> paths;

  bool five() const { return ends.size() == 5; }
};
KuratowskiPaths kuratowski_paths(const BlockGraph& graph, const std::vector<Index>& edges);

}  // namespace countpm::planar
