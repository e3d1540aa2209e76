#pragma once
// The units of one job, handed out in ranges from the front.
#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace countpm {

/// Units first .. last - 1; empty where there are none left.
struct UnitRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool empty() const { return first == last; }
  std::uint64_t size() const { return last - first; }
};

/// Every unit that is not done already is in exactly one of the ranges. Thread-safe.
class UnitQueue {
 public:
  /// The unit `alone` is a range by itself, so that its share is known. done: disjoint, in order.
  UnitQueue(std::uint64_t units, std::uint64_t alone, std::vector<UnitRange> done = {})
      : units_(units), alone_(alone), done_(std::move(done)), left_(units) {
    for (const UnitRange& range : done_) left_ -= range.size();
    pass_done();
  }

  /// At least one unit, where there is one, and at most `most`.
  UnitRange take(std::uint64_t most) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t end = next_done_ < done_.size() ? done_[next_done_].first : units_;
    std::uint64_t last = next_ + std::min(end - next_, std::max<std::uint64_t>(most, 1));
    if (next_ < alone_) last = std::min(last, alone_);
    if (next_ == alone_) last = std::min(last, alone_ + 1);
    const UnitRange range{next_, last};
    next_ = last;
    left_ -= range.size();
    pass_done();
    return range;
  }
  std::uint64_t left() const {
    const std::lock_guard lock(mutex_);
    return left_;
  }

 private:
  void pass_done() {
    while (next_done_ < done_.size() && done_[next_done_].first == next_) next_ = done_[next_done_++].last;
  }

  std::uint64_t units_;
  std::uint64_t alone_;
  std::vector<UnitRange> done_;
  std::size_t next_done_ = 0;  // of done_, the first at or behind next_
  std::uint64_t next_ = 0;
  std::uint64_t left_;
  mutable std::mutex mutex_;
};

}  // namespace countpm
