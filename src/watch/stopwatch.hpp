#pragma once
// Where the time of a count goes.
#include <chrono>
#include <utility>

namespace countpm {

class Stopwatch {
 public:
  /// Seconds since the last lap, or since it was made.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace countpm
