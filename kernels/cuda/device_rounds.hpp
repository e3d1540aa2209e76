#pragma once
// What host code of kernels shares that work through a range of items: launches of the right length, and the
// rates of ranges of units.
#include <algorithm>
#include <chrono>
#include <cstdint>

#include "kernels/cuda/device_job.hpp"
#include "kernels/method.hpp"

namespace countpm {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// How fast launches were, as last seen, and how long they are to last.
struct LaunchPace {
  double seconds;
  double terms_a_second;
};

/// Items range.first .. items - 1, launch by launch: range.last is set, launch() launches and waits, and
/// range.first goes on. Whole rounds of `round` items, one for each thread of the grid, so that none waits
/// for others; an item is `terms` terms. Throws Stopped.
template <class Range, class Launch>
void launch_in_rounds(Range& range, std::uint64_t items, std::uint64_t round, double terms, LaunchPace& pace,
                      const StopSignal& stop, const Launch& launch) {
  while (range.first < items) {
    stop.check();
    const double wanted = pace.terms_a_second * pace.seconds / terms;
    const auto rounds = static_cast<std::uint64_t>(std::max(wanted / static_cast<double>(round), 1.0));
    range.last = range.first + std::min(items - range.first, rounds * round);
    const auto start = std::chrono::steady_clock::now();
    launch();
    const double done = static_cast<double>(range.last - range.first) * terms;
    pace.terms_a_second = done / std::max(seconds_since(start), 1e-6);
    range.first = range.last;
  }
}

/// Runs ever longer ranges of the job's units from the first one on, until one takes `seconds` or is all
/// `units`: the start and the transfers count, as they do in a run. That range's work a second, work(count)
/// being that of units 0 .. count - 1, which have just been run; at least 1.
template <class Work>
double rate_of_ranges(DeviceJob& job, std::uint64_t units, double seconds, const Work& work) {
  const StopSignal never;
  job.run(0, 1, never);  // the first launch loads the kernel
  for (std::uint64_t count = 1;; count *= 2) {
    count = std::min(count, units);
    const auto start = std::chrono::steady_clock::now();
    job.run(0, count, never);
    const double elapsed = seconds_since(start);
    if (elapsed >= seconds || count == units) return std::max(work(count) / std::max(elapsed, 1e-9), 1.0);
  }
}

}  // namespace countpm
