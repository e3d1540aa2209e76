#include "kernels/shift/shift_search.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "kernels/exact/skip_forecast.hpp"

namespace countpm {
namespace {

/// About half of the sum, rounded down; and by how much to go off it for a standard deviation of `spread`.
std::int64_t shift_of(std::int64_t sum, double offset) {
  return -(sum / 2) + static_cast<std::int64_t>(std::lround(offset));
}
mpz_class shift_of(const mpz_class& sum, double) {
  return -(sum / 2);
}

}  // namespace

template <class Int>
ShiftPlan<Int> first_plan(const IntegerColumns<Int>& columns, unsigned most_tail, std::uint64_t seed) {
  ShiftPlan<Int> plan;
  plan.order = skip_order(columns);
  std::reverse(plan.order.begin(), plan.order.end());
  std::stable_sort(plan.order.begin(), plan.order.end(), [&](Index a, Index b) {
    return std::max<Index>(columns.multiplicity[a], 1) > std::max<Index>(columns.multiplicity[b], 1);
  });
  for (const Index m : columns.multiplicity) plan.tail += m == 1 ? 1 : 0;
  plan.tail = std::min(plan.tail, most_tail);
  std::vector<double> squares(columns.rows);
  for (Index j = 0; j < columns.columns(); ++j) {
    for (std::uint64_t k = columns.start[j]; k < columns.start[j + std::uint64_t{1}]; ++k) {
      if constexpr (std::is_same_v<Int, std::int64_t>) {
        const auto value = static_cast<double>(columns.value[k]);
        squares[columns.row[k]] += value * value * static_cast<double>(columns.multiplicity[j]);
      }
    }
  }
  std::mt19937_64 random(seed);
  for (Index i = 0; i < columns.rows; ++i) {
    const double sign = random() % 2 == 0 ? 0.6 : -0.6;
    plan.shift.push_back(shift_of(columns.row_sum[i], sign * std::sqrt(squares[i]) / 2));
  }
  return plan;
}

template ShiftPlan<std::int64_t> first_plan(const IntegerColumns<std::int64_t>&, unsigned, std::uint64_t);
template ShiftPlan<mpz_class> first_plan(const IntegerColumns<mpz_class>&, unsigned, std::uint64_t);

}  // namespace countpm
