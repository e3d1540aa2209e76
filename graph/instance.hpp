#pragma once
// What is to be counted: the bridge from graphs to matrices.
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "graph/sparse_matrix.hpp"

namespace countpm {

/// perfect_matchings: of a bipartite (or two-coloured) graph, the permanent of `pattern` as its biadjacency
/// matrix. cycle_covers: of a directed graph, the permanent of its adjacency matrix.
/// general_perfect_matchings: of an undirected graph that has an odd cycle; `pattern` is its symmetric
/// adjacency matrix.
enum class Problem { perfect_matchings, cycle_covers, general_perfect_matchings };
const char* name_of(
    Problem problem);  // "perfect matchings", "cycle covers", "perfect matchings of a general graph"

/// A sparse matrix with labels. values run beside pattern.column (monostate: all 1).
/// The matrix need not be square: sides of different sizes count 0. row_vertex[i] indexes the graph's left
/// labels; column_vertex[j] the right labels (bipartite) or the left labels (directed, undirected). Empty:
/// the identity.
struct Instance {
  Problem problem = Problem::perfect_matchings;
  GraphKind kind = GraphKind::undirected;
  SparsePattern pattern;
  Values values;
  WeightKind weight_kind = WeightKind::none;
  std::vector<Index> row_vertex;
  std::vector<Index> column_vertex;
  LabelTable left_labels;
  LabelTable right_labels;
  std::vector<Index> odd_cycle;  // general graphs: vertices of one odd cycle, why it is not two-colourable

  std::string row_label(Index row) const;
  std::string column_label(Index column) const;
};

/// Bipartite: rows left, columns right, in order of id. Directed: rows and columns are vertices. Undirected:
/// two-coloured component by component (the first vertex of each goes left; then, where the sides differ in
/// size, whole components are left as they are: swapping a component's sides moves whole rows to columns and
/// changes no count). O(vertices + edges), iterative. Takes the graph by value: its labels move.
Instance to_instance(Graph graph);

}  // namespace countpm
