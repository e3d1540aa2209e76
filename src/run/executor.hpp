#pragma once
// Runs work units on threads and GPUs. The methods know nothing of it, nor it of the methods.
#include <cstdint>
#include <vector>

#include "src/run/unit_work.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// All units of all tasks. First the wide ones, one after another, each on its own threads: they are the long
/// ones and those that might run out of memory; then the tasks on GPUs, one after another too, with the
/// threads that are left beside them where the plan says so; then the rest on `threads` threads. Each task's
/// units are added up in order of their number, so that floating-point results are the same for every number
/// of threads. Throws what a unit threw, or what the monitor says. Memory: peak_bytes, and the Partials that
/// wait for one before them.
std::vector<TaskResult> run_tasks(const std::vector<Task>& tasks, int threads, Monitor& monitor);

/// What the jobs together are predicted to need at most at one time.
std::uint64_t peak_bytes(const std::vector<const Job*>& jobs, int threads);
/// The most of `threads` threads with which that is no more than `bytes`; 1 where even one needs more.
int threads_that_fit(const std::vector<const Job*>& jobs, int threads, std::uint64_t bytes);
int fitting_threads(const std::vector<Task>& tasks, int threads, std::uint64_t bytes);

}  // namespace countpm
