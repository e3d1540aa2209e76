#pragma once
// What is to be counted: the bridge from graphs to matrices.
#include <gmpxx.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "graph/sparse_matrix.hpp"

namespace countpm {

/// perfect_matchings: of a bipartite (or two-coloured) graph, the permanent of `pattern` as its biadjacency
/// matrix. cycle_covers: of a directed graph, the permanent of its adjacency matrix.
/// general_perfect_matchings: of an undirected graph that has an odd cycle; `pattern` is its symmetric
/// adjacency matrix. matchings: of an undirected graph with monomers; `pattern` is its symmetric adjacency
/// matrix, with the weights of the vertices that may stay alone on the diagonal. exact_covers: likewise, the
/// last Instance::tiles lines being tiles (graph/kinds/tiles.hpp).
enum class Problem { perfect_matchings, cycle_covers, general_perfect_matchings, matchings, exact_covers };
/// "perfect matchings", "cycle covers", "perfect matchings of a general graph", "matchings", "exact covers"
const char* name_of(Problem problem);
/// Vertices may stay alone, or be covered by more than an edge: what holds of perfect matchings alone does
/// not hold here.
constexpr bool beyond_perfect_matchings(Problem problem) {
  return problem == Problem::matchings || problem == Problem::exact_covers;
}

/// Of an instance with vertices added for those that the matchings counted leave free
/// (matching/free_vertices.hpp): every one of these extends to `orders` perfect matchings.
struct FreeVertices {
  Index matching_size = 0;  // edges of each matching that is counted
  Index number = 0;         // of vertices that each leaves free
  mpz_class orders = 1;
};

/// A sparse matrix with labels. values run beside pattern.column (monostate: all 1).
/// The matrix need not be square: sides of different sizes count 0. row_vertex[i] indexes the graph's left
/// labels; column_vertex[j] the right labels (bipartite) or the left labels (directed, undirected). Empty:
/// the identity. no_index: a vertex that was added (FreeVertices).
struct Instance {
  Problem problem = Problem::perfect_matchings;
  GraphKind kind = GraphKind::undirected;
  SparsePattern pattern;
  Values values;
  WeightKind weight_kind = WeightKind::none;
  unsigned letter_bits = 0;  // Graph::letter_bits
  mpz_class copies = 1;      // Graph::copies, or 1
  Index tiles = 0;           // Graph::tiles: the last lines
  std::vector<Index> row_vertex;
  std::vector<Index> column_vertex;
  LabelTable left_labels;
  LabelTable right_labels;
  std::optional<FreeVertices> free;  // empty: all matchings that are counted are perfect
  /// Graph::rotations, of vertices; where the matrix is not symmetric of rows, then columns. Null: none.
  std::shared_ptr<const Rotations> rotations;
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
