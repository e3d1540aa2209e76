#pragma once
// METIS' nested dissection as a start for trees. G. Karypis, V. Kumar, A fast and high quality multilevel
// scheme for partitioning irregular graphs, SIAM J. Sci. Comput. 20 (1998) 359.
#include <cstdint>
#include <vector>

#include "kernels/frontier/class_graph.hpp"

namespace countpm {

/// An order in which separators come last; empty where METIS cannot (too large for its integers, or it
/// fails). Near-linear. Calls wait for each other: METIS draws from the C library's one random generator,
/// which is seeded each time, so that the same seed gives the same order.
std::vector<Index> nested_dissection_order(const ClassGraph& graph, std::uint64_t seed);

}  // namespace countpm
