#pragma once
// A tree of fronts cut into parts for several threads: subtrees of little work, and the fronts above them.
// They depend on the tree alone, so that what is computed part by part is the same for any number of threads.
#include <cstddef>
#include <vector>

#include "kernels/planar/elimination/front_tree.hpp"

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

/// Each part comes after its children. Neighbouring subtrees below one front make a part until it has about a
/// hundredth of the work. O(fronts).
std::vector<TreePart> tree_parts(const FrontTree& tree);

}  // namespace countpm::planar
