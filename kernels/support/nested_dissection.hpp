#pragma once
// METIS' nested dissection of a graph, for all who eliminate. G. Karypis, V. Kumar, A fast and high quality
// multilevel scheme for partitioning irregular graphs, SIAM J. Sci. Comput. 20 (1998) 359.
#include <cstdint>
#include <span>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// order[k] is the vertex eliminated as the k-th; separators come last. The neighbours of vertex v are
/// neighbour[start[v]] .. neighbour[start[v + 1] - 1], every edge in both lists, no loops; start has a place
/// more than there are vertices. Without edges the order is 0, 1, 2, ...; empty where METIS cannot (too large
/// for its integers, or out of memory). Near-linear. The same for the same graph and seed. Throws Stopped at
/// once: METIS, which looks at no signal, then goes on alone until it is through (abandonable.hpp).
///
/// Calls wait for each other: METIS draws from the C library's one random generator, which it seeds each
/// time. What it does to the process's signals while it runs: nested_dissection.cpp.
std::vector<Index> nested_dissection(std::span<const std::uint64_t> start, std::span<const Index> neighbour,
                                     std::uint64_t seed);

}  // namespace countpm
