#include "src/run/executor.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "graph/clock.hpp"

namespace countpm {
namespace {

// Predictions of what is far out of reach are as large as they can be.
std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? ~std::uint64_t{0} : result;
}
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? ~std::uint64_t{0} : result;
}

/// Units on this machine's threads and GPUs.
class Execution : public UnitWork {
 public:
  Execution(const std::vector<Task>& tasks, int threads, Monitor& monitor)
      : UnitWork(tasks, monitor.stop_signal()),
        tasks_(tasks),
        threads_(threads),
        monitor_(monitor),
        begun_(tasks.size(), false) {
    sums_.reserve(tasks.size());
    for (const Task& task : tasks) sums_.emplace_back(task);
  }

  std::vector<TaskResult> run_all() {
    std::vector<double> seconds_on_gpus(tasks_.size(), 0);
    run_on_cpu(true);
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      if (tasks_[t].processors.gpus.empty() || !sums_[t].sampled_unit()) continue;
      const double start = seconds_now();
      run_on_gpus(t);
      seconds_on_gpus[t] = seconds_now() - start;
    }
    run_on_cpu(false);
    std::vector<TaskResult> results;
    results.reserve(tasks_.size());
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      TaskResult& result = results.emplace_back(sums_[t].result());
      result.kernel = kernel(t);
      const bool on_cpu = tasks_[t].processors.gpus.empty();
      result.seconds = on_cpu ? result.thread_seconds / shares_of(*tasks_[t].job) : seconds_on_gpus[t];
    }
    return results;
  }

 private:
  /// Among how many threads the job's units are divided.
  double shares_of(const Job& job) const {
    if (job.runs_on_all_threads()) return 1;
    return static_cast<double>(std::min<std::uint64_t>(job.units(), static_cast<std::uint64_t>(threads_)));
  }

  /// Wide tasks (Job::runs_on_all_threads), or the others, of those that have no GPUs.
  void run_on_cpu(bool wide) {
    Scheduler scheduler(*this, 0, wide ? 1 : threads_, monitor_.stop_signal());
    bool any = false;
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      if (!tasks_[t].processors.gpus.empty() || tasks_[t].job->runs_on_all_threads() != wide) continue;
      for (const UnitRange& range : tasks_[t].left()) scheduler.put(t, range);
      any = true;
    }
    if (any) finish(scheduler);
  }

  void run_on_gpus(std::size_t task) {
    const Processors& processors = tasks_[task].processors;
    const std::size_t gpus = processors.gpus.size();
    tell_begun(task);  // starting a GPU takes a while
    Scheduler scheduler(*this, gpus, processors.cpu ? threads_beside(gpus, threads_) : 0,
                        monitor_.stop_signal());
    for (const UnitRange& range : tasks_[task].left()) scheduler.put(task, range, sums_[task].sampled_unit());
    finish(scheduler);
  }

  void finish(Scheduler& scheduler) {
    scheduler.run();
    monitor_.throw_if_stopped();
  }

  void tell_begun(std::size_t task) {
    const std::lock_guard lock(mutex_);
    if (!begun_[task]) monitor_.describe(tasks_[task].method, task + 1, tasks_.size());
    begun_[task] = true;
  }

  void begin(std::size_t task, const UnitRange& range) override {
    tell_begun(task);
    const Task& own = tasks_[task];
    // One that runs by itself tells how far it is.
    if (own.job->runs_on_all_threads() && own.processors.gpus.size() <= 1)
      monitor_.begin_wide_unit(own.predicted_of(range));
  }

  void deliver(std::size_t task, FinishedRange finished) override {
    const double predicted = tasks_[task].predicted_of(finished.range);
    {
      const std::lock_guard lock(mutex_);
      sums_[task].add(std::move(finished));
    }
    monitor_.finish(predicted);
  }

  void stop_others() override { monitor_.request_stop(); }

  const std::vector<Task>& tasks_;
  int threads_;
  Monitor& monitor_;
  std::mutex mutex_;
  std::vector<bool> begun_;
  std::vector<TaskSum> sums_;
};

}  // namespace

std::vector<TaskResult> run_tasks(const std::vector<Task>& tasks, int threads, Monitor& monitor) {
  return Execution(tasks, threads, monitor).run_all();
}

std::uint64_t peak_bytes(const std::vector<const Job*>& jobs, int threads) {
  const auto count = static_cast<std::uint64_t>(std::max(threads, 1));
  std::uint64_t wide = 0;    // one at a time
  std::uint64_t shared = 0;  // side by side
  std::uint64_t most_a_thread = 0;
  for (const Job* job : jobs) {
    if (job->runs_on_all_threads()) {
      wide = std::max(wide, sum(job->bytes_shared(), product(job->bytes_per_thread(), count)));
    } else {
      shared = sum(shared, job->bytes_shared());
      most_a_thread = std::max(most_a_thread, job->bytes_per_thread());
    }
  }
  return std::max(wide, sum(shared, product(most_a_thread, count)));
}

int threads_that_fit(const std::vector<const Job*>& jobs, int threads, std::uint64_t bytes) {
  int fit = 1;
  // peak_bytes() grows with the threads: halving finds the last that fits.
  for (int beyond = std::max(threads, 1) + 1; beyond - fit > 1;) {
    const int middle = fit + (beyond - fit) / 2;
    (peak_bytes(jobs, middle) <= bytes ? fit : beyond) = middle;
  }
  return fit;
}

int fitting_threads(const std::vector<Task>& tasks, int threads, std::uint64_t bytes) {
  std::vector<const Job*> jobs;
  jobs.reserve(tasks.size());
  for (const Task& task : tasks) jobs.push_back(task.job);
  return threads_that_fit(jobs, threads, bytes);
}

}  // namespace countpm
