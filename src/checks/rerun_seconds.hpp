#pragma once
// How long some of what an earlier session or another rank did is done again, as a check.
#include <algorithm>

namespace countpm {

/// No more of the time that is left: sessions of a second each must get on, too.
inline double most_rerun_seconds(double seconds_left) {
  return 0.1 * seconds_left;
}

/// 1 % of the time that it took, or a second.
inline double rerun_seconds(double spent, double seconds_left) {
  return std::min(std::max(0.01 * spent, 1.0), most_rerun_seconds(seconds_left));
}

}  // namespace countpm
