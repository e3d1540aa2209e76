#pragma once
// Runs work units on threads. The methods know nothing of it, nor it of the methods.
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kernels/method.hpp"
#include "src/monitor.hpp"

namespace countpm {

/// A job to run, with what the report and the progress bar need to know about it.
struct Task {
  const Job* job;
  const Arithmetic* arithmetic;
  std::string method;
  double predicted_seconds;  // of one thread
};

struct TaskResult {
  Partial value;
  double thread_seconds = 0;       // summed over the threads that ran its units
  std::uint64_t sampled_unit = 0;  // one of its units, the same for the same number of units, and
  Partial sampled_value;           // what it yielded: to be run again by another path
};

/// All units of all tasks on `threads` OpenMP threads, handed out dynamically; each task's units are added up
/// in order of their number, so that floating-point results are the same for every number of threads. Throws
/// what a unit threw, or what the monitor says. Memory: a Partial a unit.
std::vector<TaskResult> run_tasks(const std::vector<Task>& tasks, int threads, Monitor& monitor);

}  // namespace countpm
