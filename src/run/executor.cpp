#include "src/run/executor.hpp"

#include <algorithm>

#include "graph/clock.hpp"
#include "src/run/device_execution.hpp"
#include "src/watch/first_failure.hpp"

namespace countpm {
namespace {

struct Unit {
  std::size_t task;
  std::uint64_t number;
};

std::vector<UnitRange> done_of(const Task& task) {
  return task.ledger != nullptr ? task.ledger->settled() : std::vector<UnitRange>();
}
// Predictions of what is far out of reach are as large as they can be.
std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? ~std::uint64_t{0} : result;
}
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? ~std::uint64_t{0} : result;
}

std::vector<FinishedRange> ranges_of(const Task& task) {
  return task.ledger != nullptr ? task.ledger->ranges() : std::vector<FinishedRange>();
}

/// The units that are to be done of the wide tasks (Job::runs_on_all_threads), or of the others, of those
/// that the CPU runs.
std::vector<Unit> list_units(const std::vector<Task>& tasks, bool wide) {
  std::vector<Unit> units;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (!tasks[t].processors.gpus.empty() || tasks[t].job->runs_on_all_threads() != wide) continue;
    std::uint64_t next = 0;
    const auto list_to = [&](std::uint64_t end) {
      for (; next < end; ++next) units.push_back({t, next});
    };
    for (const UnitRange& done : done_of(tasks[t])) {
      list_to(done.first);
      next = done.last;
    }
    list_to(tasks[t].job->units());
  }
  return units;
}

class Execution {
 public:
  Execution(const std::vector<Task>& tasks, int threads, Monitor& monitor)
      : tasks_(tasks), threads_(threads), monitor_(monitor) {
    results_.reserve(tasks.size());
    for (const Task& task : tasks) {
      TaskResult result;
      result.sampled_unit = unit_to_sample(task.job->units(), done_of(task));
      results_.push_back(std::move(result));
      sums_.emplace_back(*task.arithmetic, ranges_of(task));
    }
  }

  std::vector<TaskResult> run() {
    // A wide job's Partials are not kept: there may be 65536 units, and they come in order anyway.
    for (const Unit& unit : list_units(tasks_, true)) {
      Partial partial;
      double seconds = 0;
      run_unit(unit, partial, seconds);
      stop_if_asked();
      collect(unit, std::move(partial), seconds);
    }
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      if (tasks_[t].processors.gpus.empty()) continue;
      if (!results_[t].sampled_unit) {  // nothing is left to do: no GPU need be started
        results_[t].value = sums_[t].total();
        results_[t].thread_seconds = sums_[t].journaled_seconds();
        continue;
      }
      results_[t] =
          run_on_devices(tasks_[t], results_[t].sampled_unit, threads_, monitor_, t + 1, tasks_.size());
    }
    run_in_parallel(list_units(tasks_, false));
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      if (!tasks_[t].processors.gpus.empty()) continue;
      results_[t].value = sums_[t].total();
      results_[t].thread_seconds += sums_[t].journaled_seconds();
      const Job& job = *tasks_[t].job;
      const double share = job.runs_on_all_threads()
                               ? 1
                               : static_cast<double>(std::min<std::uint64_t>(
                                     job.units(), static_cast<std::uint64_t>(threads_)));
      results_[t].seconds = results_[t].thread_seconds / share;
    }
    return std::move(results_);
  }

 private:
  void run_in_parallel(const std::vector<Unit>& units) {
    std::vector<Partial> partials(units.size());
    std::vector<double> seconds(units.size(), 0.0);
    const auto count = static_cast<std::int64_t>(units.size());
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_) if (threads_ > 1)
    for (std::int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      run_unit(units[at], partials[at], seconds[at]);
    }
    stop_if_asked();
    for (std::size_t i = 0; i < units.size(); ++i) collect(units[i], std::move(partials[i]), seconds[i]);
  }

  /// Where one unit fails the rest become no-ops.
  void run_unit(const Unit& unit, Partial& partial, double& seconds) {
    if (monitor_.stop_signal().requested()) return;
    const Task& task = tasks_[unit.task];
    const double share = task.predicted_seconds / static_cast<double>(task.job->units());
    const bool fine = failure_.guard([&] {
      if (unit.number == 0) monitor_.describe(task.method, unit.task + 1, tasks_.size());
      if (task.job->runs_on_all_threads()) monitor_.begin_wide_unit(share);
      const double start = seconds_now();
      partial = task.job->run(unit.number, monitor_.stop_signal());
      seconds = seconds_now() - start;
      if (task.ledger != nullptr)
        task.ledger->add({{unit.number, unit.number + 1}, Partial(partial), seconds});
      monitor_.finish(share);
    });
    if (!fine) monitor_.request_stop();
  }

  void stop_if_asked() {
    failure_.rethrow();
    monitor_.throw_if_stopped();
  }

  void collect(const Unit& unit, Partial&& partial, double seconds) {
    TaskResult& result = results_[unit.task];
    sums_[unit.task].add(unit.number, partial);
    result.thread_seconds += seconds;
    if (result.sampled_unit == unit.number) {
      result.sampled_value = std::move(partial);
      result.sampled_seconds = seconds;
    }
  }

  const std::vector<Task>& tasks_;
  int threads_;
  Monitor& monitor_;
  std::vector<TaskResult> results_;
  std::vector<OrderedSum> sums_;
  FirstFailure failure_;
};

}  // namespace

std::vector<TaskResult> run_tasks(const std::vector<Task>& tasks, int threads, Monitor& monitor) {
  return Execution(tasks, threads, monitor).run();
}

std::optional<std::uint64_t> unit_to_sample(std::uint64_t units, const std::vector<UnitRange>& done) {
  // Any unit will do as long as it is not always the first, which is often the simplest.
  const auto first_from = [&](std::uint64_t unit) {
    for (const UnitRange& range : done) {
      if (range.first <= unit && unit < range.last) unit = range.last;
    }
    return unit;
  };
  for (const std::uint64_t start : {units * 5 / 8, std::uint64_t{0}}) {
    const std::uint64_t unit = first_from(start);
    if (unit < units) return unit;
  }
  return std::nullopt;
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

}  // namespace countpm
