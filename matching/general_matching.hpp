#pragma once
// Maximum matchings of general graphs: a Karp-Sipser start, then phases of alternating forests (Edmonds).
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// mate[v] is the vertex matched to v or no_index; size is the number of matched pairs.
struct GeneralMatching {
  std::vector<Index> mate;
  Index size = 0;
};

/// A matching of the largest size of the graph with this adjacency matrix (symmetric, no diagonal). A phase
/// is O(entries) or so and augments along many paths at once; there are at most as many phases as edges that
/// the start has missed, in practice a dozen. O(vertices) memory beside the graph, no recursion.
GeneralMatching general_maximum_matching(const SparsePattern& graph);

/// Why no matching is perfect: without the vertices `removed` there are more odd components than these could
/// serve (each needs one of them). W. T. Tutte, The factorization of linear graphs, J. London Math. Soc. 22
/// (1947); C. Berge, Sur le couplage maximum d'un graphe, C. R. Acad. Sci. Paris 247 (1958).
struct TutteViolator {
  std::vector<Index> removed;                      // ascending
  std::vector<std::vector<Index>> odd_components;  // removed.size() + 1, each ascending, by first vertex
};

/// The one that alternating paths from one free vertex reach: `removed` is the part of Gallai and Edmonds'
/// set A(G) that they meet, the components belong to D(G). Precondition: `matching` is maximum and not
/// perfect. O(entries).
TutteViolator tutte_violator(const SparsePattern& graph, const GeneralMatching& matching);

}  // namespace countpm
