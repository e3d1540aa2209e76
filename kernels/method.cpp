#include "kernels/method.hpp"

#include <algorithm>

#include "kernels/gpu/device_job.hpp"
#include "kernels/support/plan_text.hpp"

namespace countpm {

std::optional<Refusal> Method::nothing_to_do(const AnyBlock& /*block*/, const RuleSet& /*rules*/) const {
  return std::nullopt;
}

double Job::speed_up(int threads) const {
  return static_cast<double>(
      std::min<std::uint64_t>(units(), static_cast<std::uint64_t>(std::max(threads, 1))));
}

std::unique_ptr<DeviceJob> Job::on_device(const GpuInfo& gpu) const {
  const auto* form = dynamic_cast<const GpuForm*>(this);
  return form == nullptr ? nullptr : form->on_device(gpu);
}

std::optional<Refusal> Job::device_obstacle(const GpuInfo& gpu) const {
  const auto* form = dynamic_cast<const GpuForm*>(this);
  if (form == nullptr) return Refusal{RefusalKind::no_gpu_form, "it does not run on a GPU"};
  return form->device_obstacle(gpu);
}

double Job::nominal_device_rate(const GpuInfo& gpu) const {
  const auto* form = dynamic_cast<const GpuForm*>(this);
  return form == nullptr ? 0 : form->nominal_device_rate(gpu);
}

std::uint64_t Job::waiting_bytes(const GpuInfo& gpu) const {
  const auto* form = dynamic_cast<const GpuForm*>(this);
  return form == nullptr ? 0 : form->waiting_bytes(gpu);
}

unsigned Job::device_prime_bits() const {
  const auto* form = dynamic_cast<const GpuForm*>(this);
  return form == nullptr ? 0 : form->device_prime_bits();
}

std::unique_ptr<Job> Job::with_primes(const Arithmetic& primes) const {
  const auto* form = dynamic_cast<const GpuForm*>(this);
  return form == nullptr ? nullptr : form->with_primes(primes);
}

bool Job::short_of_memory() const {
  const auto* form = dynamic_cast<const GpuForm*>(this);
  return form != nullptr && form->short_of_memory();
}

std::unique_ptr<Job> Job::for_gpus_alone(const Arithmetic& moduli, const GpuInfo& gpu) const {
  const auto* form = dynamic_cast<const GpuForm*>(this);
  return form == nullptr ? nullptr : form->for_gpus_alone(moduli, gpu);
}

bool Job::is_for_gpus_alone() const {
  const auto* form = dynamic_cast<const GpuForm*>(this);
  return form != nullptr && form->is_for_gpus_alone();
}

bool Job::improvable() const {
  const auto* searching = dynamic_cast<const Improvable*>(this);
  return searching != nullptr && searching->improvable();
}

void Job::improve(double seconds, const StopSignal& stop) {
  if (auto* searching = dynamic_cast<Improvable*>(this)) searching->improve(seconds, stop);
}

std::unique_ptr<Job> Job::with_moduli_subset(const Arithmetic& arithmetic) const {
  const auto* repeatable = dynamic_cast<const Repeatable*>(this);
  return repeatable == nullptr ? nullptr : repeatable->with_moduli_subset(arithmetic);
}

std::string_view Job::other_code() const {
  const auto* repeatable = dynamic_cast<const Repeatable*>(this);
  return repeatable == nullptr ? std::string_view() : repeatable->other_code();
}

std::uint64_t GpuForm::waiting_bytes(const GpuInfo& /*gpu*/) const {
  return 0;
}

std::unique_ptr<Job> GpuForm::with_primes(const Arithmetic& /*primes*/) const {
  return nullptr;
}

std::unique_ptr<Job> GpuForm::for_gpus_alone(const Arithmetic& /*moduli*/, const GpuInfo& /*gpu*/) const {
  return nullptr;
}

std::unique_ptr<Job> make_planned_job(const Method& method, const AnyBlock& block,
                                      const Arithmetic& arithmetic, const MethodOptions& options) {
  std::unique_ptr<Job> job = method.make_job(block, arithmetic, options);
  if (job->plan() != options.plan.value_or(""))
    throw PlanError(std::string(method.name()) + " cuts this block into other units now");
  return job;
}

}  // namespace countpm
