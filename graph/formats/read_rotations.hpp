#pragma once
// --embedding FILE: how a graph is drawn on a closed surface. A line a vertex: its label, with or without a
// colon behind it, then its neighbours in clockwise order; ~ before a neighbour: along this edge the senses
// of rotation disagree, as on a Moebius strip (at both of its ends). Of bipartite graphs left:LABEL and
// right:LABEL where both sides have the label. '#' begins a comment. Or planar_code, for vertices called 1,
// 2, 3, ...; both with gzip, too.
#include <string>

#include "graph/graph.hpp"
#include "graph/read_options.hpp"

namespace countpm {

/// Sets Graph::rotations and InputInfo::drawn_on. Throws InputError where the file does not fit the graph: a
/// vertex or an edge is missing, there twice, or only in the file; UsageError where the graph is directed.
/// O(bytes + edges log edges).
void read_rotations(const std::string& file, Graph& graph, InputInfo& info);

/// The same of rotations that the graph's own file has said.
void draw_graph(Graph& graph, Rotations rotations, const std::string& file, InputInfo& info);

}  // namespace countpm
