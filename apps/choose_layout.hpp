#pragma once
// Whether a graph is drawn with points and lines, and where.
#include <optional>
#include <string>

#include "apps/options.hpp"
#include "src/draw/layout.hpp"

namespace countpm::app {

/// The lattice that the argument names, as an undirected graph; empty where it is anything else.
std::optional<std::string> lattice_spec(const Request& request);

/// Lattices lie as they are, planar graphs so that no edges cross. nullopt where it is to be a matrix:
/// --draw matrix, or auto and neither of the two. Throws UnableError where --draw edges is out of reach.
std::optional<draw::Layout> choose_layout(const Graph& graph, const std::optional<std::string>& lattice,
                                          DrawKind kind);

}  // namespace countpm::app
