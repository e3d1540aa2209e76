#pragma once
// The matrix of which a line stands several times, or not at all: photons that share a mode.
//
// Of a symmetric matrix, a graph, rows and columns are repeated alike: its vertices are. Two copies of vertex
// i stand at row i and column i, so that the entry on the diagonal, the loop, joins them: the hafnians and
// loop hafnians of Gaussian boson sampling (N. Quesada, J. M. Arrazola, N. Killoran, Phys. Rev. A 98 (2018)
// 062322).
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

/// An undirected graph with vertex i copies[i] times, one copy after the other, each with its label. An edge
/// joins all copies of its ends. A loop joins the copies of its vertex with each other; loops_stay: each copy
/// has the loop, too. Throws UsageError for as many numbers as there are no vertices, UnableError beyond 50
/// million edges. O(edges made).
void repeat_vertices(Graph& graph, const std::vector<Index>& copies, bool loops_stay,
                     const std::string& input);

/// repeat_vertices() of an undirected graph whose rows and columns are repeated alike, else repeat_lines().
void repeat_rows_and_columns(Graph& graph, const std::optional<std::vector<Index>>& rows,
                             const std::optional<std::vector<Index>>& columns, bool loops_stay,
                             const std::string& input);

}  // namespace countpm
