#pragma once
// How work that may take long learns that it is to stop: Ctrl-C, a time limit, a failure elsewhere.
#include <atomic>
#include <exception>

#include "graph/look_out.hpp"

namespace countpm {

/// Thrown by work that stops where it is. Whoever made the signal knows why, and says so.
class Stopped : public std::exception {};

/// Set from outside (Ctrl-C, a time limit); work that is under way looks at least every 50 ms and throws
/// Stopped.
class StopSignal {
 public:
  // What the requester wrote before (the reason) is there for whoever sees the request.
  void request() { stop_.store(true, std::memory_order_release); }
  bool requested() const {
    if constexpr (one_thread) look_out();
    return stop_.load(std::memory_order_acquire);
  }
  void check() const;  // throws Stopped where requested

  /// For the progress bar: the share of the running unit that is done, 0 .. 1. Only units of wide jobs, which
  /// run one at a time, tell it. From any thread.
  void report_share(double share) const { share_.store(share, std::memory_order_relaxed); }
  double share_reported() const { return share_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> stop_{false};
  mutable std::atomic<double> share_{0};
};

/// While it lives, `signal` is what check_stop() of this thread looks at; then the one before is again.
/// Reading, structure, reductions and searches so need no signal among their arguments. Threads that they
/// start take current_stop_signal() along in a scope of their own.
class StopScope {
 public:
  explicit StopScope(const StopSignal* signal);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  const StopSignal* before_;
};

/// Of this thread's innermost StopScope; null where there is none.
const StopSignal* current_stop_signal();
/// Throws Stopped where that signal is requested. A few nanoseconds: for loops whose steps take microseconds
/// or more.
void check_stop();

}  // namespace countpm
