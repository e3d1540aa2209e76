#pragma once
// Crossing edges drawn over a plane graph: signs for graphs that are not planar.
//
// Every graph that is drawn in the plane has an orientation in which a perfect matching has the sign
//   e (-1)^(number of pairs of its edges that cross)
// in the Pfaffian (determinant), with one e for all; on the edges that cross none it is Kasteleyn's. So the
// matchings that use the crossing edges S and no other crossing edge are counted by the Pfaffian of the
// matrix in which the edges that an odd number of S's curves cross have the other sign, with the entries of S
// alone in their rows; times -1 for every two of S whose curves cross an odd number of times. G. Tesler,
// Matchings in graphs on non-orientable surfaces, J. Combin. Theory B 78 (2000) 198; S. Norine, Pfaffian
// graphs, T-joins and crossing numbers, Combinatorica 28 (2008) 89.
// A curve leads through faces, from one at its first end to one at its last; the fewer vertices the edges
// have that it crosses, the fewer the sums over S have to keep (branch_plan.hpp). Without the edges that it
// crosses, the crossing edge divides a face, and that decides its direction. O(edges log edges) each.
#include <vector>

#include "kernels/planar/crossings/planar_part.hpp"
#include "kernels/planar/orientation/kasteleyn.hpp"

namespace countpm::planar {

struct Curves {
  std::vector<std::vector<Index>> crossed;  // by each crossing edge: numbers in the whole graph
  Orientation orientation;                  // of the whole graph
  std::vector<std::vector<std::uint8_t>>
      odd;  // whether two crossing edges' curves cross an odd number of times
};

/// seed: 1 for short curves; others draw others, nearly as short. CheckError where a face comes out wrong.
Curves draw_curves(const BlockGraph& whole, const PlanarPart& part, std::uint64_t seed);

/// The vertices at which taking a crossing edge, by its place in PlanarPart::crossing, changes something: its
/// ends and those of the edges that its curve crosses. Some may come twice.
std::vector<Index> concerned(const BlockGraph& whole, const PlanarPart& part, const Curves& curves,
                             std::size_t crossing);

/// The sign of `matching` (edges of the whole graph) in the Pfaffian (determinant) that its crossing edges'
/// set is counted by; the same for every perfect matching.
int sign_with_curves(const BlockGraph& whole, const PlanarPart& part, const Curves& curves,
                     const std::vector<Index>& matching);

}  // namespace countpm::planar
