#pragma once
// The permanent, hafnian or loop hafnian of a small dense matrix of complex weights, without a plan.
#include <optional>

#include "graph/graph.hpp"
#include "src/api/options.hpp"
#include "src/number/number.hpp"

namespace countpm {

/// Of a bipartite or undirected graph that has every edge, by the method that its table of methods has for
/// such blocks, in floating point with a bound on the error, which is the same for every number of threads.
/// Nothing where that would take longer than looking at the graph's structure and planning, where an edge is
/// missing, where columns differ so much that they would have to be scaled, and where no digit is certain. Of
/// the options only the threads count. Precondition: the graph is sound.
std::optional<Number> dense_complex_sum(const Graph& graph, const Options& options);

}  // namespace countpm
