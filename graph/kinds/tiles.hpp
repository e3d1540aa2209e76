#pragma once
// Exact covers: every vertex is covered once, by an edge, by itself (a loop) or by a tile, a set of vertices
// that are covered together.
//
// The sum over all exact covers of the products of the weights of their pieces. With rings of the graph as
// tiles of weight x it is a polynomial; of a benzenoid or a fullerene with its hexagons the Clar covering
// (Zhang-Zhang) polynomial. H. Zhang, F. Zhang, The Clar covering polynomial of hexagonal systems I, Discrete
// Appl. Math. 69 (1996). All coefficients are in one number, that for x = 2^s, where 2^s is more than twice
// each of them: its digits to the base 2^s (L. Kronecker's substitution). With L_v the least common multiple
// of the denominators of the weights at v, prod L_v times a coefficient is an integer, and how large they are
// together is for graph/kinds/cover_bound.hpp to say.
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "graph/kinds/cover_bound.hpp"
#include "graph/parse_weight.hpp"

namespace countpm {

/// The text that asks for the polynomial instead of a weight.
inline constexpr const char* ring_letter = "x";

struct Tile {
  std::vector<Index> vertices;  // ascending, two or more
  Weight weight;
};

/// Puts tiles behind the vertices of an undirected graph (Graph::tiles), and sets Graph::covers and
/// Graph::monomers. Of the kind of weights the caller says. Once.
void add_tiles(Graph& graph, const std::vector<Tile>& tiles);

/// Vertices labelled from 0, and sets of them as edges, loops and tiles; several of one vertex or of the same
/// two are one, by their sum. weights: none, or one for each set; a set of weight 0 is none. Throws
/// InputError as exact_covers() does (src/library).
Graph cover_graph(Index vertices, const std::vector<std::vector<Index>>& sets,
                  const std::vector<mpq_class>& weights);

/// Rings of these lengths as tiles of this weight (empty or "x": the letter); nothing where there are no
/// lengths. Makes an undirected graph of a bipartite one. Throws UsageError for a directed graph, a list of
/// sets, a weight that is none or 0, and a letter beside another or beside weights that are not exact;
/// UnableError where the polynomial has more than some million bits, or the rings are too many.
void add_rings(Graph& graph, const std::vector<std::uint32_t>& lengths, const std::string& ring_weight,
               const std::string& input);

/// Of a graph with covers: whether letter_bits is enough for the polynomial and every tile has that weight.
bool tile_letter_is_sound(const Graph& graph);

/// Of a graph with covers: the least number of vertices of a tile; 1 more than there are vertices where there
/// is no tile.
Index smallest_tile(const Graph& graph);

/// The same graph without its tiles and its letter: perfect matchings, or matchings where vertices have
/// loops.
Graph without_tiles(Graph graph);

}  // namespace countpm
