#pragma once
// Lattices by a short text: "lattice:square:8x8".
#include <string>

#include "graph/graph.hpp"

namespace countpm {

/// The graph that `spec` names ("lattice:..." as the command line takes it). Throws UsageError that lists
/// what there is.
Graph lattice_graph(const std::string& spec);

}  // namespace countpm
