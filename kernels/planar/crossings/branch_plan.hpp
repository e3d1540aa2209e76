#pragma once
// How the sum over the sets of crossing edges is shared out among eliminations.
//
// Vertices at which nothing changes from set to set are eliminated once. Open stay the ends of the crossing
// edges and those of the edges that their curves cross (curves.hpp); all else leaves a dense matrix on them.
// Then the crossing edges are left or taken one after another, in a fixed order, and open vertices are
// eliminated as soon as all that concerns them is decided: what two sets have in common is done once. Those
// that concern most vertices are decided first, when there are few nodes.
#include <vector>

#include "kernels/planar/crossings/curves.hpp"
#include "kernels/planar/elimination/front_tree.hpp"

namespace countpm::planar {

struct BranchPlan {
  std::vector<std::size_t> order;  // of deciding: places in PlanarPart::crossing
  std::vector<Index> open;         // vertices, in the order of elimination
  std::vector<Index> level;        // of each vertex: after so many decisions it is complete; 0: not open
  FrontTree tree;                  // of all others; its last front has `open` as its border, if there are any
  std::vector<std::uint64_t> nodes;     // after 0, 1, 2, ... decisions
  std::vector<double> multiplications;  // of a node's own elimination, modulo one prime
  std::uint64_t words = 0;              // of the nodes on a path

  /// In the order of deciding, by their numbers in the whole graph.
  std::vector<Index> edges(const PlanarPart& part) const;
  double base_work() const { return tree.total.multiplications; }
  /// Of all nodes after more than so many decisions, and of all.
  double work_after(std::size_t decisions) const;
};

/// order: of another plan; empty where it is to be found. seed: of the order of elimination.
BranchPlan branch_plan(const BlockGraph& whole, const PlanarPart& part, const Curves& curves,
                       std::vector<std::size_t> order, std::uint64_t seed);

}  // namespace countpm::planar
