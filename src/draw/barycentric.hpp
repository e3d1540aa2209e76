#pragma once
// Tutte's drawing of a plane graph.
#include <vector>

#include "src/draw/regular_faces.hpp"

namespace countpm::draw {

/// Straight edges that do not cross, whatever the connected plane graph (docs at planar_layout()): where the
/// outer face is a simple cycle it is the border, a regular polygon; else a cycle of helper vertices around
/// the graph is. Every other face has a ring of helper vertices, one at each corner, and one in the middle,
/// so that all faces are triangles and Floater's theorem holds; helpers pull weakly. The mean length of an
/// edge is 1. Conjugate gradients: O(edges^1.5) for the graphs that one draws.
std::vector<Point> place_barycentric(const PlanePart& part);

}  // namespace countpm::draw
