#include "src/run/unit_work.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "graph/clock.hpp"
#include "kernels/gpu/device_job.hpp"

namespace countpm {
namespace {

// Long enough that what a range costs beside its work does not show, short enough for progress and an even
// end.
constexpr double range_seconds = 0.5;
constexpr double least_range_seconds = 0.005;

double work_per_unit(const Job& job) {
  return std::exp2(std::min(job.log2_work(), 1000.0)) / static_cast<double>(job.units());
}

/// Of the units that are left, the first from five eighths on, or else from the start; empty: there is none.
std::optional<std::uint64_t> unit_to_sample(std::uint64_t units, const std::vector<UnitRange>& left) {
  // Any unit will do as long as it is not always the first, which is often the simplest.
  const std::uint64_t from = units * 5 / 8;
  for (const UnitRange& range : left) {
    if (from < range.last) return std::max(from, range.first);
  }
  if (left.empty()) return std::nullopt;
  return left.front().first;
}

}  // namespace

std::vector<UnitRange> Task::settled() const {
  return ledger != nullptr ? ledger->settled() : std::vector<UnitRange>();
}

TaskSum::TaskSum(const Task& task) : task_(task), sum_(*task.arithmetic) {
  result_.sampled_unit = unit_to_sample(task.job->units(), task.left());
  if (task.ledger == nullptr) return;
  for (FinishedRange& journaled : task.ledger->ranges()) {
    result_.thread_seconds += journaled.seconds;
    sum_.add(journaled.range, std::move(journaled.value));
  }
}

void TaskSum::add(FinishedRange finished) {
  if (task_.ledger != nullptr && !task_.ledger->add(finished))
    throw std::logic_error("the ledger has a unit that is being counted");
  if (result_.sampled_unit == finished.range.first && finished.range.size() == 1) {
    result_.sampled_seconds = finished.seconds;
    result_.sampled_value = finished.value;
  }
  new_seconds_ += finished.seconds;
  sum_.add(finished.range, std::move(finished.value));
}

TaskResult TaskSum::result() {
  result_.thread_seconds += new_seconds_;
  result_.value = sum_.total();
  return std::move(result_);
}

bool UnitWork::takes(std::size_t task, bool gpu) const {
  const Processors& processors = tasks_[task].processors;
  return gpu ? !processors.gpus.empty() : processors.gpus.empty() || processors.cpu;
}

double UnitWork::nominal_cpu_rate(std::size_t task) const {
  const Job& job = *tasks_[task].job;
  return std::max(job.nominal_rate(), 1e-9) / work_per_unit(job);
}

double UnitWork::nominal_gpu_rate(std::size_t task, std::size_t gpu) const {
  const Job& job = *tasks_[task].job;
  return std::max(job.nominal_device_rate(tasks_[task].processors.gpus[gpu]), 1.0) / work_per_unit(job);
}

std::string UnitWork::kernel(std::size_t task) const {
  const std::lock_guard lock(mutex_);
  return task < kernels_.size() ? kernels_[task] : "";
}

Pace UnitWork::on_cpu(std::size_t task) const {
  Pace pace;
  pace.most = 1;
  if (!tasks_[task].processors.gpus.empty()) pace.rate = nominal_cpu_rate(task);
  return pace;
}

GpuRunner UnitWork::on_gpu(std::size_t task, std::size_t gpu) {
  const Task& own = tasks_[task];
  const std::shared_ptr<DeviceJob> device = own.job->on_device(own.processors.gpus[gpu]);
  {
    const std::lock_guard lock(mutex_);
    if (kernels_.size() <= task) kernels_.resize(task + 1);
    if (kernels_[task].empty()) kernels_[task] = device->kernel();
  }
  GpuRunner runner;
  runner.pace.seconds = range_seconds;
  runner.pace.least_seconds = least_range_seconds;
  runner.pace.most = own.job->units();
  runner.pace.rate = nominal_gpu_rate(task, gpu);
  const std::vector<GpuInfo>& gpus = own.processors.gpus;
  if (gpus[gpu].static_share) runner.pace.least = (own.job->units() - 1) / gpus.size() + 1;
  runner.run = [this, task, device](const UnitRange& range) {
    timed(task, range, [&] { return device->run(range.first, range.last, stop_); });
  };
  return runner;
}

void UnitWork::run(std::size_t task, const UnitRange& range) {
  timed(task, range, [&] { return tasks_[task].job->run(range.first, stop_); });
}

template <class Run>
void UnitWork::timed(std::size_t task, const UnitRange& range, const Run& run) {
  begin(task, range);
  const double start = seconds_now();
  Partial value = run();
  deliver(task, {range, std::move(value), seconds_now() - start});
}

}  // namespace countpm
