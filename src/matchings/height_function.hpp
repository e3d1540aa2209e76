#pragma once
// The height function of a domino or lozenge tiling: what a dimer configuration of a lattice is as a surface.
//
// Dominoes: along a side of a cell the height goes up by 1 where a cell of the first vertex's chessboard
// colour is on the left and down by 1 where one of the other is; across a domino it changes by -3 or 3.
// Lozenges: clockwise around a triangle a, it goes down by 1 along a side of a lozenge and up by 2 across
// one; the tiling is the picture of a stack of unit cubes, the height of a corner the sum x + y + z of its
// coordinates, but for a constant. W. P. Thurston, Conway's tiling groups, Amer. Math. Monthly 97 (1990) 757.
#include <cstdint>
#include <vector>

#include "src/matchings/lattice_matching.hpp"

namespace countpm {

/// At the corner above and to the left of the cell (row, column), which for lozenges is
/// triangle_corner(row, column).
struct HeightPoint {
  std::int64_t row = 0;
  std::int64_t column = 0;
  std::int64_t height = 0;
};

struct HeightFunction {
  std::vector<HeightPoint> points;  // by rows; the corners of cells that are there
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};

/// Whether heights are defined: square, aztec, honeycomb, hexagon.
bool has_heights(const LatticeInfo& lattice);
/// Throws UnableError where they are not.
void require_heights(const LatticeInfo& lattice);

/// The height is 0 at the first corner of each connected part. O(sites of the bounding box). Throws
/// UnableError where has_heights() is false, or where the height has more than one value because a hole
/// (removed vertices) has more cells of one colour than of the other. Throws Stopped. Precondition: the pairs
/// are a perfect matching.
HeightFunction height_function(const LatticeMatching& matching);

}  // namespace countpm
