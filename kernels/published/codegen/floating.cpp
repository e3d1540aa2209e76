#include "kernels/published/codegen/floating.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/gpu/runtime_compiler.hpp"
#include "kernels/published/codegen/gpu/floating_walker.hpp"
#include "kernels/published/codegen/report.hpp"

namespace countpm::codegen {
namespace {

/// ryser's job, by codegen's walker.
class FloatingJob : public ReportingJob {
 public:
  FloatingJob(std::unique_ptr<DeviceJob> job, CodegenReport report)
      : job_(std::move(job)), report_(std::move(report)) {}

  template <class Value>
  static std::unique_ptr<DeviceJob> make(const GpuInfo& gpu, FloatingDevicePlan<Value> plan,
                                         const Arithmetic& arithmetic, const FloatingOverrides& wishes) {
    plan.walk.log2_subsets = plan.log2_terms;
    const FloatingProgram program = make_floating_program(plan.walk, wishes);
    auto walker = make_floating_walker<Value>(gpu, program, plan.spread);
    CodegenReport report = report_of(program.describe(), *walker);
    return std::make_unique<FloatingJob>(
        countpm::make_floating_device_job<Value>(std::move(plan), arithmetic, std::move(walker)),
        std::move(report));
  }

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    return job_->run(first, last, stop);
  }
  double measured_rate(double seconds) override { return job_->measured_rate(seconds); }
  std::uint64_t device_bytes() const override { return job_->device_bytes(); }
  std::string kernel() const override { return job_->kernel(); }
  CodegenReport report() const override { return report_; }

 private:
  std::unique_ptr<DeviceJob> job_;
  CodegenReport report_;
};

}  // namespace

template <class Value>
std::unique_ptr<DeviceJob> make_floating_device_job(const GpuInfo& gpu, FloatingDevicePlan<Value> plan,
                                                    const Arithmetic& arithmetic,
                                                    const FloatingOverrides& wishes) {
  return FloatingJob::make(gpu, std::move(plan), arithmetic, wishes);
}
template std::unique_ptr<DeviceJob> make_floating_device_job(const GpuInfo&, FloatingDevicePlan<double>,
                                                             const Arithmetic&, const FloatingOverrides&);
template std::unique_ptr<DeviceJob> make_floating_device_job(const GpuInfo&, FloatingDevicePlan<DoubleDouble>,
                                                             const Arithmetic&, const FloatingOverrides&);
template std::unique_ptr<DeviceJob> make_floating_device_job(const GpuInfo&,
                                                             FloatingDevicePlan<Complex<double>>,
                                                             const Arithmetic&, const FloatingOverrides&);
template std::unique_ptr<DeviceJob> make_floating_device_job(const GpuInfo&,
                                                             FloatingDevicePlan<Complex<DoubleDouble>>,
                                                             const Arithmetic&, const FloatingOverrides&);

double nominal_device_rate(const GpuInfo& gpu, const FloatingProgram& program, double log2_terms) {
  if (gpu.emulated) return nominal_rate(program);
  // What ryser's kernels reach on an NVIDIA H200: in doubles 75 instructions a cycle and multiprocessor
  // (docs/performance.md, 2026-11-22), in double-doubles 40 of FP64. In doubles codegen was 1.04 to 1.2 times
  // as fast as that predicts (bench/results/2026-11-23-gpu-floating.md), in complex doubles 0.6 to 1.2 times,
  // the least where registers spill (-gpu-quad.md).
  constexpr double instructions_per_cycle = 70;
  constexpr double doubles_per_cycle = 40;
  const StepCost cost = step_cost(program);
  const double cycles =
      std::max(cost.instructions / instructions_per_cycle, cost.doubles / doubles_per_cycle);
  return rate_with_compilation(gpu.multiprocessors * gpu.clock_ghz * 1e9 / cycles, std::exp2(log2_terms));
}

double nominal_rate(const FloatingProgram& program) {
  // 2-core AMD EPYC beside other work, 2026-11-23, n = 24 and 28: 0.8 to 2.1e9, of double-doubles 0.6
  // to 1.5e9.
  return 1e9 / step_cost(program).instructions;
}

}  // namespace countpm::codegen
