#pragma once
// A graph as its file gives it: what the readers make and the lattice generators too.
#include <gmpxx.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "graph/label_table.hpp"
#include "graph/point.hpp"
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

/// Of a sum, the bits from `lowest` on, `width` of them.
struct SumBits {
  std::uint64_t lowest = 0;
  std::uint64_t width = 0;
  bool operator==(const SumBits&) const = default;
};

struct LetterWeights;  // graph/letters.hpp
struct Rotations;      // graph/rotations.hpp

/// Edges are distinct (undirected: as unordered pairs), none has weight zero, and no undirected edge is a
/// loop, except where there are monomers. `values` runs beside `edges`; monostate where every edge counts 1.
/// Under `--multi sum` parallel edges have been added up: values then holds their multiplicities even where
/// weight_kind is none.
struct Graph {
  GraphKind kind = GraphKind::undirected;
  LabelTable left_labels;
  LabelTable right_labels;
  std::vector<Edge> edges;
  Values values;
  WeightKind weight_kind = WeightKind::none;
  /// Undirected: a vertex with a loop may stay alone, as a monomer, and then counts by the loop's weight.
  bool monomers = false;
  /// Not 0: every vertex has a loop, of weight 2^this in the place of the letter t
  /// (graph/kinds/monomers.hpp); with covers every tile has that weight in the place of the letter x
  /// (graph/kinds/tiles.hpp).
  unsigned letter_bits = 0;
  /// The sum over the perfect matchings holds what is counted as this digit; the bits below it are 0
  /// (graph/kinds/ground_states.hpp).
  std::optional<SumBits> digit;
  /// What is counted are factors of another graph: each is as many perfect matchings of this one
  /// (graph/kinds/degrees.hpp).
  std::optional<mpz_class> copies;
  /// Undirected, and monomers is set, too: exact covers are counted, by edges, loops and tiles.
  bool covers = false;
  /// The last so many vertices stand for tiles: sets of two vertices or more that are covered together. A
  /// tile has an edge to each of its vertices, all with the tile's weight.
  Index tiles = 0;
  /// Not null: weights have letters, and `values` are places in this table, where place 1 is the number 1.
  std::shared_ptr<const LetterWeights> letters;
  /// Where the input draws the vertices, edges about 1 long; of left_labels, and empty where it does not say,
  /// or the graph is bipartite. Only pictures look at it.
  std::vector<Point> positions;
  /// Not null: the graph is drawn on a surface. Vertices are the left ones, then the right ones; edges that
  /// are no more among `edges` may still be in the lists. Directed: null.
  std::shared_ptr<const Rotations> rotations;
};

}  // namespace countpm
