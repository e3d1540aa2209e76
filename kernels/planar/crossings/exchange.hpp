#pragma once
// Fewer crossing edges by exchange: an edge of the planar part that the curves of several crossing edges
// cross (curves.hpp) may be what keeps them out. It is left out, and they are put in where they fit; what is
// better is kept, until nothing is.
#include <vector>

#include "kernels/planar/crossings/planar_part.hpp"

namespace countpm::planar {

/// crossing: edges without which the graph is planar, with no more components. So is the result, which has no
/// more edges. work: in vertices and edges of planarity tests.
std::vector<Index> exchanged(const BlockGraph& graph, std::vector<Index> crossing, double work);

}  // namespace countpm::planar
