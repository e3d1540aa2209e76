#pragma once
// What host code of kernels shares that work through a range of items: launches of the right length, and the
// rates of ranges of units.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "graph/clock.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/method.hpp"

namespace countpm {

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
    const double start = seconds_now();
    launch();
    const double done = static_cast<double>(range.last - range.first) * terms;
    pace.terms_a_second = done / std::max(seconds_now() - start, 1e-6);
    range.first = range.last;
  }
}

/// Asks for a stop so many seconds after it was made, unless it has gone by then.
class StopAfter {
 public:
  explicit StopAfter(double seconds)
      : waiter_([this, seconds](const std::stop_token& gone) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any never_notified;
          never_notified.wait_for(lock, gone, std::chrono::duration<double>(seconds), [] { return false; });
          if (!gone.stop_requested()) signal_.request();
        }) {}
  const StopSignal& signal() const { return signal_; }

 private:
  StopSignal signal_;
  std::jthread waiter_;  // gone before the signal
};

/// A rate is not measured where that would take longer.
inline constexpr double most_rate_seconds = 1;

/// Runs ever longer ranges of the job's units from the first one on, until one takes `seconds` and was hardly
/// faster than half of it, or is all `units`: the start and the transfers count, as they do in a run, and a
/// few units may keep but a part of the GPU busy. The highest rate, work(count) being that of units 0 ..
/// count - 1, which have just been run; at least 1. 0 where most_rate_seconds were not enough.
template <class Work>
double rate_of_ranges(DeviceJob& job, std::uint64_t units, double seconds, const Work& work,
                      double (*clock)() = seconds_now) {
  constexpr double hardly_faster = 1.25;
  double rate = 0;
  try {
    const StopAfter limit(most_rate_seconds);
    job.run(0, 1, limit.signal());  // the first launch loads the kernel
    for (std::uint64_t count = 1;; count *= 2) {
      count = std::min(count, units);
      const double start = clock();
      job.run(0, count, limit.signal());
      const double elapsed = clock() - start;
      const double before = std::exchange(rate, std::max({rate, work(count) / std::max(elapsed, 1e-9), 1.0}));
      if (count == units || (elapsed >= seconds && rate < hardly_faster * before)) break;
    }
  } catch (const Stopped&) {
    return 0;  // of how fast more units would be nothing is known
  }
  return rate;
}

}  // namespace countpm
