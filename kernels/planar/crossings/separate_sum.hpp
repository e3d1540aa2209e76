#pragma once
// The sum over the sets of disjoint crossing edges of their Pfaffians (determinants), each by an elimination
// of its own: where so many vertices are open that a dense matrix on them would cost more (branch_sum.hpp).
#include <vector>

#include "graph/stop_signal.hpp"
#include "kernels/planar/crossings/curves.hpp"
#include "kernels/planar/crossings/set_walk.hpp"
#include "kernels/planar/elimination/front_tree.hpp"
#include "kernels/planar/elimination/lane_arithmetic.hpp"
#include "kernels/planar/elimination/time_limit.hpp"
#include "kernels/planar/orientation/signed_matrix.hpp"

namespace countpm::planar {

/// As branch_sum(). tree: of the whole graph. order: of deciding.
std::vector<std::uint64_t> separate_sum(const SignedMatrix& matrix, const PlanarPart& part,
                                        const Curves& curves, const std::vector<std::size_t>& order,
                                        const FrontTree& tree, const Decisions& first, const LaneCode& code,
                                        const std::vector<std::uint64_t>& primes, const StopSignal& stop,
                                        TimeLimit* limit);

}  // namespace countpm::planar
