#include "kernels/method.hpp"

#include <algorithm>

#include "kernels/gpu/device_job.hpp"
#include "kernels/support/plan_text.hpp"

namespace countpm {

std::optional<std::string> Method::idle(const AnyBlock&, const RuleSet&) const {
  return std::nullopt;
}

double Job::speed_up(int threads) const {
  return static_cast<double>(
      std::min<std::uint64_t>(units(), static_cast<std::uint64_t>(std::max(threads, 1))));
}

std::unique_ptr<Job> Job::with(const Arithmetic& /*arithmetic*/) const {
  return nullptr;
}

std::unique_ptr<DeviceJob> Job::on_device(const GpuInfo& /*gpu*/) const {
  return nullptr;
}

std::string Job::device_obstacle(const GpuInfo& /*gpu*/) const {
  return {};
}

std::unique_ptr<Job> Job::over(const Arithmetic& /*primes*/) const {
  return nullptr;
}

double Job::nominal_device_rate(const GpuInfo& /*gpu*/) const {
  return 0;
}

std::unique_ptr<Job> make_planned_job(const Method& method, const AnyBlock& block,
                                      const Arithmetic& arithmetic, const MethodOptions& options) {
  std::unique_ptr<Job> job = method.make_job(block, arithmetic, options);
  if (job->plan() != options.plan.value_or(""))
    throw PlanError(std::string(method.name()) + " cuts this block into other units now");
  return job;
}

void Job::improve(double /*seconds*/, const StopSignal& /*stop*/) {}

}  // namespace countpm
