#pragma once
// The permanent, hafnian or loop hafnian of a small dense matrix of complex weights, without a plan.
#include <optional>

#include "graph/graph.hpp"
#include "src/number/number.hpp"

namespace countpm {

/// Of a bipartite or undirected graph that has every edge, by the method that its table of methods has for
/// such blocks, in floating point with a bound on the error, on this thread. Nothing where that would take
/// longer than looking at the graph's structure, planning and waking threads, where an edge is missing, where
/// columns differ so much that they would have to be scaled, and where no digit is certain. Precondition: the
/// graph is sound.
std::optional<Number> dense_complex_sum(const Graph& graph);

}  // namespace countpm
