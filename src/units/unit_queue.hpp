#pragma once
// Units of tasks, handed out in ranges from the front.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace countpm {

/// Units first .. last - 1; empty where there are none left.
struct UnitRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool empty() const { return first == last; }
  std::uint64_t size() const { return last - first; }
};

/// Of so many units, what is in none of the ranges, which are disjoint and in order.
std::vector<UnitRange> rest_of(std::uint64_t units, const std::vector<UnitRange>& ranges);

/// Every unit that is put in is in exactly one of the ranges that are taken. Not thread-safe.
class UnitQueue {
 public:
  /// The unit `alone` is a range by itself, so that its share is known.
  void put(std::size_t task, const UnitRange& range, std::optional<std::uint64_t> alone = {}) {
    if (range.empty()) return;
    entries_.push_back({task, range, alone});
    left_ += range.size();
  }
  /// The first task with units here for which wanted(task) holds; empty: there is none.
  template <class Wanted>
  std::optional<std::size_t> next(const Wanted& wanted) const {
    for (const Entry& entry : entries_) {
      if (wanted(entry.task)) return entry.task;
    }
    return std::nullopt;
  }
  /// Of a task with units here: at least one, and at most `most`.
  UnitRange take(std::size_t task, std::uint64_t most) {
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const Entry& entry) { return entry.task == task; });
    UnitRange taken = at->range;
    taken.last = taken.first + std::min(taken.size(), std::max<std::uint64_t>(most, 1));
    if (at->alone && taken.first < *at->alone) taken.last = std::min(taken.last, *at->alone);
    if (at->alone == taken.first) taken.last = taken.first + 1;
    at->range.first = taken.last;
    if (at->range.empty()) entries_.erase(at);
    left_ -= taken.size();
    return taken;
  }
  /// Units of all tasks.
  std::uint64_t left() const { return left_; }
  void clear() {
    entries_.clear();
    left_ = 0;
  }

 private:
  struct Entry {
    std::size_t task;
    UnitRange range;
    std::optional<std::uint64_t> alone;
  };
  std::deque<Entry> entries_;
  std::uint64_t left_ = 0;
};

}  // namespace countpm
