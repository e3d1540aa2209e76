#pragma once
// grouped: Ryser's formula, the last columns decided for all rows of a pattern at once.
//
// While c columns are undecided, rows with the same 0/1 pattern on them share their fate. G_p(t) is the
// product over the rows of pattern p of (y_i + t v_i), and deciding a column multiplies patterns in pairs
// (pattern_tree.hpp). In lanes (grouped/simd.hpp) c is 3 and everything is exact: 20 small products a node of
// 8 subsets, then four subsets at a time in digits of 52 bits; what a leaf costs no longer grows with n but
// slowly.
//   per = (-1)^(n-1) / 2^(n-1) sum over S of (-1)^|S| prod_i (2 a_in - r_i + 2 s_i(S))    (as ryser)
// Rows are divided by what all their sums are multiples of (rows of even sum: 2). A row may have any integers
// in the columns that are walked, but one value besides zero in the last ones. O(2^(n-1) (1 + n / 8))
// time, O(n^2) memory. A. Nijenhuis, H. S. Wilf, Combinatorial Algorithms (1978), for the shift.
#include <memory>

#include "kernels/method.hpp"
#include "kernels/support/instruction_sets.hpp"

namespace countpm {

const Method& grouped_method();

/// With a given inner loop (scalar, avx2, avx512, automatic); for tests and benchmarks. Precondition: no
/// obstacle.
std::unique_ptr<Job> make_grouped_job(const AnyBlock& block, const Arithmetic& arithmetic, LaneChoice choice);

}  // namespace countpm
