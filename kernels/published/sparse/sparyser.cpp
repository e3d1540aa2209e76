#include "kernels/published/sparse/sparyser.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "graph/clock.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/published/sparse/gpu/form.hpp"
#include "kernels/subsets/floating_sums.hpp"
#include "kernels/subsets/prefixes.hpp"
#include "kernels/subsets/suffix_products.hpp"
#include "kernels/subsets/wide_products.hpp"

namespace countpm {
namespace {

constexpr double sparyser_log2_unit_subsets = 21;  // a tenth of a second or less
constexpr unsigned sparyser_most_inner_columns = 40;
constexpr unsigned sparyser_slice_columns = 14;
constexpr std::uint64_t poll_mask = (1 << 10) - 1;
constexpr std::size_t rows_in_group = 8;

/// SortOrder: rising number of entries.
template <class Int>
std::vector<Index> sort_order(const IntegerColumns<Int>& columns, bool sorted) {
  std::vector<Index> order = given_order(columns.columns());
  if (!sorted) return order;
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return columns.entries_of(a) < columns.entries_of(b); });
  return order;
}

/// The inner walk of one plan: which rows in which group, and how far a flip reaches.
template <class Int>
class SparseWalk {
 public:
  SparseWalk(const IntegerColumns<Int>& columns, SubsetPlan plan)
      : columns_(columns), plan_(std::move(plan)) {
    std::vector<std::size_t> first(columns.rows, plan_.inner.size());
    for (std::size_t p = plan_.inner.size(); p-- > 0;) {
      for_rows(plan_.inner[p], [&](Index row, const Int&) { first[row] = p; });
    }
    std::vector<Index> order(columns.rows);
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return first[a] < first[b]; });
    groups_ = group_rows(std::move(order), columns.row_bound, rows_in_group);
    std::vector<std::size_t> group_of(columns.rows);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (std::size_t r = groups_.start[g]; r < groups_.start[g + 1]; ++r) group_of[groups_.order[r]] = g;
    }
    reach_.assign(plan_.inner.size(), 0);
    for (std::size_t p = 0; p < plan_.inner.size(); ++p) {
      for_rows(plan_.inner[p],
               [&](Index row, const Int&) { reach_[p] = std::max(reach_[p], group_of[row]); });
    }
  }

  const SubsetPlan& plan() const { return plan_; }

  mpz_class sum(std::vector<Int> sums, const StopSignal& stop) const {
    SuffixProducts<Int> products(groups_);
    auto zeros = static_cast<std::size_t>(std::count(sums.begin(), sums.end(), Int(0)));
    const int factor = plan_.form == RyserForm::halved ? 2 : 1;
    const std::uint64_t subsets = std::uint64_t{1} << plan_.inner.size();
    std::size_t dirty = groups_.size();  // groups 0 .. dirty - 1 are to be rebuilt
    for (std::uint64_t step = 0; step < subsets; ++step) {
      if ((step & poll_mask) == 0) stop.check();
      if (step != 0) {
        const auto position = static_cast<unsigned>(std::countr_zero(step));
        const int change = ((step >> position) & 2) != 0 ? -factor : factor;
        for_rows(plan_.inner[position], [&](Index row, const Int& value) {
          Int& row_sum = sums[row];
          zeros -= row_sum == 0 ? 1 : 0;
          row_sum += change * value;
          zeros += row_sum == 0 ? 1 : 0;
        });
        dirty = std::max(dirty, std::min(reach_[position] + 1, groups_.size()));
      }
      if (zeros != 0) continue;
      if (dirty != 0) products.rebuild(dirty - 1, sums);
      dirty = 0;
      products.accumulate(step % 2 != 0);
    }
    return products.total();
  }

 private:
  template <class Visit>
  void for_rows(Index column, const Visit& visit) const {
    for (std::uint64_t k = columns_.start[column]; k < columns_.start[column + std::uint64_t{1}]; ++k)
      visit(columns_.row[k], columns_.value[k]);
  }

  const IntegerColumns<Int>& columns_;
  SubsetPlan plan_;
  RowGroups groups_;
  std::vector<std::size_t> reach_;  // by position: the last group that it touches
};

/// What a subset takes in the mean: the sums that a flip changes, and where none of the rows is zero, as if
/// they were independent, the product of all. AMD EPYC (Zen 4), one core beside other work, 2026-11-25, n =
/// 20, densities 0.3 to 1: 7 to 40 ns with all weights 1, 19 to 42 up to 9, 40 to 90 up to 10^6.
double subset_seconds(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan) {
  constexpr double change = 1.5e-9;
  constexpr double word = 5e-9;
  double changes = 0;
  double share = 0.5;  // of the flips
  for (const Index column : plan.inner) {
    changes += share * static_cast<double>(columns.entries_of(column));
    share /= 2;
  }
  std::vector<double> squares(columns.rows, 0);
  for (Index j = 0; j < columns.columns(); ++j) {
    for (std::uint64_t k = columns.start[j]; k < columns.start[j + std::uint64_t{1}]; ++k) {
      const auto value = static_cast<double>(columns.value[k]);
      squares[columns.row[k]] += value * value * static_cast<double>(columns.multiplicity[j]);
    }
  }
  double survival = 1;
  double bits = 0;
  for (const double square : squares) {
    // A sum of +-a_ij is normal, of every second number; that may be the odd ones.
    survival *= 1 - std::min(0.5, 1 / std::sqrt(2 * std::numbers::pi * std::max(square, 1.0)));
    bits += std::log2(std::max(square, 1.0)) / 2;
  }
  return change * changes + survival * word * (1 + std::ceil(bits / 64));
}

/// Of longer weights what a product takes is most of it.
double subset_seconds(const IntegerColumns<mpz_class>& columns, const SubsetPlan& /*plan*/) {
  return std::max<double>(columns.rows, 8) / 3.5e9 + term_seconds(columns);
}

template <class Int>
class ExactSparyserJob : public Job, public GpuForm, public Repeatable {
 public:
  ExactSparyserJob(IntegerColumns<Int> columns, const Arithmetic& arithmetic, bool sorted)
      : columns_(std::move(columns)),
        arithmetic_(arithmetic),
        sorted_(sorted),
        order_(sort_order(columns_, sorted)),
        walk_(columns_, plan_subsets(order_, columns_.multiplicity, ryser_form_for(arithmetic),
                                     sparyser_most_inner_columns, sparyser_log2_unit_subsets)) {}

  std::uint64_t units() const override { return walk_.plan().units; }
  double log2_work() const override { return walk_.plan().log2_terms; }

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    mpz_class sum;
    for_each_prefix(columns_, walk_.plan(), unit, [&](const std::vector<Int>& sums, const mpz_class& weight) {
      sum += weight * walk_.sum(sums, stop);
      return true;
    });
    return share_of_permanent(sum, columns_.rows, walk_.plan().form, columns_.scale, arithmetic_);
  }

  std::string plan() const override { return to_text(walk_.plan()); }

  double nominal_rate() const override { return 1 / std::max(subset_seconds(columns_, walk_.plan()), 1e-9); }

  double measured_rate(double seconds) const override {
    const unsigned most = columns_of_slice(columns_, nominal_rate(), seconds, sparyser_slice_columns);
    const SparseWalk<Int> slice(columns_,
                                plan_subsets(order_, columns_.multiplicity, walk_.plan().form, most, most));
    const StopSignal& stop = stop_signal_here();
    const double begin = seconds_now();
    double elapsed = 0;
    double done = 0;
    std::uint64_t unit = 0;
    do {
      unit = (unit + 40503) % slice.plan().units;
      for_each_prefix(columns_, slice.plan(), unit, [&](const std::vector<Int>& sums, const mpz_class&) {
        slice.sum(sums, stop);
        done += std::ldexp(1.0, static_cast<int>(slice.plan().inner.size()));
        return false;
      });
      elapsed = seconds_now() - begin;
    } while (elapsed < seconds);
    return done / std::max(elapsed, 1e-9);
  }

  std::optional<Refusal> device_obstacle(const GpuInfo& gpu) const override {
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      return sparyser_device_obstacle(gpu, columns_, walk_.plan(), arithmetic_);
    } else {
      return Refusal{RefusalKind::no_gpu_form_here, "no form for GPUs where weights go beyond 64 bits"};
    }
  }
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override {
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      return make_sparyser_device_job(gpu, columns_, walk_.plan(), arithmetic_);
    } else {
      return nullptr;
    }
  }
  double nominal_device_rate(const GpuInfo& gpu) const override {
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      return nominal_sparyser_device_rate(gpu, columns_, walk_.plan(), arithmetic_);
    } else {
      return 0;
    }
  }

  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    return std::make_unique<ExactSparyserJob>(columns_, arithmetic, sorted_);
  }

  std::uint64_t bytes_per_thread() const override {
    const std::uint64_t groups = columns_.rows / rows_in_group + std::uint64_t{columns_.rows};
    return groups * groups * 8 + 4096;
  }

 private:
  IntegerColumns<Int> columns_;
  Arithmetic arithmetic_;
  bool sorted_;
  std::vector<Index> order_;
  SparseWalk<Int> walk_;
};

class Sparyser : public Method {
 public:
  std::string_view name() const override { return "sparyser"; }
  std::string_view summary() const override {
    return "ryser over compressed columns, lightest columns flipping most often; sparse blocks to about n = "
           "35";
  }
  std::string_view complexity() const override {
    return "O(2^(n-1) d) time for columns of about d entries, O(n^2) memory";
  }
  std::string_view reference() const override {
    return "K. Kaya, Parallel algorithms for computing sparse matrix permanents, Turk. J. Elec. Eng. & Comp. "
           "Sci. 27 (2019) 4284";
  }
  std::string_view work_name() const override { return "subsets"; }
  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    return countpm::obstacle(block, arithmetic);
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions& options) const override {
    if (arithmetic.kind == Arithmetic::Kind::floating) {
      return make_floating_job(FloatingWalk::suffix, block, arithmetic, options);
    }
    return std::visit(
        [&](auto&& columns) -> std::unique_ptr<Job> {
          using Int = typename decltype(std::decay_t<decltype(columns)>::value)::value_type;
          return std::make_unique<ExactSparyserJob<Int>>(std::forward<decltype(columns)>(columns), arithmetic,
                                                         !options.settings.is(Setting::order, "off"));
        },
        integer_columns(block));
  }
};

}  // namespace

const Method& sparyser_method() {
  static const Sparyser method;
  return method;
}

}  // namespace countpm
