#pragma once
// The maximum matchings of graphs that are nearly trees, summed up exactly.
//
// A depth-first search cuts the graph at its cut vertices. Of each block, the one behind it first, the edges
// that a spanning tree leaves over are taken or not in all 2^k ways, and the tree is summed up as
// tree_sums.hpp says. O(2^k) steps a vertex: linear for trees and cacti, whose blocks are edges and cycles.
// J. Hopcroft, R. Tarjan, Algorithm 447: efficient algorithms for graph manipulation, Comm. ACM 16 (1973).
#include <optional>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "matching/leading.hpp"

namespace countpm {

/// A connected graph: sums of each vertex by itself, and every edge once.
template <class Number>
struct NearTree {
  struct Edge {
    Index from;
    Index to;
    Fraction<Number> weight;
  };
  std::vector<VertexSums<Number>> vertices;
  std::vector<Edge> edges;
};

/// What hangs on the root, which is the whole graph; nothing where it would take more than so many steps.
/// Looks at the stop signal of the thread.
template <class Number>
std::optional<VertexSums<Number>> cactus_sums(NearTree<Number> graph, Index root, std::uint64_t most_steps);

extern template std::optional<VertexSums<mpz_class>> cactus_sums(NearTree<mpz_class>, Index, std::uint64_t);
extern template std::optional<VertexSums<Gaussian<mpz_class>>> cactus_sums(NearTree<Gaussian<mpz_class>>,
                                                                           Index, std::uint64_t);
extern template std::optional<VertexSums<Residue>> cactus_sums(NearTree<Residue>, Index, std::uint64_t);
extern template std::optional<VertexSums<Gaussian<Residue>>> cactus_sums(NearTree<Gaussian<Residue>>, Index,
                                                                         std::uint64_t);

}  // namespace countpm
