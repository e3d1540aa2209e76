#pragma once
// What another shift of one row would change: a population of the prefixes without a zero row and of those
// with exactly one, level by level. With N(level) survivors, of which A_i(level, s) have chosen entries of
// sum s in the complete row i, and B_i(level) prefixes that row i alone kills, the shift x_i = -s leaves N +
// B_i - A_i(s).
#include <cstdint>
#include <random>
#include <vector>

#include "kernels/pruned/search/order_cost.hpp"
#include "kernels/pruned/tree.hpp"

namespace countpm {

struct PrunedCensus {
  /// gain[i][s - least_sum[i]]: by what share of itself the cost falls when x_i becomes -s, other rows
  /// unchanged; 0 at the present one. Empty for rows whose sums spread too wide.
  std::vector<std::vector<double>> gain;
  std::vector<std::int64_t> least_sum;
  std::vector<double> log2_survival;  // P(row i not zero | all others not zero) at the leaves, scaled so that
                                      // their product is P(no row zero)
  double log2_leaves = 0;
};

/// level_costs weighs the levels (of the same order). O(population (rows + entries) levels) time.
PrunedCensus take_census(const IntegerColumns<std::int64_t>& columns, const PrunedPlan<std::int64_t>& plan,
                         const LevelCosts& level_costs, std::size_t population, std::mt19937_64& random);

}  // namespace countpm
