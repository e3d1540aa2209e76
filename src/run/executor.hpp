#pragma once
// Runs work units on threads. The methods know nothing of it, nor it of the methods.
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/method.hpp"
#include "src/machine/processors.hpp"
#include "src/units/ledger.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// A job to run, with what the report and the progress bar need to know about it.
struct Task {
  const Job* job;
  const Arithmetic* arithmetic;
  std::string method;
  double predicted_seconds;  // with all processors
  Processors processors = {};
  Ledger* ledger = nullptr;  // what is done already, and where to put what is done now; null: none
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

/// All units of all tasks. First the wide ones, one after another, each on its own threads: they are the long
/// ones and those that might run out of memory; then those on GPUs (device_execution.hpp), one after another,
/// too; then the rest on `threads` OpenMP threads, handed out
/// dynamically. Each task's units are added up in order of their number, so that floating-point results are
/// the same for every number of threads. Throws what a unit threw, or what the monitor says. Memory: a
/// Partial a unit, and peak_bytes.
std::vector<TaskResult> run_tasks(const std::vector<Task>& tasks, int threads, Monitor& monitor);

/// Of the units that are not `done` (disjoint, in order): the first from five eighths on, or else from the
/// start; empty where all are.
std::optional<std::uint64_t> unit_to_sample(std::uint64_t units, const std::vector<UnitRange>& done);

/// What the jobs together are predicted to need at most at one time.
std::uint64_t peak_bytes(const std::vector<const Job*>& jobs, int threads);
/// The most of `threads` threads with which that is no more than `bytes`; 1 where even one needs more.
int threads_that_fit(const std::vector<const Job*>& jobs, int threads, std::uint64_t bytes);

}  // namespace countpm
