#pragma once
// Device jobs of codegen that can tell of their kernel.
#include <memory>
#include <string>
#include <utility>

#include "kernels/published/codegen/codegen.hpp"
#include "kernels/published/codegen/gpu/form.hpp"

namespace countpm::codegen {

/// The units of `job`, by the kernel of the report.
class ReportingJob : public DeviceJob {
 public:
  ReportingJob(std::unique_ptr<DeviceJob> job, CodegenReport report)
      : job_(std::move(job)), report_(std::move(report)) {}

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    return job_->run(first, last, stop);
  }
  double measured_rate(double seconds) override { return job_->measured_rate(seconds); }
  std::uint64_t device_bytes() const override { return job_->device_bytes(); }
  std::string kernel() const override { return job_->kernel(); }
  const CodegenReport& report() const { return report_; }

 private:
  std::unique_ptr<DeviceJob> job_;
  CodegenReport report_;
};
inline CodegenReport report_of(const std::string& program, const Compiled& compiled) {
  return {program, compiled.compile_seconds(), compiled.from_cache(), compiled.registers(),
          compiled.spilled_bytes()};
}

/// Compiling takes 0.2 s at n = 40, and is spread over the work, so that a planner sees it.
inline double rate_with_compilation(double rate, double work) {
  constexpr double compile_seconds = 1;
  return work / (work / rate + compile_seconds);
}

}  // namespace countpm::codegen
