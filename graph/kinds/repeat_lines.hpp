#pragma once
// The matrix of which a line stands several times, or not at all: photons that share a mode.
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.hpp"

namespace countpm {

/// Makes a bipartite graph of a bipartite or directed one: row i (a left vertex, a tail) stands rows[i]
/// times, one copy after the other, and column j columns[j] times; unset: each once. Copies have their line's
/// label. Throws UsageError for an undirected graph, for as many numbers as there are no lines, and where the
/// numbers of rows and of columns add up to different sums, unless they may differ; UnableError beyond 50
/// million entries. O(entries made).
void repeat_lines(Graph& graph, const std::optional<std::vector<Index>>& rows,
                  const std::optional<std::vector<Index>>& columns, const std::string& input,
                  bool may_differ = false);

}  // namespace countpm
