#pragma once
// The symmetries of a graph: permutations of its vertices that take edges to edges of the same weight.
#include <cstddef>
#include <vector>

#include "graph/graph.hpp"

namespace countpm {

/// image[v] is where vertex v goes. Of a bipartite graph the right side's vertices come behind the left
/// side's, and sides stay: rows go to rows.
using Automorphism = std::vector<Index>;

/// More are too many to look at one by one.
inline constexpr std::size_t most_symmetries = 100'000;

/// All of them; weights of edges count where there are values. By search with backtracking (VF2: L. P.
/// Cordella, P. Foggia, C. Sansone, M. Vento, IEEE Trans. Pattern Anal. Mach. Intell. 26 (2004) 1367), among
/// images that colour refinement does not exclude: O(vertices^2) each where nothing has to be taken back, as
/// in lattices and molecules. Throws UnableError where there are more than `most`, or their tables would have
/// more than 2^28 entries. Looks at the thread's stop signal.
std::vector<Automorphism> automorphisms(const Graph& graph, std::size_t most);

}  // namespace countpm
