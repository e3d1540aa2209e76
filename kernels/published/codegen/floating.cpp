#include "kernels/published/codegen/floating.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/gpu/runtime_compiler.hpp"
#include "kernels/published/codegen/floating_interpreter.hpp"
#include "kernels/published/codegen/gpu/form.hpp"
#include "kernels/published/codegen/report.hpp"
#include "kernels/subsets/floating_sums.hpp"

namespace countpm {
namespace codegen {
namespace {

double interpreted_rate(const FloatingProgram& program) {
  // 2-core AMD EPYC beside other work, 2026-11-23, n = 24 and 28: 0.8 to 2.1e9, of double-doubles 0.6
  // to 1.5e9.
  return 1e9 / step_cost(program).instructions;
}

double device_rate(const GpuInfo& gpu, const FloatingProgram& program, double log2_terms) {
  if (gpu.emulated) return interpreted_rate(program);
  // What ryser's kernels reach on an NVIDIA H200: in doubles 75 instructions a cycle and multiprocessor
  // (2026-11-22), in double-doubles 40 of FP64. In doubles codegen was 1.04 to 1.2 times
  // as fast as that predicts (bench/results/counting-gpu.md), in complex doubles 0.6 to 1.2 times,
  // the least where registers spill.
  constexpr double instructions_per_cycle = 70;
  constexpr double doubles_per_cycle = 40;
  const StepCost cost = step_cost(program);
  const double cycles =
      std::max(cost.instructions / instructions_per_cycle, cost.doubles / doubles_per_cycle);
  return rate_with_compilation(gpu.multiprocessors * gpu.clock_ghz * 1e9 / cycles, std::exp2(log2_terms));
}

/// Triple-doubles have no programs.
template <class Value>
inline constexpr bool has_programs =
    !std::is_same_v<Value, TripleDouble> && !std::is_same_v<Value, Complex<TripleDouble>>;

class ProgramWalk : public GeneratedWalk {
 public:
  explicit ProgramWalk(const FloatingOverrides& wishes) : wishes_(wishes) {}

  std::vector<Index> order(const IntegerColumns<std::int64_t>& columns) const override {
    return permanent_order(columns);
  }
  /// The program's form, its cost, its description.
  void look_at(const AnyGeneratedWalk& pattern) override {
    program_ = std::visit([&](const auto& walk) { return make_floating_program(walk, wishes_); }, pattern);
  }
  std::string describe() const override { return program_.describe(); }
  double nominal_rate() const override { return interpreted_rate(program_); }
  double nominal_device_rate(const GpuInfo& gpu, double log2_terms) const override {
    return device_rate(gpu, program_, log2_terms);
  }

  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu, AnyFloatingDevicePlan any_plan,
                                       const Arithmetic& arithmetic) const override {
    return std::visit([&](auto& plan) { return device_job(gpu, std::move(plan), arithmetic); }, any_plan);
  }
  Ball run(const AnyFloatingDevicePlan& any_plan, std::uint64_t unit, mpfr_prec_t bits,
           WorkMeter& meter) const override {
    return std::visit([&](const auto& plan) { return interpreted(plan, unit, bits, meter); }, any_plan);
  }

 private:
  template <class Value>
  FloatingProgram program_of(const FloatingDevicePlan<Value>& plan) const {
    gray::Walk<Value> walk = plan.walk;
    walk.log2_subsets = plan.log2_terms;
    return make_floating_program(walk, wishes_);
  }

  template <class Value>
  std::unique_ptr<DeviceJob> device_job(const GpuInfo& gpu, FloatingDevicePlan<Value> plan,
                                        const Arithmetic& arithmetic) const {
    if constexpr (has_programs<Value>) {
      const FloatingProgram program = program_of(plan);
      auto walker = make_floating_walker<Value>(gpu, program, plan.spread);
      CodegenReport report = report_of(program.describe(), *walker);
      return std::make_unique<ReportingJob>(
          make_floating_device_job<Value>(std::move(plan), arithmetic, std::move(walker)), std::move(report));
    } else {
      return nullptr;
    }
  }

  /// As the emulated GPU does it, start after start.
  template <class Value>
  Ball interpreted(const FloatingDevicePlan<Value>& plan, std::uint64_t unit, mpfr_prec_t bits,
                   WorkMeter& meter) const {
    Ball total = zero_ball(bits);
    if constexpr (has_programs<Value>) {
      const FloatingProgram program = program_of(plan);
      with_product<Value>(program, [&](auto one) {
        InterpretedWalk<decltype(one)> walk(program, plan.spread);
        plan.for_each_prefix(unit, [&](const std::vector<Value>& start, const mpz_class& weight) {
          Ball part = plan.share(walk.sum(start, meter));
          multiply(part, ball_from(mpq_class(weight), bits));
          add(total, part);
          return meter.look();
        });
      });
    }
    return total;
  }

  FloatingOverrides wishes_;
  FloatingProgram program_;
};

}  // namespace
}  // namespace codegen

std::unique_ptr<Job> make_generated_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                        const codegen::FloatingOverrides& wishes,
                                        const MethodOptions& options) {
  return make_floating_job(std::make_unique<codegen::ProgramWalk>(wishes), block, arithmetic, options);
}

}  // namespace countpm
