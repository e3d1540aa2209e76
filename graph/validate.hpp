#pragma once
// What a program hands over in memory, before anything relies on it: the readers make sound graphs, a caller
// of the library may not.
#include <string>

#include "graph/graph.hpp"
#include "graph/read_options.hpp"

namespace countpm {

/// Throws InputError, `name` in place of a file, where the graph breaks what graph/graph.hpp promises: an
/// edge to a vertex that is not there, a loop of an undirected graph, an edge twice, values that are not
/// beside the edges, a value of 0 or not in lowest terms, a kind of weights that is narrower than the values,
/// right labels where there is no right side. The message names the edge by its number, counted from 0.
/// O(edges) time and memory.
void validate(const Graph& graph, const std::string& name = "<graph>");

/// Throws UsageError for kinds, formats and policies that are none: numbers beyond their enumerations.
void validate(const Source& source, const ReadOptions& options);

}  // namespace countpm
