#pragma once
// The one clock of all folders.
#include <chrono>

namespace countpm {

/// Seconds on a clock that never goes back, since some moment in the past.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace countpm
