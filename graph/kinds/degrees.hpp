#pragma once
// Factors: sets of edges of which every vertex has a given number f, not one as in a perfect matching.
//
// A vertex with d edges becomes d vertices, one for each of its edges, and d - f further ones, each joined to
// all of these: K(d, d-f). A perfect matching of the graph so made gives the d - f further vertices partners,
// in one of (d-f)! orders, and the other f vertices are matched along their edges: so it is a factor, and
// every factor comes prod (d-f)! times. Bipartite graphs stay bipartite. W. T. Tutte, A short proof of the
// factor theorem for finite graphs, Canad. J. Math. 6 (1954) 347.
#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.hpp"

namespace countpm {

/// How many edges a vertex is to have.
struct VertexDegree {
  bool right = false;  // of a bipartite graph: on which side
  std::string label;
  Index degree = 1;
};

/// The graph whose factors are counted.
struct Degrees {
  Index degree = 1;         // of every vertex
  std::uint64_t named = 0;  // but for so many, which have their own
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
};

/// Makes the graph one whose perfect matchings are its factors, each Graph::copies times. Edges keep their
/// weights; added ones weigh 1. Where a vertex has fewer edges than it needs, one without edges is added for
/// it, so that there is no perfect matching. Throws UsageError for a directed graph and for one with
/// monomers; UnableError where tens of millions of edges are added. O(vertices + edges made).
/// named: vertices with a degree of their own; the last word on a vertex counts, and one that is not there is
/// none.
Degrees make_factors_matchings(Graph& graph, Index degree, const std::vector<VertexDegree>& named,
                               const std::string& input);

}  // namespace countpm
