#include "kernels/ryser/ryser.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "graph/clock.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/ryser/gpu/form.hpp"
#include "kernels/ryser/simd_walk.hpp"
#include "kernels/subsets/floating_sums.hpp"
#include "kernels/subsets/lanes/gpu/form.hpp"
#include "kernels/subsets/prefixes.hpp"
#include "kernels/subsets/product_sum.hpp"
#include "kernels/subsets/wide_products.hpp"

namespace countpm {
namespace {

// Units of up to 2^22 subsets: some 10 ms with lanes, a few 100 ms without, many units for the threads.
constexpr double log2_unit_subsets = 22;
// The inner walk of a slice that measures the rate.
constexpr unsigned slice_columns = 16;
constexpr unsigned most_inner_columns = 40;
constexpr std::uint64_t poll_mask = (1 << 8) - 1;

template <class Int>
class ExactRyserJob : public Job, public GpuForm, public Repeatable {
 public:
  ExactRyserJob(IntegerColumns<Int> columns, const Arithmetic& arithmetic, LaneChoice choice,
                const Settings& settings)
      : columns_(std::move(columns)), arithmetic_(arithmetic), choice_(choice), settings_(settings) {
    plan_ = plan_subsets(given_order(columns_.columns()), columns_.multiplicity, ryser_form_for(arithmetic),
                         most_inner_columns, log2_unit_subsets, most_units_of_subsets);
    lanes_ = make_lanes(plan_);
  }

  std::uint64_t units() const override { return plan_.units; }
  double log2_work() const override { return plan_.log2_terms; }

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    mpz_class sum;
    for_each_prefix(columns_, plan_, unit, [&](const std::vector<Int>& sums, const mpz_class& weight) {
      sum += weight * inner_sum(plan_, lanes_, sums, stop);
      return true;
    });
    return share_of_permanent(sum, columns_.rows, plan_.form, columns_.scale, arithmetic_);
  }

  std::string plan() const override { return to_text(plan_); }

  double nominal_rate() const override {
    const double rows = std::max<double>(columns_.rows, 1);
    // Row sums a second: AMD EPYC (Zen 4) at 3.65 GHz, one core, 2026-11-21, n = 30,
    // bench/results/counting-cpu.md.
    if (!lanes_) return slowed(4e8 / rows, term_seconds(columns_));  // 13 M subsets/s
    if (!processor_has(InstructionSet::avx2)) return 3.3e9 / rows;   // 112 M
    const double row_groups = rows * std::max(lanes_->groups(), 1U);
    const bool wide = lanes_->width() == lanes::Width::real64;
    // Zen 3 at 3.1 GHz, 2026-11-22, bench/results/counting-cpu.md.
    if (!processor_has(InstructionSet::avx512)) return (wide ? 1.2e10 : 3.9e10) / row_groups;
    return (wide ? 3e10 : 8.1e10) / row_groups;  // 101 M, 10 groups; 900 M, 3 groups
  }

  double measured_rate(double seconds) const override {
    const unsigned most = columns_of_slice(columns_, nominal_rate(), seconds, slice_columns);
    const SubsetPlan slice =
        plan_subsets(given_order(columns_.columns()), columns_.multiplicity, plan_.form, most, most);
    const auto lanes = make_lanes(slice);
    const double terms = std::ldexp(1.0, static_cast<int>(slice.inner.size()));
    const StopSignal& stop = stop_signal_here();
    const std::vector<Int> sums = shifted_sums(columns_, slice);
    const double start = seconds_now();
    double elapsed = 0;
    double done = 0;
    do {
      inner_sum(slice, lanes, sums, stop);
      done += terms;
      elapsed = seconds_now() - start;
    } while (elapsed < seconds);
    return done / std::max(elapsed, 1e-9);
  }

  std::optional<Refusal> device_obstacle(const GpuInfo& /*gpu*/) const override {
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      return ryser_device_obstacle(columns_, plan_, arithmetic_, settings_);
    } else {
      if (auto why = row_sums_obstacle(settings_, true)) return why;
      return class_sums::prime_class_obstacle(plan_, arithmetic_);
    }
  }
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override {
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      return make_ryser_device_job(gpu, columns_, plan_, arithmetic_, settings_);
    } else {
      if (device_obstacle(gpu)) return nullptr;
      return class_sums::make_prime_class_job(gpu, columns_, plan_, arithmetic_);
    }
  }
  double nominal_device_rate(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return 0;
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      return nominal_ryser_device_rate(gpu, columns_, plan_, arithmetic_);
    } else {
      return class_sums::nominal_prime_class_rate(gpu, columns_, arithmetic_);
    }
  }

  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    return std::make_unique<ExactRyserJob>(columns_, arithmetic, choice_, settings_);
  }

  std::uint64_t bytes_per_thread() const override {
    return std::uint64_t{columns_.rows} * 64 + (lanes_ ? lanes_->bytes_per_thread() : 0) + 4096;
  }

 private:
  std::optional<LaneWalk> make_lanes(const SubsetPlan& plan) const {
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      if (plan.inner.size() > most_inner_columns || columns_.rows == 0) return std::nullopt;
      InnerColumns inner;
      inner.rows = columns_.rows;
      inner.bound = columns_.row_bound;
      for (const Index column : plan.inner) {
        std::vector<Int> delta(inner.rows, 0);
        add_column(delta, columns_, plan.form, column, 1);
        inner.delta.insert(inner.delta.end(), delta.begin(), delta.end());
      }
      return LaneWalk::make(inner, choice_);
    } else {
      return std::nullopt;
    }
  }

  mpz_class inner_sum(const SubsetPlan& plan, const std::optional<LaneWalk>& lanes,
                      const std::vector<Int>& start, const StopSignal& stop) const {
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      if (lanes) {
        mpz_class total;
        lanes->add_to(total, start, stop);
        return total;
      }
    }
    return scalar_sum(plan, start, stop);
  }

  mpz_class scalar_sum(const SubsetPlan& plan, std::vector<Int> sums, const StopSignal& stop) const {
    ProductSum<Int> total(sums.size());
    const std::uint64_t subsets = std::uint64_t{1} << plan.inner.size();
    for (std::uint64_t step = 0; step < subsets; ++step) {
      if ((step & poll_mask) == 0) stop.check();
      if (step != 0) {
        const unsigned column = static_cast<unsigned>(std::countr_zero(step));
        add_column(sums, columns_, plan.form, plan.inner[column], ((step >> column) & 2) != 0 ? -1 : 1);
      }
      total.add(sums.data(), sums.size(), step % 2 != 0);
    }
    return total.total();
  }

  IntegerColumns<Int> columns_;
  Arithmetic arithmetic_;
  LaneChoice choice_;
  Settings settings_;
  SubsetPlan plan_;
  std::optional<LaneWalk> lanes_;
};

class Ryser : public Method {
 public:
  std::string_view name() const override { return "ryser"; }
  std::string_view summary() const override {
    return "inclusion-exclusion over all subsets of columns in Gray-code order; dense blocks to about n = 40";
  }
  std::string_view complexity() const override { return "O(2^(n-1) n) time, O(n^2) memory"; }
  std::string_view reference() const override {
    return "H. J. Ryser, Combinatorial Mathematics (1963); A. Nijenhuis, H. S. Wilf, Combinatorial "
           "Algorithms (1978)";
  }
  std::string_view work_name() const override { return "subsets"; }
  MethodTraits traits() const override {
    MethodTraits traits;
    traits.for_tiny_matrices = true;
    return traits;
  }
  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    return countpm::obstacle(block, arithmetic);
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions& options) const override {
    return make_ryser_job(block, arithmetic, LaneChoice::automatic, options.settings);
  }
};

}  // namespace

std::unique_ptr<Job> make_ryser_job(const AnyBlock& block, const Arithmetic& arithmetic, LaneChoice choice,
                                    const Settings& settings) {
  if (arithmetic.kind == Arithmetic::Kind::floating) {
    MethodOptions options;
    options.settings = settings;
    return make_floating_job(FloatingWalk::gray, block, arithmetic, options, &ryser_floating_gpu);
  }
  return std::visit(
      [&](auto&& columns) -> std::unique_ptr<Job> {
        using Columns = std::decay_t<decltype(columns)>;
        using Int = typename decltype(Columns::value)::value_type;
        return std::make_unique<ExactRyserJob<Int>>(std::forward<decltype(columns)>(columns), arithmetic,
                                                    choice, settings);
      },
      integer_columns(block));
}

const Method& ryser_method() {
  static const Ryser method;
  return method;
}

}  // namespace countpm
