#pragma once
// How many threads a unit may keep busy that runs by itself: the check of a finished count, say.
#include <algorithm>

namespace countpm {

/// While it lives, work of this thread may take so many threads, this one among them, and the memory of as
/// many units. Without one it is alone on its thread, and others run units beside it.
class SpareThreads {
 public:
  explicit SpareThreads(int threads) : before_(spare) { spare = std::max(threads, 1); }
  ~SpareThreads() { spare = before_; }
  SpareThreads(const SpareThreads&) = delete;
  SpareThreads& operator=(const SpareThreads&) = delete;

  static int here() { return spare; }

 private:
  static inline thread_local int spare = 1;
  int before_;
};

}  // namespace countpm
