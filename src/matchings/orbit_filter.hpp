#pragma once
// One matching of every orbit: of those that symmetries of the graph take to each other, the one that no
// other comes before.
#include <vector>

#include "graph/automorphisms.hpp"
#include "src/api/entries.hpp"

namespace countpm {

class OrbitFilter {
 public:
  /// Weights play no part. Throws as automorphisms() does.
  explicit OrbitFilter(Graph& graph);

  /// Whether the matching, by ids as list_matchings() has them, is the first of its orbit in the order of
  /// (partner of vertex 0, partner of vertex 1, ...). O(symmetries) where few of its images begin as it does,
  /// O(symmetries vertices) at most.
  bool is_first(const std::vector<Edge>& matching);

 private:
  GraphKind kind_;
  Index left_;
  std::vector<Automorphism> group_;
  std::vector<Automorphism> inverse_;  // beside the group
  std::vector<Index> partner_;
};

}  // namespace countpm
