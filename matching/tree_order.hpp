#pragma once
// The trees among the components of a graph, or of some of its edges.
#include <optional>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "graph/stop_poll.hpp"

namespace countpm {

/// Every vertex behind its parent, siblings one after the other; the root is the first.
struct TreeOrder {
  std::vector<Index> vertex;
  std::vector<Index> parent;  // by places in `vertex`; no_index of the root
};

/// The component of the root by the edges that joins(v, w) is true of, if it is a tree. `met`, of all
/// vertices, learns those of it in any case. Loops are no edges. O(their entries).
template <class Joins>
std::optional<TreeOrder> tree_from(const SparsePattern& graph, Index root, const Joins& joins,
                                   std::vector<bool>& met) {
  TreeOrder tree{{root}, {no_index}};
  std::uint64_t ends = 0;
  met[root] = true;
  StopPoll poll;
  for (std::size_t at = 0; at < tree.vertex.size(); ++at) {
    const Index v = tree.vertex[at];
    poll.steps(graph.row_degree(v));
    for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + std::uint64_t{1}]; ++k) {
      const Index w = graph.column[k];
      if (w == v || !joins(v, w)) continue;
      ++ends;
      if (met[w]) continue;
      met[w] = true;
      tree.vertex.push_back(w);
      tree.parent.push_back(static_cast<Index>(at));
    }
  }
  if (ends != 2 * (tree.vertex.size() - 1)) return std::nullopt;
  return tree;
}

}  // namespace countpm
