#pragma once
// check_stop() for loops whose steps take nanoseconds, and the signal that it looks at.
#include <cstdint>

#include "graph/stop_signal.hpp"

namespace countpm {

/// The thread's signal, or one that is never requested: for work that looks at a signal and is given none.
inline const StopSignal& stop_signal_here() {
  static const StopSignal never;
  const StopSignal* const signal = current_stop_signal();
  return signal != nullptr ? *signal : never;
}

/// Looks at the stop signal of the thread once in 4,096 steps; what is between costs an addition.
class StopPoll {
 public:
  void step() {
    if (++steps_ % steps_a_look == 0) check_stop();
  }
  /// `size` steps at once: a line of so many entries.
  void steps(std::uint64_t size) {
    const std::uint64_t before = steps_ / steps_a_look;
    steps_ += size + 1;
    if (steps_ / steps_a_look != before) check_stop();
  }

 private:
  static constexpr std::uint64_t steps_a_look = 4096;
  std::uint64_t steps_ = 0;
};

}  // namespace countpm
