#include "kernels/grouped/grouped.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <optional>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/grouped/columns.hpp"
#include "kernels/grouped/gpu/form.hpp"
#include "kernels/grouped/pattern_tree.hpp"
#include "kernels/grouped/simd_walk.hpp"
#include "kernels/subsets/prefixes.hpp"

namespace countpm {
namespace {

using Columns = IntegerColumns<std::int64_t>;

constexpr double log2_unit_subsets = 23;  // some 10 ms with lanes, a second without
constexpr unsigned most_inner_columns = 40;
// The inner walk of a slice that measures the rate.
constexpr unsigned slice_columns = 17;

// Choosing the columns looks at all rows of some hundred triples: 0.1 s for so many.
constexpr Index most_rows = 512;

class GroupedJob : public Job, public GpuForm, public Repeatable {
 public:
  GroupedJob(Columns columns, const Arithmetic& arithmetic, RyserForm form, LaneChoice lanes)
      : columns_(std::move(columns)), arithmetic_(arithmetic) {
    choice_ = choose_grouped_columns(columns_, form);
    order_ = choice_.columns;
    for (Index j = 0; j < columns_.columns(); ++j) {
      if (std::find(choice_.columns.begin(), choice_.columns.end(), j) == choice_.columns.end())
        order_.push_back(j);
    }
    divisors_ = row_divisors(columns_, columns_.columns() == 0 ? RyserForm::classic : form);
    for (const std::int64_t divisor : divisors_) scale_ *= static_cast<std::int64_t>(divisor);
    plan_ = plan_subsets(order_, columns_.multiplicity, form, most_inner_columns, log2_unit_subsets,
                         most_units_of_subsets);
    lanes_ = choice_.lanes ? make_lanes(plan_, lanes) : std::nullopt;
    tree_ = tree_rows(plan_);
    lane_choice_ = lanes;
  }

  std::uint64_t units() const override { return plan_.units; }
  double log2_work() const override { return plan_.log2_terms; }

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    stop.check();
    if (lanes_) {
      mpz_class sum;
      for_each_prefix(columns_, plan_, unit,
                      [&](const std::vector<std::int64_t>& sums, const mpz_class& weight) {
                        mpz_class inner;
                        lanes_->add_to(inner, divided(sums), stop);
                        sum += weight * inner;
                        return true;
                      });
      return share_of_permanent(mpz_class(sum * scale_), columns_.rows, plan_.form, columns_.scale,
                                arithmetic_);
    }
    Residues total;
    for (const Modulus& modulus : arithmetic_.moduli) {
      total.residue.push_back(with_exact_ring(modulus, [&](const auto& ring) {
        auto sum = ring.zero();
        for_each_prefix(columns_, plan_, unit,
                        [&](const std::vector<std::int64_t>& sums, const mpz_class& weight) {
                          ring.add_to(sum, ring.mul(ring.from_mpq(mpq_class(weight)),
                                                    tree_sum(ring, plan_, tree_, divided(sums), stop)));
                          return true;
                        });
        return ring.to_residue(sum);
      }));
    }
    // sign, division and scale are those of a sum of 1
    Partial result = std::move(total);
    multiply(result, share_of_permanent(scale_, columns_.rows, plan_.form, columns_.scale, arithmetic_),
             arithmetic_);
    return result;
  }

  /// The same subsets, in narrower lanes where there are any: another code path.
  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    LaneChoice lanes = lane_choice_;
    if (lanes == LaneChoice::avx512 ||
        (lanes == LaneChoice::automatic && lanes_supported(LaneChoice::avx512)))
      lanes = LaneChoice::avx2;
    return std::make_unique<GroupedJob>(columns_, arithmetic, plan_.form, lanes);
  }
  std::string_view other_code() const override { return "the next narrower lanes"; }
  std::string describe() const override {
    return fmt::format("the last {} columns in closed form", tree_.columns);
  }

  std::string plan() const override { return to_text(plan_); }

  double nominal_rate() const override {
    // AMD EPYC (Zen 4) at 3.65 GHz, one core, 2026-11-21: bench/results/counting-cpu.md.
    if (!lanes_) return 1e8 / std::max<double>(columns_.rows, 8);
    const double node = lanes_->layout().cost();  // vector operations, 8 x 32 subsets
    return (processor_has(InstructionSet::avx512) ? 3.65e9 * 256 : 3.65e9 * 128) / node;
  }

  double measured_rate(double seconds) const override {
    const SubsetPlan slice =
        plan_subsets(order_, columns_.multiplicity, plan_.form, slice_columns, slice_columns);
    const auto lanes = lanes_ ? make_lanes(slice, lane_choice_) : std::nullopt;
    const PatternRows tree = tree_rows(slice);
    const double terms = std::ldexp(1.0, static_cast<int>(slice.inner.size()));
    const std::vector<std::int64_t> sums = divided(shifted_sums(columns_, slice));
    const StopSignal& stop = stop_signal_here();
    const double start = seconds_now();
    double elapsed = 0;
    double done = 0;
    do {
      if (lanes) {
        mpz_class total;
        lanes->add_to(total, sums, stop);
      } else {
        for (const Modulus& modulus : arithmetic_.moduli)
          with_exact_ring(modulus, [&](const auto& ring) { (void)tree_sum(ring, slice, tree, sums, stop); });
      }
      done += terms;
      elapsed = seconds_now() - start;
    } while (elapsed < seconds);
    return done / std::max(elapsed, 1e-9);
  }

  std::optional<Refusal> device_obstacle(const GpuInfo& /*gpu*/) const override {
    if (has_twins(columns_.multiplicity))
      return Refusal{RefusalKind::no_gpu_form_here, no_gpu_form_for_twins};
    if (device_layout()) return std::nullopt;
    return Refusal{RefusalKind::no_gpu_form_here,
                   "the products of rows of one pattern go beyond the digits that they have there"};
  }
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return nullptr;
    return grouped::make_device_job(gpu, {columns_, plan_, arithmetic_, divisors_, scale_}, *device_layout());
  }
  double nominal_device_rate(const GpuInfo& gpu) const override {
    return device_obstacle(gpu) ? 0 : grouped::nominal_device_rate(gpu, *device_layout());
  }

  std::uint64_t bytes_per_thread() const override {
    return std::uint64_t{columns_.rows} * 128 + (lanes_ ? lanes_->bytes_per_thread() : 0) + 16384;
  }

 private:
  /// Chosen where it is first asked for.
  const std::optional<grouped::DeviceLayout>& device_layout() const {
    std::call_once(device_layout_once_,
                   [this] { device_layout_ = grouped::choose_device_layout(columns_, plan_, divisors_); });
    return device_layout_;
  }
  std::vector<std::int64_t> divided(const std::vector<std::int64_t>& sums) const {
    std::vector<std::int64_t> result(sums);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] /= divisors_[i];
    return result;
  }
  /// What rows change by when an inner column of the plan comes in.
  std::vector<std::int64_t> delta_of(const SubsetPlan& plan, Index column) const {
    std::vector<std::int64_t> delta(columns_.rows, 0);
    add_column(delta, columns_, plan.form, column, 1);
    return divided(delta);
  }
  /// The last columns that are inner ones of the plan: its first.
  unsigned merges_of(const SubsetPlan& plan) const {
    unsigned count = 0;
    while (count < std::min(choice_.columns.size(), plan.inner.size()) &&
           plan.inner[count] == choice_.columns[count]) {
      ++count;
    }
    return count;
  }
  PatternRows tree_rows(const SubsetPlan& plan) const {
    PatternRows rows;
    rows.columns = merges_of(plan);
    rows.pattern.assign(columns_.rows, 0);
    rows.step.assign(columns_.rows, 0);
    for (unsigned c = 0; c < rows.columns; ++c) {
      const std::vector<std::int64_t> delta = delta_of(plan, plan.inner[c]);
      for (std::size_t i = 0; i < delta.size(); ++i) {
        if (delta[i] == 0) continue;
        rows.pattern[i] |= 1U << c;
        rows.step[i] = delta[i];
      }
    }
    return rows;
  }
  std::optional<GroupedWalk> make_lanes(const SubsetPlan& plan, LaneChoice choice) const {
    const PatternRows rows = tree_rows(plan);
    if (rows.columns != choice_.columns.size()) return std::nullopt;
    GroupedColumns columns;
    for (Index i = 0; i < columns_.rows; ++i)
      columns.rows.push_back({columns_.row_bound[i] / divisors_[i], rows.pattern[i]});
    columns.step = rows.step;
    for (std::size_t c = rows.columns; c < plan.inner.size(); ++c) {
      const std::vector<std::int64_t> delta = delta_of(plan, plan.inner[c]);
      columns.delta.insert(columns.delta.end(), delta.begin(), delta.end());
    }
    return GroupedWalk::make(columns, choice);
  }

  /// The other inner columns in Gray-code order, a tree at each node.
  template <class R>
  typename R::Element tree_sum(const R& ring, const SubsetPlan& plan, const PatternRows& rows,
                               std::vector<std::int64_t> sums, const StopSignal& stop) const {
    PatternTree<R> tree(ring, rows);
    const auto walked = static_cast<unsigned>(plan.inner.size()) - rows.columns;
    auto total = ring.zero();
    for (std::uint64_t step = 0; step < std::uint64_t{1} << walked; ++step) {
      if (step % 64 == 0) stop.check();
      if (step != 0) {
        const auto column = static_cast<unsigned>(std::countr_zero(step));
        const bool out = ((step >> column) & 2) != 0;
        const Index j = plan.inner[rows.columns + column];
        const std::int64_t factor = (plan.form == RyserForm::halved ? 2 : 1) * (out ? -1 : 1);
        for (std::uint64_t k = columns_.start[j]; k < columns_.start[j + std::uint64_t{1}]; ++k)
          sums[columns_.row[k]] += factor * columns_.value[k] / divisors_[columns_.row[k]];
      }
      const auto value = tree.sum(sums);
      ring.add_to(total, step % 2 != 0 ? ring.neg(value) : value);
    }
    return total;
  }

  Columns columns_;
  Arithmetic arithmetic_;
  GroupedChoice choice_;
  std::vector<Index> order_;
  std::vector<std::int64_t> divisors_;
  mpz_class scale_ = 1;
  SubsetPlan plan_;
  std::optional<GroupedWalk> lanes_;
  PatternRows tree_;
  LaneChoice lane_choice_ = LaneChoice::automatic;
  mutable std::once_flag device_layout_once_;
  mutable std::optional<grouped::DeviceLayout> device_layout_;
};

class Grouped : public Method {
 public:
  std::string_view name() const override { return "grouped"; }
  std::string_view summary() const override {
    return "Ryser's formula with rows grouped by their pattern on the last columns; dense blocks from n = "
           "30";
  }
  std::string_view complexity() const override { return "O(2^(n-1) (1 + n/8)) time, O(n^2) memory"; }
  std::string_view reference() const override {
    return "H. J. Ryser, Combinatorial Mathematics (1963); A. Nijenhuis, H. S. Wilf, Combinatorial "
           "Algorithms (1978)";
  }
  std::string_view work_name() const override { return "subsets"; }
  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    if (is_general(block))
      return Refusal{RefusalKind::structure, "the block is a general graph, not a matrix"};
    if (arithmetic.kind == Arithmetic::Kind::floating)
      return Refusal{RefusalKind::arithmetic, "its digits are those of exact integers, not of floats"};
    if (auto why = countpm::obstacle(block, arithmetic)) return why;
    const Index rows = std::visit([](const auto& b) { return b.size(); }, block);
    if (rows > most_rows)
      return Refusal{RefusalKind::too_large,
                     fmt::format("the block has {} rows, and {} is the most for merging", rows, most_rows)};
    const AnyIntegerColumns columns = integer_columns(block);
    const auto* narrow = std::get_if<Columns>(&columns);
    if (narrow == nullptr) return Refusal{RefusalKind::too_large, "row sums go beyond 61 bits"};
    const auto& copies = narrow->multiplicity;
    if (!copies.empty() && std::find(copies.begin(), copies.end(), Index{1}) == copies.end())
      return Refusal{RefusalKind::structure, "every column has a twin, and the last columns must have none"};
    return std::nullopt;
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions&) const override {
    return make_grouped_job(block, arithmetic, LaneChoice::automatic);
  }
};

}  // namespace

std::unique_ptr<Job> make_grouped_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                      LaneChoice choice) {
  return std::make_unique<GroupedJob>(std::get<Columns>(integer_columns(block)), arithmetic,
                                      ryser_form_for(arithmetic), choice);
}

const Method& grouped_method() {
  static const Grouped method;
  return method;
}

}  // namespace countpm
