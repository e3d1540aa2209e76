#pragma once
// The elimination of front_elimination.hpp on several threads, which take parts of the tree from its leaves
// up: the tree of fronts is cut into subtrees of little work, and the fronts above them. What limits it is
// the longest path of fronts, one above the other: of a square lattice a sixth to a seventh of the work.
// Memory: a front and a stack for every thread, and what waits between parts. The parts are taken in their
// order as far as that goes, so that as much waits as on one thread's stack, and what a part more for each
// thread leaves.
#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/planar/elimination/front_elimination.hpp"

namespace countpm::planar {

/// Fronts first .. last - 1 of the tree: what they pass on and none of them takes goes to the same front of
/// another part.
struct TreePart {
  static constexpr std::size_t none = ~std::size_t{0};

  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t parent = none;          // the part with that front
  std::vector<std::size_t> children;  // parts, in the order of the tree
  double multiplications = 0;
};

/// Each part comes after its children. They depend on the tree alone, so that what is computed part by part
/// is the same for any number of threads. Neighbouring subtrees below one front make a part until it has
/// about a hundredth of the work. O(fronts).
std::vector<TreePart> tree_parts(const FrontTree& tree);

/// The same pivots as one thread finds, for any number of threads, in whatever order; none where the rank is
/// too small. `seen` is called for every front once, from any thread. Throws PivotsDiffer, Stopped.
std::optional<Pivots> eliminate_on_threads(const SignedMatrix& matrix, const FrontTree& tree,
                                           const LaneArithmetic& lanes, int threads, const StopSignal& stop,
                                           const FrontElimination::Seen& seen = {});

}  // namespace countpm::planar
