#pragma once
// One rank's processors: its threads and GPUs, which take units from a stock that is filled up while they
// work.
#include <functional>
#include <mutex>
#include <vector>

#include "src/distributed/dispatcher.hpp"
#include "src/run/unit_work.hpp"

namespace countpm {

/// What one thread or GPU has done in one go.
struct LocalResult {
  std::size_t task = 0;
  FinishedRange finished;
};

/// A scheduler for the GPUs of any task and the threads that are left, if any task may run on the CPU: one
/// for wide jobs (Job::runs_on_all_threads), which stand in no phase with others.
class LocalRunners : private UnitWork {
 public:
  /// tasks outlive the runners. A unit is stopped by `stop`. on_wide_unit: called, from any thread, when a
  /// unit starts that has the rank to itself. Throws UnableError where the system starts too few threads.
  LocalRunners(const std::vector<Task>& tasks, int threads, const StopSignal& stop,
               std::function<void(std::size_t task, const UnitRange& range)> on_wide_unit = {});

  /// As the dispatcher wants to know them, but for the rate.
  WorkerTraits traits() const;
  /// Units of the first task a second, all processors together, by nominal figures: for comparing ranks.
  double nominal_units_a_second() const;

  /// More to do. `alone`: a unit that is to be a result by itself. seconds_left: until all ranks together are
  /// done.
  void give(const Assignment& assignment, std::optional<std::uint64_t> alone, double seconds_left);
  /// What has been done since the last call.
  std::vector<LocalResult> take_results();
  /// Throws what a unit threw, other than Stopped.
  void rethrow() { scheduler_.rethrow(); }

 private:
  void begin(std::size_t task, const UnitRange& range) override;
  void deliver(std::size_t task, FinishedRange finished) override;
  void stop_others() override {}  // whoever looks for results hears of it

  const std::vector<Task>& tasks_;
  std::function<void(std::size_t task, const UnitRange& range)> on_wide_unit_;
  bool wide_;
  std::size_t gpus_;
  std::mutex mutex_;
  std::vector<LocalResult> results_;
  int threads_;  // of the CPU
  Scheduler scheduler_;
};

}  // namespace countpm
