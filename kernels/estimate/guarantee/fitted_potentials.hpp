#pragma once
// Potentials of a HuberBound as small as nesting allows, found for one matrix by convex optimisation.
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// Columns are eliminated in an order, column j scaled by c_j: x_ij = a_ij c_j. Row i has a potential f_i(k)
/// > 0 at step k, which changes only where the step passes an entry of the row, and is 0 after the last one.
/// A trial that is still alive at step k has n - k rows left, among them all whose first entry comes at step
/// k or later. For every set S of rows of the step's column that it can have,
///
///   sum over S of x_i / f_i(k+1)  <=  product over S of f_i(k) / f_i(k+1)   where no row of S has its last
///   entry, x_l times product over S - l of f_i(k+1)  <=  product over S of f_i(k)   where l alone has
///
/// (with two of them the trial is rejected) is all that nesting asks for: U(R, k) = product of f_i(k) over R.
/// In the logarithms of f and c each of these is log-sum-exp plus linear, so convex, and ln (U / product of
/// c) is linear: a convex programme with 2^d constraints for a column of d entries, in which every row has
/// its own potentials, where HuberBound's rule gives rows with the same entries the same ones. Solved by a
/// barrier and Newton's method (S. Boyd, L. Vandenberghe, Convex Optimization, chapter 11). Sets are fewest,
/// and so potentials smallest, where columns come in an order whose frontier of begun rows is narrow.
struct FittedPotentials {
  std::vector<Index> order;                        // columns, the first to be eliminated first
  std::vector<double> log_scale;                   // ln c, by column
  std::vector<std::vector<double>> log_potential;  // by row: ln f before each of its entries, in that order
  double log_bound = 0;                            // ln (U / product of c)
};

/// Whether columns are short enough, and entries few enough, to take some seconds at most; and none is empty.
bool can_fit_potentials(const SparsePattern& rows, const SparsePattern& columns);

/// The best of some orders; none where weights are too far from 1 (beyond e^40). `weight` beside rows.column;
/// empty: all 1. The inequalities hold but for roundings. Precondition: can_fit_potentials(). Throws Stopped.
/// At most some 2 * 10^9 multiplications: a Newton step takes O(variables * (rows of the frontier)^2 +
/// columns
/// * 2^d d), a fit some 40 of them. The result does not depend on the number of threads.
std::optional<FittedPotentials> fit_potentials(const SparsePattern& rows, const SparsePattern& columns,
                                               const std::vector<double>& weight, const StopSignal& stop,
                                               int threads = 1);

/// The same with a better order: columns are moved at random, a few ways at a time on several threads, and
/// what lowers the bound the most stays. Each attempt is a fit that starts from the last one and is given up
/// as soon as it will hardly be better: some 4 Newton steps. The first attempts are the same however many
/// follow, and for any number of threads; with more of them the bound is not above, but for the last gap.
FittedPotentials improve_potentials(const SparsePattern& rows, const std::vector<double>& weight,
                                    FittedPotentials fitted, std::uint64_t attempts, const StopSignal& stop,
                                    int threads = 1);

}  // namespace countpm
