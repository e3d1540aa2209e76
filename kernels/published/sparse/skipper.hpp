#pragma once
// skipper: inclusion-exclusion in Gray-code order that jumps over every run of subsets in which some row sum
// stays zero (skip_walk.hpp).
//
//   next(g) = max over rows i that are zero at g of min over columns j of row i of the next index > g at
//   which column j flips
//
// SkipOrder: a row that is zero holds until its most often flipped column moves, so the columns of short rows
// belong to the slow end. From that end: take the row with the fewest columns not placed yet (ties: the one
// whose columns have the most entries), place them, repeat. Zeros are those of exact integer row sums, and
// which shift makes most of them is sampled: the halved sums 2 x_i of ryser are never zero on a row of odd
// sum; Ryser's own are zero only where no column of the row is in; those centred at [r_i / 2] have both, at
// twice the subsets. In floating point: Ryser's own sums, zero where the count of chosen entries is.
// O(visited subsets x entries of the columns flipped) time, O(n^2) memory; at most 2^(n-1) or 2^n subsets.
// K. Kaya, Parallel algorithms for computing sparse matrix permanents, Turk. J. Elec. Eng. & Comp. Sci. 27
// (2019) 4284-4297.
#include "kernels/method.hpp"

namespace countpm {

const Method& skipper_method();

/// What log2_work() predicts: the number of subsets that all units together visit. Runs them all; for tests
/// and benchmarks. Residues only.
std::uint64_t skipper_visits(const AnyBlock& block, const Arithmetic& arithmetic);

}  // namespace countpm
