#pragma once
// The parts of a graph that maximum matchings leave vertices free in: the components of what is between A and
// D of the Gallai-Edmonds decomposition (free_vertices.hpp), with the edges within D.
#include <vector>

#include "graph/instance.hpp"

namespace countpm {

/// The vertices of D, ascending, and how many of them each maximum matching leaves free. `alone`: beside
/// `vertices`, by what each counts when it is free; empty where that is 1.
struct DeficientPart {
  std::vector<Index> vertices;
  Index free = 0;
  std::vector<ComplexRational> alone;
};

struct Deficiency {
  std::vector<DeficientPart> parts;
  std::vector<Index> part_of;  // of every vertex: its part, or no_index
  std::vector<bool> outer;     // whether a vertex is in D
};

/// The adjacency matrix of a bipartite graph: the rows, then the columns.
SparsePattern both_sides(const SparsePattern& pattern);

/// `mate` is a maximum matching of the graph, whose pattern is symmetric. O(entries log vertices) at worst.
Deficiency deficiency(const SparsePattern& graph, std::vector<Index> mate);

}  // namespace countpm
