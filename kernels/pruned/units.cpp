#include "kernels/pruned/units.hpp"

#include <algorithm>
#include <cstdint>

#include "kernels/support/plan_text.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t most_listed_units = 65536;

mpz_class to_integer(std::int64_t value) {
  return static_cast<std::int64_t>(value);
}
const mpz_class& to_integer(const mpz_class& value) {
  return value;
}

void take(const mpz_class& value, std::int64_t& into) {
  if (!value.fits_slong_p()) throw PlanError("a plan's shift is beyond 64 bits");
  into = value.get_si();
}
void take(const mpz_class& value, mpz_class& into) {
  into = value;
}

}  // namespace

template <class Int>
std::string to_text(const PrunedUnits<Int>& units) {
  PlanWriter writer;
  writer.put("transposed", units.transposed ? 1 : 0);
  writer.put_all("order", units.plan.order);
  std::vector<mpz_class> shift;
  for (const Int& value : units.plan.shift) shift.push_back(to_integer(value));
  writer.put_all("shift", shift);
  writer.put("tail", units.plan.tail);
  writer.put("prefix-levels", units.prefix_levels);
  // "units" was the tree's order
  writer.put("dealt-units", units.units);
  return writer.text();
}

template <class Int>
PrunedUnits<Int> pruned_units_from(std::string_view text) {
  const PlanReader reader(text);
  PrunedUnits<Int> units;
  units.transposed = reader.number("transposed", 0, 1) != 0;
  units.plan.order = reader.indices("order");
  for (const mpz_class& value : reader.all("shift")) take(value, units.plan.shift.emplace_back());
  const std::size_t columns = units.plan.order.size();
  units.plan.tail =
      static_cast<unsigned>(reader.number("tail", 0, std::min<std::uint64_t>(most_tail_columns, columns)));
  units.prefix_levels = reader.number("prefix-levels", 0, columns);
  units.units = reader.number("dealt-units", 1, most_listed_units);
  return units;
}

template <class Int>
void check_fits(const PrunedPlan<Int>& plan, const IntegerColumns<Int>& columns) {
  std::vector<Index> sorted = plan.order;
  std::sort(sorted.begin(), sorted.end());
  bool fits = sorted.size() == columns.columns() && plan.shift.size() == columns.rows;
  for (Index j = 0; fits && j < columns.columns(); ++j) fits = sorted[j] == j;
  // No sum of a row is further from 0, but for a rounding: what is larger could overflow.
  for (Index i = 0; fits && i < columns.rows; ++i) {
    const Int most = columns.row_bound[i] + 1;
    fits = plan.shift[i] <= most && plan.shift[i] >= Int(-most);
  }
  for (std::size_t k = 0; fits && k < plan.tail; ++k)
    fits = columns.multiplicity[plan.order[plan.order.size() - 1 - k]] == 1;
  if (!fits) throw PlanError("a plan's order or shift is for another matrix");
}

template std::string to_text(const PrunedUnits<std::int64_t>&);
template std::string to_text(const PrunedUnits<mpz_class>&);
template PrunedUnits<std::int64_t> pruned_units_from(std::string_view);
template PrunedUnits<mpz_class> pruned_units_from(std::string_view);
template void check_fits(const PrunedPlan<std::int64_t>&, const IntegerColumns<std::int64_t>&);
template void check_fits(const PrunedPlan<mpz_class>&, const IntegerColumns<mpz_class>&);

}  // namespace countpm
