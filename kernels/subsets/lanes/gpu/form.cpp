#include "kernels/subsets/lanes/gpu/form.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <type_traits>
#include <utility>

#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/gpu/fp64_units.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/subsets/gpu/job.hpp"
#include "kernels/subsets/prefixes.hpp"

namespace countpm::class_sums {
namespace {

constexpr double most_log2_terms = 60;
constexpr std::uint64_t most_copies = 1 << 16;  // of all classes: each has a weight

/// The first row of each class of equal rows, and how many there are, those that stand once first.
struct RowClass {
  Index row;
  std::uint32_t power;
};
template <class Int>
std::vector<RowClass> row_classes(const IntegerColumns<Int>& columns) {
  using Entry = std::pair<Index, Int>;
  std::vector<std::vector<Entry>> rows(columns.rows);
  for (Index j = 0; j < columns.columns(); ++j) {
    for (std::uint64_t k = columns.start[j]; k < columns.start[j + std::uint64_t{1}]; ++k)
      rows[columns.row[k]].emplace_back(j, columns.value[k]);
  }
  std::map<std::vector<Entry>, std::size_t> classes;
  std::vector<RowClass> result;
  for (Index i = 0; i < columns.rows; ++i) {
    const auto [at, added] = classes.emplace(rows[i], result.size());
    if (added) {
      result.push_back({i, 1});
    } else {
      ++result[at->second].power;
    }
  }
  std::stable_partition(result.begin(), result.end(), [](const RowClass& one) { return one.power == 1; });
  return result;
}

template <class Int>
std::uint64_t residue_of(const Int& value, const PrimeRing& ring) {
  if constexpr (std::is_same_v<Int, std::int64_t>) {
    return ring.from_int64(value);
  } else {
    return ring.from_residue(mpz_fdiv_ui(value.get_mpz_t(), ring.prime()));
  }
}

/// The plan's numbers before they are residues, alike for all primes.
template <class Int>
struct Exact {
  std::vector<Int> start;                                  // of the rows that differ
  std::vector<std::vector<std::pair<Index, Int>>> column;  // (place among these, what a copy adds)
  std::vector<mpz_class> weights;
  std::vector<mpz_class> step_weights;
};
template <class Int>
Exact<Int> exact_numbers(const IntegerColumns<Int>& columns, const SubsetPlan& plan,
                         const ClassLayout& layout, const std::vector<RowClass>& rows) {
  Exact<Int> result;
  std::vector<Index> place(columns.rows, no_index);
  const std::vector<Int> sums = shifted_sums(columns, plan);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    place[rows[r].row] = static_cast<Index>(r);
    result.start.push_back(sums[rows[r].row]);
  }
  result.column.resize(columns.columns());
  const std::int64_t factor = plan.form == RyserForm::halved ? 2 : 1;
  for (Index j = 0; j < columns.columns(); ++j) {
    for (std::uint64_t k = columns.start[j]; k < columns.start[j + std::uint64_t{1}]; ++k) {
      if (place[columns.row[k]] != no_index)
        result.column[j].emplace_back(place[columns.row[k]], Int(columns.value[k] * factor));
    }
  }
  result.weights = weights_of(layout.given);
  result.step_weights = step_weights_of(layout);
  return result;
}

template <class Int>
PrimeNumbers numbers_modulo(std::uint64_t prime, const Exact<Int>& exact) {
  const PrimeRing ring(prime);
  PrimeNumbers result{prime, {}, {}, {}, {}};
  const std::size_t rows = exact.start.size();
  for (const Int& value : exact.start) result.start.push_back(residue_of(value, ring));
  result.columns.assign((exact.column.size() + 1) * rows, 0);
  for (std::size_t j = 0; j < exact.column.size(); ++j) {
    for (const auto& [row, value] : exact.column[j]) result.columns[j * rows + row] = residue_of(value, ring);
  }
  for (const mpz_class& weight : exact.weights) result.weights.push_back(residue_of(weight, ring));
  for (const mpz_class& weight : exact.step_weights) result.step_weights.push_back(residue_of(weight, ring));
  return result;
}

Refusal refusal(const char* text) {
  return {RefusalKind::no_gpu_form_here, text};
}

std::optional<Refusal> obstacle_of(const SubsetPlan& plan, std::uint64_t most) {
  std::uint64_t copies = plan.inner.size();
  for (const Digit& digit : plan.middle) copies += digit.copies;
  for (const Digit& digit : plan.outer) copies += digit.copies;
  if (copies == 0) return refusal("no form for GPUs of what takes no sum");
  if (plan.log2_terms > most_log2_terms || copies > most)
    return refusal("no form for GPUs of so many subsets where equal columns are counted together");
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> prime_class_obstacle(const SubsetPlan& plan, const Arithmetic& arithmetic) {
  if (std::any_of(arithmetic.moduli.begin(), arithmetic.moduli.end(),
                  [](const Modulus& modulus) { return modulus.prime == 0; }))
    return refusal("no form for GPUs where equal columns are counted together modulo a power of two");
  return obstacle_of(plan, most_copies);
}

template <class Int>
std::unique_ptr<DeviceJob> make_prime_class_job(const GpuInfo& gpu, const IntegerColumns<Int>& columns,
                                                const SubsetPlan& plan, const Arithmetic& arithmetic) {
  PrimeClassTask task;
  task.layout = class_layout(plan, columns.columns());
  const std::vector<RowClass> rows = row_classes(columns);
  for (const RowClass& one : rows) task.power.push_back(one.power);
  task.log2_terms = plan.log2_terms;
  task.rows = columns.rows;
  task.form = plan.form;
  task.scale = columns.scale;
  const Exact<Int> exact = exact_numbers(columns, plan, task.layout, rows);
  for (const Modulus& modulus : arithmetic.moduli)
    task.primes.push_back(numbers_modulo(modulus.prime, exact));
  return on_gpu<PrimeClassForm>(gpu, task);
}
template std::unique_ptr<DeviceJob> make_prime_class_job(const GpuInfo&, const IntegerColumns<std::int64_t>&,
                                                         const SubsetPlan&, const Arithmetic&);
template std::unique_ptr<DeviceJob> make_prime_class_job(const GpuInfo&, const IntegerColumns<mpz_class>&,
                                                         const SubsetPlan&, const Arithmetic&);

template <class Int>
double nominal_prime_class_rate(const GpuInfo& gpu, const IntegerColumns<Int>& columns,
                                const Arithmetic& arithmetic) {
  double multiplications = 1;
  for (const RowClass& one : row_classes(columns))
    multiplications += static_cast<double>(2 * std::bit_width(one.power) - 1);
  // As of ryser's walks modulo primes with their sums in shared memory. 18 rows twice modulo 5 primes, 2.6e8
  // terms, take 0.33 s with the GPU's start, as predicted (H200, 2026-11-26).
  constexpr double products_a_clock = 1.2;
  const double passes = static_cast<double>(std::max<std::size_t>(arithmetic.moduli.size(), 1));
  return rate_by_row_sums(gpu, 1, products_a_clock) / multiplications / passes;
}
template double nominal_prime_class_rate(const GpuInfo&, const IntegerColumns<std::int64_t>&,
                                         const Arithmetic&);
template double nominal_prime_class_rate(const GpuInfo&, const IntegerColumns<mpz_class>&, const Arithmetic&);

std::optional<Refusal> floating_class_obstacle(const SubsetPlan& plan) {
  constexpr std::uint64_t most = 800;  // their binomials are doubles
  return obstacle_of(plan, most);
}

std::unique_ptr<DeviceJob> make_floating_class_job(const GpuInfo& gpu, const SubsetPlan& plan,
                                                   ScaledFactors factors, const mpq_class& scale,
                                                   mpfr_prec_t bits) {
  FloatingClassTask task;
  task.layout = class_layout(plan, static_cast<Index>(factors.columns.size()));
  task.power.assign(factors.power.begin(), factors.power.end());
  task.log2_terms = plan.log2_terms;
  task.factors = std::move(factors);
  task.scale = scale;
  task.bits = bits;
  return on_gpu<FloatingClassForm>(gpu, task);
}

double nominal_floating_class_rate(const GpuInfo& gpu, const LaneSums& sums, bool complex) {
  // 0.14 of what the units for doubles could do, ten operations a complex factor and five a real one: 20
  // complex rows twice, 2.3e9 terms, take 0.6 s beside the GPU's start (H200, 2026-11-26).
  const double products_a_clock = 0.14 * fp64_a_cycle(gpu) / (complex ? 10 : 5);
  double multiplications = 0;
  for (const unsigned power : sums.factors().power)
    multiplications += static_cast<double>(2 * std::bit_width(power) - 1);
  return rate_by_row_sums(gpu, 1, products_a_clock) / multiplications;
}

}  // namespace countpm::class_sums
