#pragma once
// Graphs out: an edge list that read_graph reads back.
#include <cstddef>
#include <ostream>
#include <string>

#include "graph/graph.hpp"

namespace countpm {

/// Writes an edge list (docs/formats.md): a comment with the kind and size, directives for the vertices
/// without an edge
/// (#! vertex LABEL; of a bipartite graph #! left LABEL and #! right LABEL), then an edge a line with its
/// weight as third word where the graph has weights. read_graph with the same kind (and weights) gives the
/// same labelled graph; ids go by first appearance. Throws UsageError for a label that an edge list cannot
/// hold: empty, with a blank or a control character, or beginning with # or %. O(vertices + edges).
void write_edge_list(const Graph& graph, std::ostream& out);

/// The weight of edge e as it stands there; empty where the graph has none.
std::string weight_text(const Graph& graph, std::size_t e);

}  // namespace countpm
