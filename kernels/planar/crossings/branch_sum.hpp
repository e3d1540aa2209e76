#pragma once
// The sum over the sets of disjoint crossing edges of their Pfaffians (determinants) modulo a group of
// primes.
#include <vector>

#include "graph/stop_signal.hpp"
#include "kernels/planar/crossings/branch_plan.hpp"
#include "kernels/planar/crossings/set_walk.hpp"
#include "kernels/planar/elimination/lane_arithmetic.hpp"
#include "kernels/planar/elimination/time_limit.hpp"
#include "kernels/planar/orientation/signed_matrix.hpp"

namespace countpm::planar {

/// Of the whole graph's matrix with curves.orientation, and the sets that begin with `first`. One residue for
/// each prime; primes as determinant() takes them. Throws PivotsDiffer (code.width > 1 only), Stopped. With a
/// time limit: stops there.
std::vector<std::uint64_t> branch_sum(const SignedMatrix& matrix, const PlanarPart& part,
                                      const Curves& curves, const BranchPlan& plan, const Decisions& first,
                                      const LaneCode& code, const std::vector<std::uint64_t>& primes,
                                      const StopSignal& stop, TimeLimit* limit);

}  // namespace countpm::planar
