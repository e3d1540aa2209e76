#pragma once
// The units of one job, handed out in ranges from the front.
#include <algorithm>
#include <cstdint>
#include <mutex>

namespace countpm {

/// Units first .. last - 1; empty where there are none left.
struct UnitRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool empty() const { return first == last; }
  std::uint64_t size() const { return last - first; }
};

/// Every unit is in exactly one of the ranges. Thread-safe.
class UnitQueue {
 public:
  /// The unit `alone` is a range by itself, so that its share is known.
  UnitQueue(std::uint64_t units, std::uint64_t alone) : units_(units), alone_(alone) {}

  /// At least one unit, where there is one, and at most `most`.
  UnitRange take(std::uint64_t most) {
    const std::lock_guard lock(mutex_);
    std::uint64_t last = std::min(units_, next_ + std::max<std::uint64_t>(most, 1));
    if (next_ < alone_) last = std::min(last, alone_);
    if (next_ == alone_) last = std::min(last, alone_ + 1);
    const UnitRange range{next_, last};
    next_ = last;
    return range;
  }
  std::uint64_t left() const {
    const std::lock_guard lock(mutex_);
    return units_ - next_;
  }

 private:
  std::uint64_t units_;
  std::uint64_t alone_;
  std::uint64_t next_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace countpm
