#include "src/distributed/local_runners.hpp"

#include <mpfr.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>

#include "graph/errors.hpp"
#include "kernels/gpu/device_job.hpp"
#include "src/machine/startable_threads.hpp"

namespace countpm {
namespace {

// As device_execution.cpp has them: a range for a GPU, and the least of one.
constexpr double range_seconds = 0.5;
constexpr double least_range_seconds = 0.005;
// What a rank holds beside what runs: more than rank 0 takes to answer, with a disk or a busy core in
// between.
constexpr double lead_seconds = 0.1;

double runner_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double work_per_unit(const Job& job) {
  return std::exp2(std::min(job.log2_work(), 1000.0)) / static_cast<double>(job.units());
}

}  // namespace

LocalRunners::LocalRunners(const std::vector<Task>& tasks, int threads, const StopSignal& stop)
    : tasks_(tasks), threads_(threads), stop_(stop) {
  bool cpu = false;
  for (const Task& task : tasks) {
    const std::vector<GpuInfo>& gpus = task.processors.gpus;
    if (gpus.size() > gpus_.size()) gpus_ = gpus;
    cpu = cpu || gpus.empty() || task.processors.cpu;
    cpu_unit_seconds_.push_back(work_per_unit(*task.job) / std::max(task.job->nominal_rate(), 1e-9));
  }
  // A thread that feeds a GPU sleeps while that works, but takes a core to itself where it does not.
  const int left = threads - static_cast<int>(gpus_.size());
  const bool some_without_gpus =
      std::any_of(tasks.begin(), tasks.end(), [](const Task& task) { return task.processors.gpus.empty(); });
  if (cpu) cpu_threads_ = static_cast<unsigned>(std::max(left, some_without_gpus ? 1 : 0));
  try {
    for (std::size_t k = 0; k < gpus_.size(); ++k)
      workers_.push_back(start_thread([this, k] { guarded([this, k] { feed(k); }); }));
    for (unsigned k = 0; k < cpu_threads_; ++k)
      workers_.push_back(start_thread([this] { guarded([this] { run_single_units(); }); }));
  } catch (const UnableError&) {
    // Fewer will do, but each GPU needs its own, and what the CPU runs needs one.
    if (workers_.size() > gpus_.size()) {
      cpu_threads_ = static_cast<unsigned>(workers_.size() - gpus_.size());
      return;
    }
    end();
    throw;
  }
}

LocalRunners::~LocalRunners() {
  end();
}

void LocalRunners::end() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    stock_.clear();
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

WorkerTraits LocalRunners::traits() const {
  WorkerTraits traits;
  const bool wide = !tasks_.empty() && tasks_.front().job->wide();
  traits.slots = wide ? 1 : static_cast<unsigned>(workers_.size());
  // A GPU's next range is there before the last one is done.
  traits.lead_seconds = gpus_.empty() ? lead_seconds : 2 * range_seconds + lead_seconds;
  return traits;
}

double LocalRunners::nominal_units_a_second() const {
  const Task& task = tasks_.front();
  double rate = 0;
  for (const GpuInfo& gpu : task.processors.gpus) rate += device_unit_rate(0, gpu);
  const double unit_seconds = work_per_unit(*task.job) / std::max(task.job->nominal_rate(), 1e-9);
  const double threads = task.job->wide() ? task.job->speed_up(threads_) : cpu_threads_;
  if (task.processors.gpus.empty() || task.processors.cpu) rate += threads / unit_seconds;
  return rate;
}

void LocalRunners::give(const Assignment& assignment, std::optional<std::uint64_t> alone,
                        double seconds_left) {
  {
    const std::lock_guard lock(mutex_);
    stock_.push_back({assignment.task, assignment.range, alone});
    end_at_ = runner_seconds() + seconds_left;
  }
  wake_.notify_all();
}

std::vector<LocalResult> LocalRunners::take_results() {
  const std::lock_guard lock(mutex_);
  return std::exchange(results_, {});
}

void LocalRunners::rethrow() {
  failure_.rethrow();
}

void LocalRunners::guarded(const std::function<void()>& work) {
  failure_.guard(work);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);  // which the thread would take along
}

/// Whether a CPU thread would be done with a unit of the task before all the rest is.
bool LocalRunners::worth_starting(std::size_t task) const {
  return tasks_[task].processors.gpus.empty() || runner_seconds() + cpu_unit_seconds_[task] < end_at_;
}

/// Empty where there is nothing for this kind of processor now.
std::optional<LocalRunners::Stocked> LocalRunners::take(bool gpu, std::uint64_t most,
                                                        std::unique_lock<std::mutex>& lock) {
  (void)lock;  // is held
  for (auto at = stock_.begin(); at != stock_.end(); ++at) {
    const Task& task = tasks_[at->task];
    if (!gpu && task.job->wide() && wide_running_) continue;
    if (gpu ? task.processors.gpus.empty() : (!task.processors.gpus.empty() && !task.processors.cpu))
      continue;
    if (!gpu && !worth_starting(at->task)) continue;
    Stocked taken = *at;
    std::uint64_t last = taken.range.first + std::min(taken.range.size(), std::max<std::uint64_t>(most, 1));
    if (taken.alone && taken.range.first < *taken.alone) last = std::min(last, *taken.alone);
    if (taken.alone && taken.range.first == *taken.alone) last = taken.range.first + 1;
    taken.range.last = last;
    at->range.first = last;
    if (at->range.empty()) stock_.erase(at);
    if (!gpu && task.job->wide()) wide_running_ = true;
    return taken;
  }
  return std::nullopt;
}

double LocalRunners::device_unit_rate(std::size_t task, const GpuInfo& gpu) const {
  const Job& job = *tasks_[task].job;
  return std::max(job.nominal_device_rate(gpu), 1.0) / work_per_unit(job);
}

void LocalRunners::feed(std::size_t gpu) {
  std::map<std::size_t, std::unique_ptr<DeviceJob>> devices;
  std::map<std::size_t, double> rates;  // units a second, by task
  std::unique_lock lock(mutex_);
  while (!closing_ && !stop_.requested()) {
    std::uint64_t in_stock = 0;
    for (const Stocked& stocked : stock_) in_stock += stocked.range.size();
    // Of the first task there is; near the end the GPUs share what is left.
    const std::size_t task = stock_.empty() ? 0 : stock_.front().task;
    const double rate = rates.contains(task) ? rates[task] : device_unit_rate(task, gpus_[gpu]);
    const double even = static_cast<double>(in_stock) / static_cast<double>(2 * gpus_.size());
    const double most = std::max(std::min(range_seconds * rate, even), least_range_seconds * rate);
    const auto taken = take(true, static_cast<std::uint64_t>(std::clamp(most, 1.0, 1e9)), lock);
    if (!taken) {
      wake_.wait_for(lock, std::chrono::milliseconds(50));
      continue;
    }
    lock.unlock();
    std::unique_ptr<DeviceJob>& device = devices[taken->task];
    if (!device) device = tasks_[taken->task].job->on_device(gpus_[gpu]);
    const double seconds =
        collect(*taken, [&] { return device->run(taken->range.first, taken->range.last, stop_); });
    rates[taken->task] = static_cast<double>(taken->range.size()) / std::max(seconds, 1e-7);
    lock.lock();
  }
}

void LocalRunners::run_single_units() {
  std::unique_lock lock(mutex_);
  while (!closing_ && !stop_.requested()) {
    const auto taken = take(false, 1, lock);
    if (!taken) {
      wake_.wait_for(lock, std::chrono::milliseconds(50));
      continue;
    }
    lock.unlock();
    const Job& job = *tasks_[taken->task].job;
    if (job.wide() && on_wide_unit) on_wide_unit(taken->task);
    const double seconds = collect(*taken, [&] { return job.run(taken->range.first, stop_); });
    lock.lock();
    cpu_unit_seconds_[taken->task] = seconds;
    if (job.wide()) wide_running_ = false;
  }
}

/// Returns the seconds that it took.
template <class Run>
double LocalRunners::collect(const Stocked& taken, const Run& run) {
  const double start = runner_seconds();
  Partial value = run();
  const double seconds = runner_seconds() - start;
  const std::lock_guard lock(mutex_);
  results_.push_back({taken.task, {taken.range, std::move(value), seconds}});
  return seconds;
}

}  // namespace countpm
