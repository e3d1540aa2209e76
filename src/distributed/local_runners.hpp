#pragma once
// One rank's processors: its threads and GPUs, which take units from a stock that is filled up while they
// work.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "src/distributed/dispatcher.hpp"
#include "src/run/executor.hpp"
#include "src/watch/first_failure.hpp"

namespace countpm {

/// What one thread or GPU has done in one go.
struct LocalResult {
  std::size_t task = 0;
  FinishedRange finished;
};

/// Threads that run units: a host thread for each GPU of any task, and one for each thread left, if any task
/// may run on the CPU. A thread takes one unit at a time, a GPU a range; units of a wide job
/// (Job::runs_on_all_threads) run one after another, whoever else is idle. Nothing of a wide job may be in
/// stock together with anything else.
class LocalRunners {
 public:
  /// tasks outlive the runners. A unit is stopped by `stop`.
  LocalRunners(const std::vector<Task>& tasks, int threads, const StopSignal& stop);
  /// Waits for the units that run; those that have not begun are forgotten.
  ~LocalRunners();
  LocalRunners(const LocalRunners&) = delete;
  LocalRunners& operator=(const LocalRunners&) = delete;

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
  void rethrow();
  /// Called, from any thread, when a wide unit starts, and with any result.
  std::function<void(std::size_t task)> on_wide_unit = {};

 private:
  struct Stocked {
    std::size_t task;
    UnitRange range;
    std::optional<std::uint64_t> alone;
  };
  std::optional<Stocked> take(bool gpu, std::uint64_t most, std::unique_lock<std::mutex>& lock);
  void end();
  void guarded(const std::function<void()>& work);
  void feed(std::size_t gpu);
  void run_single_units();
  bool worth_starting(std::size_t task) const;
  template <class Run>
  double collect(const Stocked& taken, const Run& run);
  double device_unit_rate(std::size_t task, const GpuInfo& gpu) const;

  const std::vector<Task>& tasks_;
  int threads_;
  const StopSignal& stop_;
  std::vector<GpuInfo> gpus_;
  unsigned cpu_threads_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Stocked> stock_;
  std::vector<LocalResult> results_;
  std::vector<double> cpu_unit_seconds_;  // of each task: predicted, then as last seen
  double end_at_ = 0;                     // when all ranks together will be done, by the steady clock
  bool wide_running_ = false;
  bool closing_ = false;
  FirstFailure failure_;
  std::vector<std::thread> workers_;
};

}  // namespace countpm
