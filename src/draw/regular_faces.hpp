#pragma once
// Planar drawings whose small faces are regular polygons with sides of length 1.
#include <optional>
#include <vector>

#include "graph/lattices/lattice_geometry.hpp"
#include "kernels/planar/orientation/faces.hpp"

namespace countpm::draw {

/// A connected plane graph with at least one edge.
struct PlanePart {
  planar::BlockGraph graph;
  planar::Embedding embedding;
  planar::Faces faces;
  Index outer = 0;  // a longest face
};

/// The positions of the part's vertices, where that drawing exists (else nullopt): faces with up to 8
/// sides get the angles of regular polygons, the other angles at a vertex share what is left of a full turn,
/// and a walk from vertex to vertex draws every edge with length 1. It does not exist where the walk does not
/// close or edges would cross: a fullerene cannot be flat. The part lies as broad as it can. O(part).
std::optional<std::vector<Point>> place_regular_faces(const PlanePart& part);

}  // namespace countpm::draw
