#pragma once
// det of the rows x columns part, or Pf, of an oriented planar graph's matrix modulo a group of primes.
//
// Multifrontal: fronts in postorder, of which only one is there at a time; what each passes on waits on a
// stack. Pivots are any nonzero entries among the complete rows and columns of a front, which is as good as
// partial pivoting modulo a prime; rows and columns without one go on to the parent, where more is complete.
// Where the determinant is not zero modulo the prime, a front delays at most as many rows (columns) as its
// border has columns (rows), so no prime makes fronts grow without bound, and what is left in a root in the
// end proves that the determinant is zero. O(n^1.5) multiplications a prime, O(n log n) memory.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/planar/front_matrix.hpp"
#include "kernels/planar/front_tree.hpp"
#include "kernels/planar/kasteleyn.hpp"

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

/// Cut short: where a time limit has been reached (see below).
struct TimeLimit {
  double seconds = 0;
  double work_done = 0;  // of FrontTree::work, when it was reached or the end was
  double elapsed = 0;
};

/// One residue for each prime; primes odd, below 2^code.prime_bits, dividing no denominator, at most
/// code.width of them. Throws LanesDiffer (code.width > 1 only), Stopped. With a time limit: stops there.
std::vector<std::uint64_t> determinant(const SignedMatrix& matrix, const FrontTree& tree,
                                       const LaneCode& code, const std::vector<std::uint64_t>& primes,
                                       const StopSignal& stop, TimeLimit* limit = nullptr);

}  // namespace countpm::planar
