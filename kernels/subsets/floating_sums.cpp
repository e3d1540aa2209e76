#include "kernels/subsets/floating_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/row_units.hpp"
#include "kernels/arithmetic/triple_ring.hpp"
#include "kernels/gpu/runtime_compiler.hpp"
#include "kernels/subsets/floating_state.hpp"
#include "kernels/subsets/integer_columns.hpp"
#include "kernels/subsets/lanes/gpu/form.hpp"
#include "kernels/subsets/lanes/lane_sums.hpp"
#include "kernels/subsets/skip_walk.hpp"
#include "kernels/subsets/subset_plan.hpp"
#include "kernels/subsets/visits_forecast.hpp"
#include "kernels/support/plan_text.hpp"
#include "kernels/support/work_meter.hpp"

namespace countpm {
namespace {

constexpr unsigned most_inner_columns = 40;
constexpr std::uint64_t most_units = 65536;
constexpr double log2_unit_terms = 18;
constexpr std::uint64_t plan_seed = 20261121;
/// The block's columns with the number of each entry, counted from 1 along the rows, for a value: positive,
/// so that a sum of them is zero exactly where no entry is chosen, which is the zero test of `jump` and of
/// its forecast.
IntegerColumns<std::int64_t> numbered_columns(const AnyBlock& any_block) {
  Block<std::int64_t> numbered;
  std::visit(
      [&](const auto& block) {
        const SparsePattern& pattern = block.matrix;
        static_cast<SparsePattern&>(numbered.matrix) = pattern;
        numbered.multiplicity = block.multiplicity;
      },
      any_block);
  numbered.matrix.value.resize(numbered.matrix.column.size());
  std::iota(numbered.matrix.value.begin(), numbered.matrix.value.end(), std::int64_t{1});
  return std::get<IntegerColumns<std::int64_t>>(integer_columns(numbered));
}

/// f(the ring of a GeneratedWalk): compensated doubles for --arithmetic plain, too.
template <class F>
auto with_generated_ring(const Arithmetic& arithmetic, bool complex, const F& f) {
  const bool pairs = arithmetic.precision == Precision::double_double;
  if (complex) return pairs ? f(ComplexRing(DoubleDoubleRing())) : f(ComplexRing(KahanRing()));
  return pairs ? f(DoubleDoubleRing()) : f(KahanRing());
}

class FloatingJob : public Job, public GpuForm {
 public:
  FloatingJob(FloatingWalk walk, const AnyBlock& block, const Arithmetic& arithmetic,
              const MethodOptions& options, const FloatingGpu* gpu,
              std::unique_ptr<GeneratedWalk> generated = nullptr)
      : walk_(walk),
        block_(block),
        arithmetic_(arithmetic),
        gpu_(gpu),
        generated_(std::move(generated)),
        settings_(options.settings),
        columns_(numbered_columns(block)) {
    if (auto units = in_row_units(block, exact_bits(arithmetic))) {
      block_ = std::move(units->block);
      factor_ = units->factor;
      exact_sums_ = true;
    }
    const bool ordered = !options.settings.is(Setting::order, "off");
    if (walk_ == FloatingWalk::jump) {
      columns_ = with_few_choices(std::move(columns_), most_units);
      order_ = ordered ? skip_order(columns_) : given_order(columns_.columns());
      plan_ = options.plan ? subset_plan_from(*options.plan, columns_.multiplicity) : forecast_plan();
      if (plan_.form != RyserForm::classic) throw PlanError("a plan shifts row sums that are floating");
      log2_work_ = forecast_log2_visits(columns_, plan_, options.seed);
    } else if (walk_ == FloatingWalk::generated) {
      order_ = ordered ? generated_->order(columns_) : given_order(columns_.columns());
      plan_ = make_plan(log2_unit_terms);
      log2_work_ = plan_.log2_terms;
      generated_->look_at(pattern());
    } else {
      order_ = given_order(columns_.columns());
      if (walk_ == FloatingWalk::suffix && ordered) {
        std::stable_sort(order_.begin(), order_.end(),
                         [&](Index a, Index b) { return columns_.entries_of(a) < columns_.entries_of(b); });
      }
      plan_ = make_plan(log2_unit_terms);
      log2_work_ = plan_.log2_terms;
      if (walk_ == FloatingWalk::gray) lanes_ = make_lane_sums();
    }
    lay_out_rows();
  }

  std::uint64_t units() const override { return plan_.units; }
  std::string plan() const override { return to_text(plan_); }
  double log2_work() const override { return log2_work_; }
  bool sampled() const override { return walk_ == FloatingWalk::jump; }
  std::string describe() const override { return generated_ ? generated_->describe() : ""; }

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    WorkMeter meter(stop);
    stop.check();
    return run_unit(unit, meter);
  }

  double nominal_rate() const override {
    if (generated_) return generated_->nominal_rate();
    if (lanes_) return lane_rate() / lanes_->multiplications();
    // AMD EPYC (Zen 4), one core, 2026-11-21: bench/results/counting-cpu.md. Products a second,
    // Kahan.
    double products = 2.5e8;
    if (arithmetic_.precision == Precision::double_double) products = 5e7;
    if (arithmetic_.precision == Precision::mpfr) products = 1e7 * 128 / std::max(arithmetic_.bits, 128U);
    if (is_complex(block_)) products /= arithmetic_.precision == Precision::mpfr ? 7 : 4;
    return products / std::max<double>(columns_.rows, 1);
  }

  double measured_rate(double seconds) const override {
    const StopSignal& stop = stop_signal_here();
    WorkMeter meter(stop, seconds);
    std::uint64_t unit = 0;
    do {
      run_unit(unit, meter);
      unit = (unit + 40503) % plan_.units;
    } while (meter.look());
    return std::max(static_cast<double>(meter.done()) / std::max(meter.elapsed_seconds(), 1e-9), 1.0);
  }

  std::optional<Refusal> device_obstacle(const GpuInfo& gpu) const override {
    const bool mpfr = arithmetic_.precision == Precision::mpfr;
    if (gpu_ == nullptr && (!generated_ || mpfr))
      return Refusal{RefusalKind::no_gpu_form_here, "no form for GPUs where numbers are floating"};
    if (mpfr && arithmetic_.bits > TripleDoubleRing::bits)
      return Refusal{RefusalKind::no_gpu_form_here,
                     fmt::format("numbers there have at most {} bits, and {} are asked for",
                                 TripleDoubleRing::bits, arithmetic_.bits)};
    if (columns_.rows > gray::most_floating_rows)
      return Refusal{RefusalKind::no_gpu_form_here,
                     fmt::format("it takes up to {} rows there", gray::most_floating_rows)};
    if (gpu_ != nullptr) {
      if (auto why = gpu_->obstacle(settings_, columns_.rows, arithmetic_.precision, is_complex(block_),
                                    has_twins(columns_.multiplicity)))
        return why;
    }
    if (has_twins(columns_.multiplicity)) {
      if (generated_) return Refusal{RefusalKind::no_gpu_form_here, no_gpu_form_for_twins};
      if (lanes_) return class_sums::floating_class_obstacle(plan_);
      return Refusal{RefusalKind::no_gpu_form_here,
                     "no form for GPUs where equal columns are counted together, but in doubles"};
    }
    if (generated_) return compiler_obstacle(gpu);
    return std::nullopt;
  }
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return nullptr;
    if (generated_) return generated_->on_device(gpu, generated_plan(), arithmetic_);
    if (has_twins(columns_.multiplicity))
      return class_sums::make_floating_class_job(gpu, plan_, lanes_->factors(), sign() * factor_,
                                                 ball_bits(arithmetic_));
    switch (arithmetic_.precision) {
      case Precision::plain:
      case Precision::kahan:
        break;
      case Precision::double_double:
        return device_job_in(DoubleDoubleRing(), gpu);
      case Precision::mpfr:
        return device_job_in(TripleDoubleRing(), gpu);
    }
    return device_job_in(KahanRing(), gpu);
  }
  double nominal_device_rate(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return 0;
    if (generated_) return generated_->nominal_device_rate(gpu, plan_.log2_terms);
    if (has_twins(columns_.multiplicity))
      return class_sums::nominal_floating_class_rate(gpu, *lanes_, is_complex(block_));
    return gpu_->nominal_rate(gpu, columns_.rows, arithmetic_.precision, is_complex(block_), exact_sums_);
  }

  std::uint64_t bytes_per_thread() const override {
    if (lanes_) return 4096 + lanes_->bytes_per_thread();
    const std::uint64_t element =
        64 + (arithmetic_.precision == Precision::mpfr ? 4 * arithmetic_.bits / 8 + 64 : 0);
    return 4096 + element * (columns_.value.size() + 4 * std::uint64_t{columns_.rows});
  }

 private:
  /// Numbers of so many bits are added without rounding.
  static unsigned exact_bits(const Arithmetic& arithmetic) {
    constexpr unsigned double_bits = 53;
    return arithmetic.precision == Precision::mpfr ? std::min<unsigned>(double_bits, arithmetic.bits)
                                                   : double_bits;
  }
  /// Of `jump`: units of so many visits as are forecast.
  SubsetPlan forecast_plan() const {
    const SubsetPlan whole = make_plan(log2_unit_terms);
    const double visits = forecast_log2_visits(columns_, whole, plan_seed);
    return make_plan(whole.log2_terms - std::clamp(std::ceil(visits - log2_unit_terms), 0.0, 16.0));
  }

  SubsetPlan make_plan(double unit_terms) const {
    const bool jump = walk_ == FloatingWalk::jump;
    return plan_subsets(order_, columns_.multiplicity, jump ? RyserForm::classic : RyserForm::halved,
                        jump ? ~0U : most_inner_columns, unit_terms, most_units);
  }

  /// Products a second.
  double lane_rate() const {
    // Zen 4 at 3.65 GHz, CPU time of one core beside other work, 24 rows, 2026-11-27.
    const bool complex = is_complex(block_);
    if (processor_has(InstructionSet::avx512)) return complex ? 4.6e9 : 1.1e10;
    if (processor_has(InstructionSet::avx2)) return complex ? 3.8e9 : 8.5e9;
    return complex ? 1.5e9 : 3.4e9;
  }

  /// Where doubles are enough, and the matrix is one that FactorMatrix is small for.
  std::optional<LaneSums> make_lane_sums() const {
    constexpr std::uint64_t most_entries = 50'000;
    const bool doubles =
        arithmetic_.precision == Precision::plain || arithmetic_.precision == Precision::kahan;
    if (!doubles || plan_.form != RyserForm::halved ||
        std::uint64_t{columns_.rows} * columns_.columns() > most_entries)
      return std::nullopt;
    std::vector<Digit> free = plan_.middle;
    for (const Index column : plan_.inner) free.push_back({column, 1});
    return LaneSums::make(factor_matrix(block_), plan_.pinned, std::move(free));
  }

  /// Doubles, double-doubles or triple-doubles, single columns, every product from scratch or by a generated
  /// program.
  template <FloatingRing R>
  std::unique_ptr<DeviceJob> device_job_in(const R& ring, const GpuInfo& gpu) const {
    return is_complex(block_) ? device_job(ComplexRing(ring), gpu) : device_job(ring, gpu);
  }
  template <FloatingRing R>
  std::unique_ptr<DeviceJob> device_job(const R& ring, const GpuInfo& gpu) const {
    return gpu_->make(gpu, device_plan(shared_material(ring)), arithmetic_, settings_);
  }
  AnyFloatingDevicePlan generated_plan() const {
    return with_generated_ring(arithmetic_, is_complex(block_), [&](const auto& ring) {
      return AnyFloatingDevicePlan(device_plan(shared_material(ring)));
    });
  }

  template <FloatingRing R>
  std::shared_ptr<const Material<R>> shared_material(const R& ring) const {
    return std::make_shared<const Material<R>>(make_material(ring, block_, columns_, plan_, exact_sums_));
  }

  template <FloatingRing R>
  FloatingDevicePlan<typename R::Element> device_plan(
      const std::shared_ptr<const Material<R>>& material) const {
    using Value = typename R::Element;
    const R& ring = material->ring;
    RunningSum empty(ring);
    constexpr bool doubles = std::is_same_v<Value, double> || std::is_same_v<Value, Complex<double>>;
    const std::uint64_t factors = columns_.rows + (doubles ? gray::additions_before_sum : 0);
    if (exact_sums_) {
      empty.expect_exact_sums(factors);
    } else {
      // At most n additions for a start, the flips of a walk, and three columns at each of its steps.
      empty.expect_sums(factors, columns_.rows + gray::floating_flips + 5);
    }
    empty.scale(material->exponent);
    FloatingDevicePlan<Value> plan;
    plan.walk.rows = columns_.rows;
    plan.walk.exact_sums = exact_sums_;
    plan.walk.columns = static_cast<unsigned>(plan_.inner.size());
    for (const Index column : plan_.inner) {
      std::vector<Value> delta(columns_.rows, ring.zero());
      add_values(*material, delta, column, true);
      plan.walk.deltas.insert(plan.walk.deltas.end(), delta.begin(), delta.end());
    }
    plan.spread = exact_sums_ ? 1 : empty.spread();  // not asked where sums are exact
    plan.units = plan_.units;
    plan.log2_terms = plan_.log2_terms;
    plan.for_each_prefix = [this, material](std::uint64_t unit, const auto& take) {
      PrefixCounter prefix(plan_, unit);
      while (take(start_of(*material, prefix), prefix.weight()) && prefix.next([](Index, std::int64_t) {})) {
      }
    };
    plan.share = [this, empty](const gray::FloatingParts<Value>& parts) {
      RunningSum sum = empty;
      sum.add_sum(parts.parts, parts.products, parts.wides, parts.terms, parts.longest);
      Ball part = zero_ball(ball_bits(arithmetic_));
      sum.store(part);
      multiply(part, ball_from(sign() * factor_, ball_bits(arithmetic_)));
      return part;
    };
    return plan;
  }

  AnyGeneratedWalk pattern() const {
    return with_generated_ring(arithmetic_, is_complex(block_), [&](const auto& ring) {
      using Value = typename std::decay_t<decltype(ring)>::Element;
      gray::Walk<Value> walk{
          columns_.rows, static_cast<unsigned>(plan_.inner.size()), {}, plan_.log2_terms, exact_sums_};
      walk.deltas.resize(std::size_t{walk.columns} * walk.rows, ring.zero());
      for (unsigned c = 0; c < walk.columns; ++c) {
        const Index column = plan_.inner[c];
        for (std::uint64_t k = columns_.start[column]; k < columns_.start[column + std::uint64_t{1}]; ++k)
          walk.deltas[std::size_t{c} * walk.rows + columns_.row[k]] = pattern_of(ring, columns_.value[k]);
      }
      return AnyGeneratedWalk(std::move(walk));
    });
  }
  /// 1 for the parts that are not 0 of the entry with this number.
  template <FloatingRing R>
  typename R::Element pattern_of(const R& ring, std::int64_t number) const {
    if constexpr (R::complex) {
      const auto& block = std::get<Block<ComplexRational>>(block_);
      const ComplexRational& value = block.matrix.value[static_cast<std::size_t>(number - 1)];
      return ring.from_complex({value.re != 0 ? 1 : 0, value.im != 0 ? 1 : 0});
    } else {
      return ring.one();
    }
  }

  void lay_out_rows() {
    std::vector<std::vector<unsigned>> positions(columns_.rows);
    for (unsigned p = 0; p < plan_.inner.size(); ++p) {
      for (std::uint64_t k = columns_.start[plan_.inner[p]];
           k < columns_.start[plan_.inner[p] + std::uint64_t{1}]; ++k) {
        positions[columns_.row[k]].push_back(p);
      }
    }
    if (walk_ == FloatingWalk::jump) rows_.emplace(positions, static_cast<unsigned>(plan_.inner.size()));
    if (walk_ != FloatingWalk::suffix) return;
    // Rows by the first position that touches them, so that the frequent flips reach few suffixes.
    const auto first = [&](Index row) {
      return positions[row].empty() ? plan_.inner.size() : positions[row].front();
    };
    row_order_.resize(columns_.rows);
    std::iota(row_order_.begin(), row_order_.end(), Index{0});
    std::stable_sort(row_order_.begin(), row_order_.end(),
                     [&](Index a, Index b) { return first(a) < first(b); });
    reach_.assign(plan_.inner.size(), 0);
    for (std::size_t r = 0; r < row_order_.size(); ++r) {
      for (const unsigned p : positions[row_order_[r]]) reach_[p] = r;
    }
  }

  Ball run_unit(std::uint64_t unit, WorkMeter& meter) const {
    if (generated_) return generated_->run(generated_plan(), unit, ball_bits(arithmetic_), meter);
    if (lanes_) {
      const PrefixCounter prefix(plan_, unit);
      Ball sum = lanes_->sum(prefix.digits(), prefix.fixed(), ball_bits(arithmetic_), meter);
      multiply(sum, ball_from(sign() * prefix.weight() * factor_, ball_bits(arithmetic_)));
      return sum;
    }
    Ball total = zero_ball(ball_bits(arithmetic_));
    with_floating_ring(arithmetic_, is_complex(block_), [&](const auto& ring) {
      const auto material = make_material(ring, block_, columns_, plan_, exact_sums_);
      PrefixCounter prefix(plan_, unit);
      do {
        FloatingState state(material, prefix);
        walk_inner(state, meter);
        Ball part = zero_ball(ball_bits(arithmetic_));
        state.sum().store(part);
        multiply(part, ball_from(sign() * prefix.weight() * factor_, ball_bits(arithmetic_)));
        add(total, part);
      } while (prefix.next([](Index, std::int64_t) {}) && meter.look());
    });
    return total;
  }
  /// (-1)^n, or (-1)^(n-1) where halved (the factor 2 is in the exponent).
  int sign() const { return (columns_.rows % 2 != 0) != (plan_.form == RyserForm::halved) ? -1 : 1; }

  template <class State>
  void walk_inner(State& state, WorkMeter& meter) const {
    if (walk_ == FloatingWalk::jump) {
      skip_walk(static_cast<unsigned>(plan_.inner.size()), *rows_, state, meter);
      return;
    }
    const std::uint64_t subsets = std::uint64_t{1} << plan_.inner.size();
    for (std::uint64_t step = 0; step < subsets; ++step) {
      std::size_t reach = row_order_.size();
      if (step != 0) {
        const auto position = static_cast<unsigned>(std::countr_zero(step));
        state.flip(position, ((step >> position) & 2) == 0);
        if (walk_ == FloatingWalk::suffix)
          reach = state.take_refreshed() ? row_order_.size() : reach_[position];
      }
      if (walk_ == FloatingWalk::suffix) {
        state.add_term(step % 2 != 0, row_order_, reach);
      } else {
        state.add_term(step % 2 != 0);
      }
      if (meter.spend(1) && !meter.look()) return;
    }
  }

  FloatingWalk walk_;
  AnyBlock block_;        // in units of its rows where that makes sums exact
  mpq_class factor_ = 1;  // of the permanent, beside block_
  bool exact_sums_ = false;
  Arithmetic arithmetic_;
  const FloatingGpu* gpu_;
  std::unique_ptr<GeneratedWalk> generated_;
  Settings settings_;
  IntegerColumns<std::int64_t> columns_;
  std::vector<Index> order_;
  SubsetPlan plan_;
  double log2_work_ = 0;
  std::optional<LaneSums> lanes_;
  std::optional<SkipRows> rows_;
  std::vector<Index> row_order_;
  std::vector<std::size_t> reach_;
};

}  // namespace

std::unique_ptr<Job> make_floating_job(FloatingWalk walk, const AnyBlock& block, const Arithmetic& arithmetic,
                                       const MethodOptions& options, const FloatingGpu* gpu) {
  return std::make_unique<FloatingJob>(walk, block, arithmetic, options, gpu);
}

std::unique_ptr<Job> make_floating_job(std::unique_ptr<GeneratedWalk> walk, const AnyBlock& block,
                                       const Arithmetic& arithmetic, const MethodOptions& options) {
  return std::make_unique<FloatingJob>(FloatingWalk::generated, block, arithmetic, options, nullptr,
                                       std::move(walk));
}

}  // namespace countpm
