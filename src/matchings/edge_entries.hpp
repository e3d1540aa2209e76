#pragma once
// From a graph's edges to the entries of its matrix.
#include <cstdint>
#include <vector>

#include "graph/instance.hpp"

namespace countpm {

/// Where the matrix of the instance has each edge of the graph that it was made of; of a general graph's two
/// entries one. O(rows + columns + edges log edges).
std::vector<std::uint64_t> entries_of_edges(const Instance& instance, const std::vector<Edge>& edges);

}  // namespace countpm
