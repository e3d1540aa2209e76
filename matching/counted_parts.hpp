#pragma once
// The sums of counted_trees.hpp: what of a graph's parts is counted directly.
#include <unordered_map>
#include <vector>

#include "matching/deficient_parts.hpp"

namespace countpm {

/// What the parts lose, and what stands for it.
struct Counted {
  std::vector<bool> gone;                            // of all vertices
  std::vector<ComplexRational> factors;              // none is 1
  std::unordered_map<Index, ComplexRational> scale;  // of vertices that trees hung on: of their other edges
  std::unordered_map<Index, ComplexRational> alone;  // of those in D
  std::unordered_map<Index, ComplexRational> end;    // of the vertex at the new end of an edge: its weight
};

/// Sums up what can be; of the parts what is left remains, and nothing of some. `graph` is the instance's
/// matrix as a symmetric one (both_sides() of a bipartite graph). Throws CheckError where a second sum is
/// another one.
Counted counted_parts(const Instance& instance, const SparsePattern& graph, Deficiency& deficiency);

}  // namespace countpm
