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
  std::vector<mpq_class> values;             // different from each other, or by `imaginary`
  std::vector<std::uint8_t> imaginary = {};  // of each value: whether it comes times i; empty: of none

  bool is_imaginary(Index edge) const { return !imaginary.empty() && imaginary[value_of[edge]] != 0; }
};

/// The values of these edges times i.
void make_imaginary(SignedMatrix& matrix, const std::vector<std::uint8_t>& edges);

/// From the block's values; the block is not needed any more.
SignedMatrix signed_matrix(const AnyBlock& block, BlockGraph graph, Orientation orientation);

}  // namespace countpm::planar
