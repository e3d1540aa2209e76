#pragma once
// Units of tasks, as the scheduler deals them, and what they add up to.
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kernels/method.hpp"
#include "src/machine/processors.hpp"
#include "src/run/scheduler.hpp"
#include "src/units/ledger.hpp"

namespace countpm {

/// A job to run, with what the report and the progress bar need to know about it.
struct Task {
  const Job* job;
  const Arithmetic* arithmetic;
  std::string method;
  double predicted_seconds;  // with all processors
  Processors processors = {};
  Ledger* ledger = nullptr;  // what is done already, and where to put what is done now; null: none

  double predicted_of(const UnitRange& range) const {
    return predicted_seconds * static_cast<double>(range.size()) / static_cast<double>(job->units());
  }
  std::vector<UnitRange> settled() const;  // as Ledger::settled
  std::vector<UnitRange> left() const { return rest_of(job->units(), settled()); }
};

struct TaskResult {
  Partial value;
  double thread_seconds = 0;  // summed over its units
  double seconds = 0;         // about what it took, had it had the threads for itself
  /// One of its units, the same for the same number of units, of those that a ledger does not have yet; there
  /// is none where it has all.
  std::optional<std::uint64_t> sampled_unit;
  double sampled_seconds = 0;
  Partial sampled_value;  // what it yielded: to be run again by another path
  std::string kernel;     // DeviceJob::kernel() of a GPU of this process
};

/// What a task's units come to, in whatever order they come in. Not thread-safe.
class TaskSum {
 public:
  /// With what the task's ledger has, from which its units are told. The task outlives it.
  explicit TaskSum(const Task& task);

  /// Into the ledger, too.
  void add(FinishedRange finished);
  std::optional<std::uint64_t> sampled_unit() const { return result_.sampled_unit; }
  double new_seconds() const { return new_seconds_; }
  /// All but seconds and kernel. Once.
  TaskResult result();

 private:
  const Task& task_;
  OrderedSum sum_;
  double new_seconds_ = 0;
  TaskResult result_;
};

/// GPUs get what they do in half a second, a thread one unit at a time. Residues are the same however ranges
/// fall; the last digits of floating-point results, within their error, may not be where GPUs take part.
class UnitWork : public Work {
 public:
  /// Both outlive it. Tasks that have GPUs have the same ones.
  UnitWork(const std::vector<Task>& tasks, const StopSignal& stop) : tasks_(tasks), stop_(stop) {}

  bool takes(std::size_t task, bool gpu) const final;
  Pace on_cpu(std::size_t task) const final;
  GpuRunner on_gpu(std::size_t task, std::size_t gpu) final;
  void run(std::size_t task, const UnitRange& range) final;

  /// By nominal figures: units a second of one thread, or of the task's GPU.
  double nominal_cpu_rate(std::size_t task) const;
  double nominal_gpu_rate(std::size_t task, std::size_t gpu) const;
  /// DeviceJob::kernel() of the first GPU that got to the task.
  std::string kernel(std::size_t task) const;

 protected:
  /// From any thread: a range starts; it is done.
  virtual void begin(std::size_t task, const UnitRange& range) = 0;
  virtual void deliver(std::size_t task, FinishedRange finished) = 0;

 private:
  template <class Run>
  void timed(std::size_t task, const UnitRange& range, const Run& run);

  const std::vector<Task>& tasks_;
  const StopSignal& stop_;
  mutable std::mutex mutex_;
  std::vector<std::string> kernels_;
};

}  // namespace countpm
