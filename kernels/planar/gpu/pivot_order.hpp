#pragma once
// The pivots of one elimination, for others to repeat: modulo almost every prime the same ones are not zero.
#include <optional>
#include <vector>

#include "kernels/method.hpp"
#include "kernels/planar/elimination/front_tree.hpp"
#include "kernels/planar/orientation/signed_matrix.hpp"

namespace countpm::planar {

struct PivotOrder {
  /// Rows and columns as eliminate_front() leaves them: those of the pivots in turn, those passed on.
  struct Sides {
    std::vector<Index> rows;
    std::vector<Index> columns;  // of skew fronts the rows again
    Index pivots = 0;            // of skew fronts vertices, two for each pair
  };
  std::vector<Sides> fronts;  // as those of the tree
  int sign = 1;               // det (Pf) = sign * product of the pivots
};

/// From an elimination modulo a 61-bit prime, on so many threads of the CPU, and the same for any number of
/// them. Empty where the determinant is zero modulo two of them. Throws Stopped. Time of one prime on the
/// portable lanes; O(n log n) memory.
std::optional<PivotOrder> reference_pivots(const SignedMatrix& matrix, const FrontTree& tree, int threads,
                                           const StopSignal& stop);

}  // namespace countpm::planar
