#pragma once
// A graph as its file gives it: what the readers make and the lattice generators too.
#include <cstdint>
#include <vector>

#include "graph/label_table.hpp"
#include "graph/sparse_matrix.hpp"
#include "graph/weight.hpp"

namespace countpm {

/// bipartite: two sides with separate name spaces, `from` on the left, `to` on the right. directed: arcs.
/// undirected: edges.
enum class GraphKind { bipartite, directed, undirected };

/// "bipartite", "directed" or "undirected".
const char* name_of(GraphKind kind);

/// An edge or arc between ids. Bipartite: from indexes left_labels, to indexes right_labels; otherwise both
/// index left_labels.
struct Edge {
  Index from;
  Index to;
  bool operator==(const Edge&) const = default;
};

/// Edges are distinct (undirected: as unordered pairs), none has weight zero, and no undirected edge is a
/// loop. `values` runs beside `edges`; monostate where every edge counts 1. Under `--multi sum` parallel
/// edges have been added up: values then holds their multiplicities even where weight_kind is none.
struct Graph {
  GraphKind kind = GraphKind::undirected;
  LabelTable left_labels;
  LabelTable right_labels;
  std::vector<Edge> edges;
  Values values;
  WeightKind weight_kind = WeightKind::none;
};

}  // namespace countpm
