#pragma once
// A graph as its structure shows it: which edges are in perfect matchings. All of these look at the structure
// anew, O(vertices + edges) and more for graphs with odd cycles. Precondition: at least one edge.
#include <optional>
#include <string>

#include "graph/graph.hpp"
#include "kernels/order_kind.hpp"
#include "src/draw/page.hpp"

namespace countpm::draw {

/// On the lattice that it is, or planar, every edge in the colour of what it is to the perfect matchings;
/// else as a matrix, as given and in blocks. `lattice`: its spec, for undirected graphs.
Picture draw_structure(const Graph& graph, const std::optional<std::string>& lattice,
                       const std::string& title);
/// As a matrix, as `countpm explain` draws it: also with each block in an order of elimination, after a short
/// search.
Picture draw_structure_matrix(const Graph& graph, OrderKind order, const std::string& title);

/// What a page has room for.
inline constexpr std::size_t most_edges_on_page = 40'000;

}  // namespace countpm::draw
