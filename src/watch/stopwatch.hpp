#pragma once
// Where the time of a count goes.
#include <utility>

#include "graph/clock.hpp"

namespace countpm {

class Stopwatch {
 public:
  /// Seconds since the last lap, or since it was made.
  double lap() {
    const double now = seconds_now();
    return now - std::exchange(last_, now);
  }

 private:
  double last_ = seconds_now();
};

}  // namespace countpm
