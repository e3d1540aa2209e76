#pragma once
// Oriented matrices on any closed surface, one-sided or not: 2^b of them, b = 2 - Euler's characteristic,
// whose Pfaffians add up to the sum over the perfect matchings; two on the projective plane (and on a Moebius
// strip, which is that without a disc), four on the Klein bottle.
//
// A spanning tree has a disc as its neighbourhood, with the senses of rotation agreeing along the tree; the
// other edges are bands that leave the disc around its rim, some of them twisted. The loop of an edge e off
// the tree (through the tree) is g_e, and in the homology modulo 2
//   g_e . g_f = 1 where their ends take turns around the rim,   g_e . g_e = 1 where e is twisted.
// With vertices in the order in which the rim first meets them, the sign of a perfect matching in the
// Pfaffian counts its arcs that cross, drawn above a line. Its end at v slides along the rim, from where the
// edge leaves to where v was met first, past one end for each vertex met in between: so with a sign for every
// edge that depends on these numbers alone what is counted are its pairs of edges off the tree whose ends
// take turns. Let q be a quadratic form with values modulo 4, q(x + y) = q(x) + q(y) + 2 x.y, and g_e's edge
// have the further factor i^q(g_e). The term of a matching in that Pfaffian P_q is its weight times i^q(x), x
// the sum of its edges' loops, and
//   sum over the 2^b forms q of c_q P_q = Z,   c_q = 2^-b (sum over x of i^-q(x)),
// since Hadamard's transform of i^-q0(x) gives the coefficients of forms q0 + 2 l, l linear. On the
// projective plane q = +1, -1 on the one loop: Z = Re P + Im P. Homology comes from a cotree: off tree and
// cotree are b edges, whose loops are a basis, and whose cocycles give the coordinates of all g_e. The
// products g_e . (basis) are checked against these; a sign that is the same for every matching is that of the
// vertices' order. G. Tesler, J. Combin. Theory B 78 (2000) 198; D. Cimasoni, Lett. Math. Phys. 87 (2009) 149
// (one-sided surfaces); W. T. Lu, F. Y. Wu, Phys. Lett. A 293 (2002) 235 (Moebius strips and Klein bottles of
// the square lattice). O(2^b (vertices + edges)).
#include <array>
#include <memory>
#include <vector>

#include "kernels/planar/orientation/kasteleyn.hpp"

namespace countpm::planar {

/// b is at most that: four handles, or eight crosscaps.
inline constexpr unsigned most_loops = 8;
/// In a surface that is only looked for (short_cycle_embedding.hpp) b is at most that.
inline constexpr unsigned most_loops_found = 4;

/// What the forms are forms on, in sets of basis loops: bits.
struct SurfaceLoops {
  std::vector<std::uint8_t> of_edge;           // 0: on the tree, or its loop is none
  std::array<unsigned, most_loops> product{};  // of basis loops: bit j of number i

  bool cross(unsigned x, unsigned y) const;
};

/// Adds (real + imaginary i) / 2^halvings times its determinant (Pfaffian).
struct SurfaceTerm {
  Orientation orientation;
  int real = 0;  // not 0 in the first term
  int imaginary = 0;
  std::vector<std::uint8_t> form;  // q of every set of basis loops
};

struct SurfaceTerms {
  std::vector<SurfaceTerm> terms;
  std::vector<std::uint8_t> times_i;  // of each edge, in all terms
  unsigned halvings = 0;
  std::shared_ptr<const SurfaceLoops> loops;
};

/// `matching`: one perfect matching, as one_perfect_matching() gives it. CheckError where the graph is not
/// connected, b is more than most_loops, or the rotations are not those of a surface.
SurfaceTerms surface_terms(const BlockGraph& graph, const Embedding& embedding,
                           const std::vector<Index>& matching);

}  // namespace countpm::planar
