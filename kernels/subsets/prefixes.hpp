#pragma once
// What ryser, sparyser and skipper share over exact values: a unit's prefixes, each with an inner sum over
// binary columns, and the way from the integer sum to residues.
#include <gmpxx.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/method.hpp"
#include "kernels/subsets/integer_columns.hpp"
#include "kernels/subsets/subset_plan.hpp"

namespace countpm {

/// halved where every modulus is an odd prime; a power of two does not divide by 2^(n-1): classic.
RyserForm ryser_form_for(const Arithmetic& arithmetic);

/// From the sum of a unit's terms (subset_plan.hpp, before sign and division) to its share of per(block) =
/// per(columns) / scale.
Partial share_of_permanent(const mpz_class& sum, Index rows, RyserForm form, const mpz_class& scale,
                           const Arithmetic& arithmetic);

/// The row sums with no columns in but the pinned one: 0, 2 a_ip - r_i, or minus half of r_i, rounded towards
/// 0.
template <class Int>
std::vector<Int> shifted_sums(const IntegerColumns<Int>& columns, const SubsetPlan& plan) {
  std::vector<Int> sums(columns.rows);
  if (plan.form == RyserForm::classic) return sums;
  if (plan.form == RyserForm::centred) {
    for (Index i = 0; i < columns.rows; ++i) sums[i] = -(columns.row_sum[i] / 2);
    return sums;
  }
  for (Index i = 0; i < columns.rows; ++i) sums[i] = -columns.row_sum[i];
  for (std::uint64_t k = columns.start[plan.pinned]; k < columns.start[plan.pinned + std::uint64_t{1}]; ++k) {
    sums[columns.row[k]] += 2 * columns.value[k];
  }
  return sums;
}

/// sums += copies times the column; doubled where the plan is halved.
template <class Int>
void add_column(std::vector<Int>& sums, const IntegerColumns<Int>& columns, RyserForm form, Index column,
                std::int64_t copies) {
  const std::int64_t factor = form == RyserForm::halved ? 2 * copies : copies;
  for (std::uint64_t k = columns.start[column]; k < columns.start[column + std::uint64_t{1}]; ++k) {
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      sums[columns.row[k]] += factor * columns.value[k];
    } else {
      sums[columns.row[k]] += mpz_class(columns.value[k] * static_cast<std::int64_t>(factor));
    }
  }
}

/// Calls inner(sums, weight) for every middle state of the unit: sums with the fixed columns in and the inner
/// ones out.
template <class Int, class Inner>
void for_each_prefix(const IntegerColumns<Int>& columns, const SubsetPlan& plan, std::uint64_t unit,
                     const Inner& inner) {
  PrefixCounter prefix(plan, unit);
  std::vector<Int> sums = shifted_sums(columns, plan);
  const auto add = [&](Index column, std::int64_t copies) {
    add_column(sums, columns, plan.form, column, copies);
  };
  for (std::size_t k = 0; k < prefix.digits().size(); ++k) {
    if (prefix.fixed()[k] != 0) add(prefix.digits()[k].column, prefix.fixed()[k]);
  }
  while (inner(std::as_const(sums), prefix.weight()) && prefix.next(add)) {
  }
}

}  // namespace countpm
