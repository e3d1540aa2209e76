#pragma once
// The time that a test takes, whatever else the machine has to do.
#include <ctime>

namespace countpm::testing {

/// Of all threads of this program until now.
inline double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace countpm::testing
