#pragma once
// Kasteleyn orientations: every perfect matching has the same sign in the determinant (Pfaffian) of the
// oriented adjacency matrix.
//
// K_ab = +w for an edge oriented a -> b, -w for one oriented b -> a. If every inner face of a connected plane
// graph has an odd number of clockwise edges, then every cycle with an even number of vertices inside has an
// odd number, too, and
//   sum over perfect matchings of their weights = sign * Pf(K),   or  sign * det of K's rows x columns part
// where the graph is bipartite; `sign` is that of the term of any one perfect matching.
// Edges of a spanning tree are oriented at will; those off it are the edges of a spanning tree of the faces,
// and from its leaves on each face decides one. O(vertices + edges).
// P. W. Kasteleyn, The statistics of dimers on a lattice, Physica 27 (1961) 1209; Dimer statistics and phase
// transitions, J. Math. Phys. 4 (1963) 287.
#include <cstdint>
#include <vector>

#include "kernels/planar/orientation/block_graph.hpp"
#include "kernels/planar/orientation/embedding.hpp"

namespace countpm::planar {

/// forward[e]: edge e is oriented a -> b. Connected components are oriented each by itself.
using Orientation = std::vector<std::uint8_t>;

/// CheckError where the rotation system is not of genus 0, or a face comes out wrong.
Orientation kasteleyn_orientation(const BlockGraph& graph, const Embedding& embedding);

/// The edges of one perfect matching; empty where there is none (or no vertex).
std::vector<Index> one_perfect_matching(const BlockGraph& graph);

/// The sign of its term: bipartite: in the determinant of rows x columns; general: in the Pfaffian.
/// +1 for the empty matching. O(vertices).
int term_sign(const BlockGraph& graph, const Orientation& orientation, const std::vector<Index>& matching);

/// The sign (+1 or -1) of a permutation of 0 .. n - 1.
int permutation_sign(const std::vector<Index>& image);

}  // namespace countpm::planar
