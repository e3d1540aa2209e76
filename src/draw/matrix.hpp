#pragma once
// Graphs as matrices: patterns, and what lies at their entries.
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "src/draw/network.hpp"
#include "src/draw/page.hpp"
#include "src/matchings/pattern_stages.hpp"

namespace countpm::draw {

/// The views side by side, entries coloured by kind, blocks of two or more lines outlined. Matrices of more
/// lines than a panel has pixels are drawn with squares of entries as dots. Precondition: at least one entry.
Picture draw_patterns(const PatternStages& stages, const std::string& title, const PageStyle& style = {});

/// The biadjacency matrix (bipartite), or the adjacency matrix (rows: tails); an undirected edge is two
/// entries. Entries of the matching (`chosen`, beside graph.edges) coloured, the others pale.
Picture draw_matching_matrix(const Graph& graph, const std::vector<bool>& chosen, const std::string& title,
                             const std::string& caption, const PageStyle& style = {});
/// The same with the map's colours, by the scale's range.
Picture draw_probability_matrix(const Graph& graph, const std::vector<EdgeValue>& values,
                                const std::string& title, const std::string& caption,
                                MapScale scale = MapScale::linear, const PageStyle& style = {});

}  // namespace countpm::draw
