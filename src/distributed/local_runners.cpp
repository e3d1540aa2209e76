#include "src/distributed/local_runners.hpp"

#include <algorithm>
#include <utility>

namespace countpm {
namespace {

// A GPU's next range is there before the last one is done: two of them.
constexpr double gpu_lead_seconds = 1;
// What a rank holds beside what runs: more than rank 0 takes to answer, with a disk or a busy core in
// between.
constexpr double lead_seconds = 0.1;

std::size_t most_gpus(const std::vector<Task>& tasks) {
  std::size_t most = 0;
  for (const Task& task : tasks) most = std::max(most, task.processors.gpus.size());
  return most;
}

/// Threads that run units on the CPU beside so many GPUs.
int cpu_threads_for(const std::vector<Task>& tasks, std::size_t gpus, int threads) {
  const auto any = [&](const auto& kind) { return std::any_of(tasks.begin(), tasks.end(), kind); };
  if (any([](const Task& task) { return task.processors.gpus.empty(); }))
    return std::max(threads_beside(gpus, threads), 1);
  return any([](const Task& task) { return task.processors.cpu; }) ? threads_beside(gpus, threads) : 0;
}

bool is_wide(const std::vector<Task>& tasks) {
  return !tasks.empty() && tasks.front().job->runs_on_all_threads();
}

}  // namespace

LocalRunners::LocalRunners(const std::vector<Task>& tasks, int threads, const StopSignal& stop,
                           std::function<void(std::size_t, const UnitRange&)> on_wide_unit)
    : UnitWork(tasks, stop),
      tasks_(tasks),
      on_wide_unit_(std::move(on_wide_unit)),
      wide_(is_wide(tasks)),
      gpus_(most_gpus(tasks)),
      threads_(cpu_threads_for(tasks, gpus_, threads)),
      scheduler_(*this, gpus_, wide_ ? std::min(threads_, 1) : threads_, stop) {
  scheduler_.start();
  if (!wide_) threads_ = scheduler_.cpu_threads();
}

WorkerTraits LocalRunners::traits() const {
  WorkerTraits traits;
  traits.slots = wide_ ? 1 : static_cast<unsigned>(gpus_) + static_cast<unsigned>(threads_);
  traits.lead_seconds = gpus_ == 0 ? lead_seconds : gpu_lead_seconds + lead_seconds;
  return traits;
}

double LocalRunners::nominal_units_a_second() const {
  const Task& task = tasks_.front();
  double rate = 0;
  for (std::size_t gpu = 0; gpu < task.processors.gpus.size(); ++gpu) rate += nominal_gpu_rate(0, gpu);
  if (takes(0, false)) rate += (wide_ ? task.job->speed_up(threads_) : threads_) * nominal_cpu_rate(0);
  return rate;
}

void LocalRunners::give(const Assignment& assignment, std::optional<std::uint64_t> alone,
                        double seconds_left) {
  scheduler_.expect_end(seconds_left);
  scheduler_.put(assignment.task, assignment.range, alone);
}

std::vector<LocalResult> LocalRunners::take_results() {
  const std::lock_guard lock(mutex_);
  return std::exchange(results_, {});
}

void LocalRunners::begin(std::size_t task, const UnitRange& range) {
  if (wide_ && gpus_ <= 1 && on_wide_unit_) on_wide_unit_(task, range);
}

void LocalRunners::deliver(std::size_t task, FinishedRange finished) {
  const std::lock_guard lock(mutex_);
  results_.push_back({task, std::move(finished)});
}

}  // namespace countpm
