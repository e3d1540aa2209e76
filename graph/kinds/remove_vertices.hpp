#pragma once
// Monomers: a graph without some of its vertices.
#include <string>
#include <vector>

#include "graph/graph.hpp"

namespace countpm {

/// Takes the named vertices and their edges away; what is left keeps its order, labels and values. A name is
/// a label, or several with commas or plus signs between them: the whole text first, then what stands between
/// commas, so that labels may have both. Of a bipartite graph, whose sides have names of their own,
/// left:LABEL and right:LABEL; the label alone where only one side has it. Returns how many went. Throws
/// UsageError for a name that is no vertex of `input` (its name in messages), is on both sides, or is given
/// twice. O(vertices + edges).
std::uint64_t remove_vertices(Graph& graph, const std::vector<std::string>& names, const std::string& input);

}  // namespace countpm
