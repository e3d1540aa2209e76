#include "kernels/published/sparse/skipper.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/published/sparse/gpu/form.hpp"
#include "kernels/subsets/floating_sums.hpp"
#include "kernels/subsets/prefixes.hpp"
#include "kernels/subsets/product_sum.hpp"
#include "kernels/subsets/skip_walk.hpp"
#include "kernels/subsets/visits_forecast.hpp"
#include "kernels/subsets/wide_products.hpp"
#include "kernels/support/plan_text.hpp"

namespace countpm {
namespace {

constexpr double log2_unit_visits = 18;  // a tenth of a second or less
constexpr double most_log2_units = 16;
constexpr std::uint64_t most_units = 65536;
constexpr unsigned no_inner_limit = ~0U;
// Units and form must not depend on the seed of the options.
constexpr std::uint64_t plan_seed = 20261121;

/// The row sums along a walk: what skip_walk asks for.
template <class Int>
class SumState {
 public:
  SumState(const IntegerColumns<Int>& columns, const SubsetPlan& plan)
      : columns_(columns), plan_(plan), terms_(columns.rows) {}

  void start(const std::vector<Int>& sums) {
    sums_ = sums;
    zeros_ = static_cast<std::size_t>(std::count(sums.begin(), sums.end(), Int(0)));
  }
  void flip(unsigned position, bool in) {
    const Index column = plan_.inner[position];
    const int factor = (in ? 1 : -1) * (plan_.form == RyserForm::halved ? 2 : 1);
    for (std::uint64_t k = columns_.start[column]; k < columns_.start[column + std::uint64_t{1}]; ++k) {
      Int& sum = sums_[columns_.row[k]];
      zeros_ -= sum == 0 ? 1 : 0;
      sum += factor * columns_.value[k];
      zeros_ += sum == 0 ? 1 : 0;
    }
  }
  std::size_t zeros() const { return zeros_; }
  bool is_zero(Index row) const { return sums_[row] == 0; }
  void add_term(bool odd) { terms_.add(sums_.data(), sums_.size(), odd); }
  mpz_class total() const { return terms_.total(); }

 private:
  const IntegerColumns<Int>& columns_;
  const SubsetPlan& plan_;
  std::vector<Int> sums_;
  std::size_t zeros_ = 0;
  ProductSum<Int> terms_;
};

template <class Int>
SkipRows rows_of(const IntegerColumns<Int>& columns, const SubsetPlan& plan) {
  std::vector<std::vector<unsigned>> positions(columns.rows);
  for (unsigned p = 0; p < plan.inner.size(); ++p) {
    for (std::uint64_t k = columns.start[plan.inner[p]]; k < columns.start[plan.inner[p] + std::uint64_t{1}];
         ++k) {
      positions[columns.row[k]].push_back(p);
    }
  }
  return SkipRows(positions, static_cast<unsigned>(plan.inner.size()));
}

template <class Int>
class ExactSkipperJob : public Job, public GpuForm, public Repeatable {
 public:
  /// Of the options: the seed of the forecast, the plan, and whether columns are ordered.
  ExactSkipperJob(IntegerColumns<Int> given, const Arithmetic& arithmetic, const MethodOptions& options)
      : columns_(with_few_choices(std::move(given), most_units)),
        arithmetic_(arithmetic),
        plan_(options.plan ? subset_plan_from(*options.plan, columns_.multiplicity)
                           : best_plan(columns_, arithmetic, options)),
        rows_(rows_of(columns_, plan_)),
        log2_visits_(forecast_log2_visits(columns_, plan_, options.seed)) {
    if (plan_.form == RyserForm::halved && ryser_form_for(arithmetic) != RyserForm::halved)
      throw PlanError("a plan halves where the arithmetic cannot");
  }

  std::uint64_t units() const override { return plan_.units; }
  std::string plan() const override { return to_text(plan_); }
  double log2_work() const override { return log2_visits_; }
  bool sampled() const override { return true; }

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    stop.check();
    WorkMeter meter(stop);
    return share_of_permanent(unit_sum(unit, meter), columns_.rows, plan_.form, columns_.scale, arithmetic_);
  }

  std::uint64_t visits() const {
    const StopSignal& stop = stop_signal_here();
    WorkMeter meter(stop);
    for (std::uint64_t unit = 0; unit < plan_.units; ++unit) unit_sum(unit, meter);
    return meter.done();
  }

  double nominal_rate() const override {
    // AMD EPYC (Zen 4), one core, 2026-11-21: bench/results/counting-cpu.md.
    // 18 to 23 M visited subsets/s at n = 23 to 32
    return slowed(5.6e8 / std::max<double>(columns_.rows, 8), term_seconds(columns_));
  }

  double measured_rate(double seconds) const override {
    if (is_too_slow_to_measure(columns_, seconds)) return nominal_rate();
    const StopSignal& stop = stop_signal_here();
    WorkMeter meter(stop, seconds);
    std::uint64_t unit = 0;
    do {
      unit_sum(unit, meter);
      unit = (unit + 40503) % plan_.units;  // all of them in turn, in no order
    } while (meter.look());
    return std::max(static_cast<double>(meter.done()) / std::max(meter.elapsed_seconds(), 1e-9), 1.0);
  }

  std::optional<Refusal> device_obstacle(const GpuInfo& gpu) const override {
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      return skipper_device_obstacle(gpu, columns_, plan_, arithmetic_);
    } else {
      return Refusal{RefusalKind::no_gpu_form_here, "no form for GPUs where weights go beyond 64 bits"};
    }
  }
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override {
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      return make_skipper_device_job(gpu, columns_, plan_, arithmetic_, log2_visits_);
    } else {
      return nullptr;
    }
  }
  double nominal_device_rate(const GpuInfo& gpu) const override {
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      return nominal_skipper_device_rate(gpu, columns_, plan_, arithmetic_);
    } else {
      return 0;
    }
  }

  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    auto job = std::make_unique<ExactSkipperJob>(*this);
    job->arithmetic_ = arithmetic;
    return job;
  }

  std::uint64_t bytes_per_thread() const override { return std::uint64_t{columns_.rows} * 64 + 4096; }

 private:
  /// Cut short where the meter calls time.
  mpz_class unit_sum(std::uint64_t unit, WorkMeter& meter) const {
    mpz_class sum;
    for_each_prefix(columns_, plan_, unit, [&](const std::vector<Int>& sums, const mpz_class& weight) {
      SumState<Int> state(columns_, plan_);
      state.start(sums);
      skip_walk(static_cast<unsigned>(plan_.inner.size()), rows_, state, meter);
      sum += weight * state.total();
      return meter.look();
    });
    return sum;
  }

  static SubsetPlan best_plan(const IntegerColumns<Int>& columns, const Arithmetic& arithmetic,
                              const MethodOptions& options) {
    const std::vector<Index> order =
        options.settings.is(Setting::order, "off") ? given_order(columns.columns()) : skip_order(columns);
    std::vector<RyserForm> forms = {RyserForm::centred, RyserForm::classic};
    if (ryser_form_for(arithmetic) == RyserForm::halved) forms.insert(forms.begin(), RyserForm::halved);
    double least = 0;
    std::optional<SubsetPlan> best;
    for (const RyserForm form : forms) {
      SubsetPlan plan = plan_subsets(order, columns.multiplicity, form, no_inner_limit,
                                     std::numeric_limits<double>::infinity());
      const double visits = forecast_log2_visits(columns, plan, plan_seed);
      if (best && visits >= least) continue;
      least = visits;
      best = std::move(plan);
    }
    const double log2_units = std::clamp(std::ceil(least - log2_unit_visits), 0.0, most_log2_units);
    const RyserForm form = columns.columns() == 0 ? RyserForm::classic : best->form;
    return plan_subsets(order, columns.multiplicity, form, no_inner_limit, best->log2_terms - log2_units,
                        most_units);
  }

  IntegerColumns<Int> columns_;
  Arithmetic arithmetic_;
  SubsetPlan plan_;
  SkipRows rows_;
  double log2_visits_;
};

class Skipper : public Method {
 public:
  std::string_view name() const override { return "skipper"; }
  std::string_view summary() const override {
    return "Gray-code inclusion-exclusion that jumps over subsets with a zero row sum; sparse blocks";
  }
  std::string_view complexity() const override {
    return "O(visited subsets n) time, at most 2^n subsets, O(n^2) memory";
  }
  std::string_view reference() const override {
    return "K. Kaya, Parallel algorithms for computing sparse matrix permanents, Turk. J. Elec. Eng. & Comp. "
           "Sci. 27 (2019) 4284";
  }
  std::string_view work_name() const override { return "visited subsets"; }
  double setup_seconds() const override { return 0.05; }  // it samples
  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    const Index rows = std::visit([](const auto& b) { return b.size(); }, block);
    if (auto why = too_many_rows_to_order(rows)) return why;
    return countpm::obstacle(block, arithmetic);
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions& options) const override {
    if (arithmetic.kind == Arithmetic::Kind::floating) {
      return make_floating_job(FloatingWalk::jump, block, arithmetic, options);
    }
    return std::visit(
        [&](auto&& columns) -> std::unique_ptr<Job> {
          using Int = typename decltype(std::decay_t<decltype(columns)>::value)::value_type;
          return std::make_unique<ExactSkipperJob<Int>>(std::forward<decltype(columns)>(columns), arithmetic,
                                                        options);
        },
        integer_columns(block));
  }
};

}  // namespace

std::uint64_t skipper_visits(const AnyBlock& block, const Arithmetic& arithmetic) {
  MethodOptions options;
  options.seed = plan_seed;
  return std::visit(
      [&](auto&& columns) {
        using Int = typename decltype(std::decay_t<decltype(columns)>::value)::value_type;
        return ExactSkipperJob<Int>(std::forward<decltype(columns)>(columns), arithmetic, options).visits();
      },
      integer_columns(block));
}

const Method& skipper_method() {
  static const Skipper method;
  return method;
}

}  // namespace countpm
