#pragma once
// How a walk learns that it is to stop: asked by the user, or, where it only measures its own speed, out of
// time.
#include <cstdint>
#include <optional>

#include "graph/clock.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// Counts work; looks at the stop signal and the clock once in a while. One a thread.
class WorkMeter {
 public:
  explicit WorkMeter(const StopSignal& stop) : stop_(stop) {}
  /// A meter that calls time after `seconds`.
  WorkMeter(const StopSignal& stop, double seconds) : stop_(stop), deadline_(seconds_now() + seconds) {}

  /// Notes `work` units of work, some microseconds at most; true once every 2^12 or so of them, when the
  /// caller must call look().
  bool spend(std::uint64_t work) {
    done_ += work;
    return done_ >= next_look_;
  }
  /// Throws Stopped where a stop was requested; false where the time is up.
  bool look() {
    next_look_ = done_ + look_interval;
    stop_.check();
    return !deadline_ || seconds_now() < *deadline_;
  }
  std::uint64_t done() const { return done_; }
  double elapsed_seconds() const { return seconds_now() - start_; }

 private:
  static constexpr std::uint64_t look_interval = 1 << 12;

  const StopSignal& stop_;
  double start_ = seconds_now();
  std::optional<double> deadline_;
  std::uint64_t done_ = 0;
  std::uint64_t next_look_ = look_interval;
};

}  // namespace countpm
