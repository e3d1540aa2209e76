#pragma once
// How large a sum over exact covers can be.
//
// Vertices are decided in a row; a piece is for its first vertex to take. Whatever was taken before, a vertex
// is covered already, a factor of 1, or it takes one of its pieces. So the sum over all exact covers of the
// products of |weights| is at most prod_v max(1, sum over the pieces first at v of |weight|). Dividing every
// weight by u^(size of the piece) divides the sum by u^n, since each vertex is covered once; with the best u
// this is what the bound is made of.
#include <cstdint>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// An edge (2 vertices), a loop (1) or a tile. log2_weight: at least log2 of the weight's magnitude.
struct CoverPiece {
  Index first = 0;  // the least of its vertices
  Index size = 0;
  double log2_weight = 0;
};

/// At least log2 of the sum over the exact covers of this many vertices; 0 or above. Of u any choice is
/// sound: floating point only searches for it, and what it rounds away afterwards is added. O(pieces) for
/// each of some dozens of u.
double log2_cover_bound(Index vertices, const std::vector<CoverPiece>& pieces);

}  // namespace countpm
