#pragma once
// A perfect matching of least weight of a graph that may have odd cycles, and the proof that it is.
//
// J. Edmonds' primal-dual algorithm. Vertices have potentials y, and some odd sets of vertices, nested or
// disjoint (the blossoms), z >= 0. An edge's reduced weight is c(u,v) - y(u) - y(v) - the sum of z over the
// sets that it leaves. Where that is >= 0 for all edges and 0 for those of a perfect matching, which leaves
// every set with z > 0 by one edge, no perfect matching weighs less, and the others of the same weight are
// those of which this holds, too. A forest of alternating trees grows over tight edges from all free
// vertices; where it is stuck, the potentials change by as much as keeps the reduced weights >= 0.
// O(vertices^2 edges), mostly far less. What came out is then checked.
#include <gmpxx.h>

#include <optional>
#include <vector>

#include "graph/graph.hpp"

namespace countpm {

struct WeightedMatching {
  mpz_class weight;
  std::vector<bool> tight;                   // beside the edges
  std::vector<std::vector<Index>> odd_sets;  // those with z > 0
};

/// Of an undirected graph without loops whose edge k costs cost[k], of any sign. Empty where it has no
/// perfect matching. Throws CheckError where the potentials prove nothing.
std::optional<WeightedMatching> least_perfect_matching(Index vertices, const std::vector<Edge>& edges,
                                                       const std::vector<mpz_class>& cost);

}  // namespace countpm
