#pragma once
// The matrix of an oriented planar graph.
#include <vector>

#include "kernels/planar/orientation/kasteleyn.hpp"

namespace countpm::planar {

/// The matrix: graph.edges[e] has the value values[value_of[e]] with the sign that its orientation gives.
struct SignedMatrix {
  BlockGraph graph;
  Orientation orientation;
  std::vector<Index> value_of;
  std::vector<mpq_class> values;  // different from each other
};

/// From the block's values; the block is not needed any more.
SignedMatrix signed_matrix(const AnyBlock& block, BlockGraph graph, Orientation orientation);

}  // namespace countpm::planar
