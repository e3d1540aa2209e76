#pragma once
// ryser: inclusion-exclusion over all subsets of columns in Gray-code order, as published.
//
//   per(A) = (-1)^(n-1) / 2^(n-1)  sum_{S subset of [n-1]} (-1)^|S|  prod_i (2 a_in - r_i + 2 s_i(S)),
//   r_i = sum_j a_ij,   s_i(S) = sum_{j in S} a_ij
//
// (Nijenhuis and Wilf's half-integer shift of Ryser's formula, in doubled integers: half of the subsets).
// Modulo a power of two, where nothing divides by 2^(n-1), Ryser's own formula over all n columns
// (subset_plan.hpp). O(2^(n-1) n) time, O(n^2) memory. Integer and rational values: exact sums of exact
// products, 32 subsets side by side where the row sums are small (ryser/simd.hpp), reduced modulo all moduli
// at once when a unit ends. H. J. Ryser, Combinatorial Mathematics (1963); A. Nijenhuis, H. S. Wilf,
// Combinatorial Algorithms (1978); power-of-two chunks so that all lanes touch one column at a time: K. Kaya,
// Parallel algorithms for computing sparse matrix permanents, Turk. J. Elec. Eng. & Comp. Sci. 27 (2019).
#include "kernels/method.hpp"
#include "kernels/support/instruction_sets.hpp"

namespace countpm {

const Method& ryser_method();

/// The method's own make_job takes LaneChoice::automatic; tests and benchmarks force the others. A choice
/// that does not fit the block (LaneWalk::make) runs the scalar walk.
std::unique_ptr<Job> make_ryser_job(const AnyBlock& block, const Arithmetic& arithmetic, LaneChoice choice,
                                    const Settings& settings = {});

}  // namespace countpm
