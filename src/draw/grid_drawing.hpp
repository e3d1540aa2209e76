#pragma once
// Planar drawings on a grid.
#include <vector>

#include "graph/lattices/lattice_geometry.hpp"
#include "kernels/planar/orientation/block_graph.hpp"

namespace countpm::draw {

/// Straight edges that do not cross, vertices on a grid of 2 n - 4 by n - 2: no two of them are nearer than
/// 1 / n of the drawing's width, whatever the connected planar graph of n >= 3 vertices. In units of the mean
/// length of an edge. M. Chrobak, T. H. Payne, A linear-time algorithm for drawing a planar graph on a grid,
/// Inf. Proc. Letters 54 (1995) 241; all steps are Boost's. O(n).
std::vector<Point> place_on_grid(const planar::BlockGraph& graph);

}  // namespace countpm::draw
