#pragma once
// Kasteleyn orientations on a torus: four of them, whose Pfaffians add up to the sum over the perfect
// matchings.
//
//   Z = (1/2) sum over the four orientations of c e Pf(K)          (bipartite: det for Pf)
//
// K is Kasteleyn where every face has an odd number of edges along its walk, which takes an even number of
// vertices. Two such orientations with different signs are told apart by how they differ on closed curves:
// there are four classes. With M a perfect matching and C a cycle of the graph,
//   q(C) = (edges of C oriented along it) + (vertices of C whose edge of M leaves it on the side that the
//   faces are on) + 1   modulo 2
// depends on C's homology class alone and is a quadratic form there, q(C + D) = q(C) + q(D) + C.D. A perfect
// matching N has the sign e (-1)^q(M + N) in Pf(K), e being M's own, so that with c = Arf(q) = -1 where q is
// 1 on both basis cycles, else +1, every matching is counted twice. Basis cycles and the edges that tell the
// orientations apart come from a tree and a cotree: off both are two edges; each closes a cycle gamma_i in
// the tree and a cocycle X_i in the cotree, X_i meets gamma_j once where i = j and else not at all, and
// reversing X_i leaves the faces odd and changes q(gamma_i). P. W. Kasteleyn, Physica 27 (1961) 1209; G.
// Tesler, J. Combin. Theory B 78 (2000) 198; D. Cimasoni, N. Reshetikhin, Comm. Math. Phys. 275 (2007) 187
// (theorem 2); D. Eppstein, SODA (2003) 599 (tree and cotree). O(vertices + edges).
#include <array>

#include "kernels/planar/orientation/kasteleyn.hpp"

namespace countpm::planar {

struct TorusTerm {
  Orientation orientation;
  int sign = 1;  // c e
};

/// `matching`: one perfect matching, as one_perfect_matching() gives it. CheckError where the rotation system
/// is not that of a connected graph on a torus, or a face comes out wrong.
std::array<TorusTerm, 4> torus_terms(const BlockGraph& graph, const Embedding& embedding,
                                     const std::vector<Index>& matching);

}  // namespace countpm::planar
