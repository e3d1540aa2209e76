#include "src/executor.hpp"

#include <chrono>
#include <exception>
#include <mutex>

namespace countpm {
namespace {

struct Unit {
  std::size_t task;
  std::uint64_t number;
};

std::vector<Unit> list_units(const std::vector<Task>& tasks) {
  std::vector<Unit> units;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    for (std::uint64_t u = 0; u < tasks[t].job->units(); ++u) units.push_back({t, u});
  }
  return units;
}

}  // namespace

std::vector<TaskResult> run_tasks(const std::vector<Task>& tasks, int threads, Monitor& monitor) {
  using Clock = std::chrono::steady_clock;
  const std::vector<Unit> units = list_units(tasks);
  std::vector<Partial> partials(units.size());
  std::vector<double> seconds(units.size(), 0.0);
  std::exception_ptr failure;
  std::mutex failure_mutex;

  const auto count = static_cast<std::int64_t>(units.size());
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::int64_t i = 0; i < count; ++i) {
    // An exception must not leave an OpenMP region: the first is kept, the rest of the units become no-ops.
    if (monitor.stop_signal().requested()) continue;
    const auto at = static_cast<std::size_t>(i);
    const Unit unit = units[at];
    const Task& task = tasks[unit.task];
    try {
      if (unit.number == 0) monitor.describe(task.method, unit.task + 1, tasks.size());
      const auto start = Clock::now();
      partials[at] = task.job->run(unit.number, monitor.stop_signal());
      seconds[at] = std::chrono::duration<double>(Clock::now() - start).count();
      monitor.finish(task.predicted_seconds / static_cast<double>(task.job->units()));
    } catch (const Stopped&) {
      // The monitor knows why.
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      monitor.request_stop();
    }
  }
  if (failure) std::rethrow_exception(failure);
  monitor.explain_stop();

  std::vector<TaskResult> results;
  results.reserve(tasks.size());
  for (const Task& task : tasks) {
    // Any unit will do as long as it is not always the first, which is often the simplest.
    const std::uint64_t sampled = (task.job->units() * 5) / 8;
    results.push_back({zero(*task.arithmetic), 0, sampled, {}});
  }
  for (std::size_t i = 0; i < units.size(); ++i) {
    TaskResult& result = results[units[i].task];
    add(result.value, partials[i], *tasks[units[i].task].arithmetic);
    result.thread_seconds += seconds[i];
    if (units[i].number == result.sampled_unit) result.sampled_value = std::move(partials[i]);
  }
  return results;
}

}  // namespace countpm
