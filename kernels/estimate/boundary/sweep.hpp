#pragma once
// In which order a graph's vertices are taken, and the line that its boundary forms on the way.
//
// After t steps the boundary is the vertices still to come that have a neighbour among the first t. They
// stand on a line: a vertex that is taken leaves it, and its neighbours that are not there yet enter in its
// place. On a lattice neighbours on the line are then neighbours in the plane, or nearly so.
#include <cstdint>
#include <vector>

#include "kernels/estimate/samples/sample_graph.hpp"

namespace countpm {

struct BoundarySweep {
  struct Step {
    std::uint32_t vertex = 0;
    std::uint32_t place = 0;              // on the line before the step, or where it would be
    bool live = false;                    // it was on the line
    std::vector<std::uint32_t> entering;  // in its place, in this order
  };
  std::vector<Step> steps;
  std::vector<std::uint32_t> position;  // of every vertex in the order of the steps
  std::uint32_t width = 0;              // the longest line
  std::uint64_t total_width = 0;        // of all lines together
  std::uint64_t total_span = 0;  // of the vertices between the first and last neighbour of each, with them
};

/// Some orders with short lines, the shortest in all first: that of the numbers, the same with each vertex
/// straight after its last neighbour, breadth-first from a far vertex, and greedily by what enters. None has
/// a line longer than `most_width`, or twice as long as the first one's. O(vertices * width + edges).
std::vector<BoundarySweep> make_sweeps(const SampleGraph& graph, std::uint32_t most_width);

}  // namespace countpm
